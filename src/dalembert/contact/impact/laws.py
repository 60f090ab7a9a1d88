"""Names of the laws of impact, of the orders in which contacts are taken, and of what came out."""

NEWTON, POISSON, ENERGETIC, POISSON_ROUTH = 1, 2, 3, 4
"""Laws; `law_used` is one of them, or NONE where nothing was struck."""

NONE = 0

SIMULTANEOUS, SEQUENTIAL = 0, 1
"""Orders: all contacts at once, or one after the other until nothing approaches."""

OK, NO_ANSWER = 0, 1
"""Status: impulses were found, or no law has any for these velocities."""
