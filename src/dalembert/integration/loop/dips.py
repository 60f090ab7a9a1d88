"""How low a guard may be between looks: below none of the lines that lead there, if it is convex.

Look 0 is the start of a step, look i the place `fractions[i - 1]`, the last one its end. Between
two looks a convex function lies above the lines through the two looks before and the two behind:

    g(x) >= max(L(x), R(x)),   the least of which is where both meet.
"""

from dalembert._jit import kernel

UNKNOWN = 1e299
"""Values beyond this tell that nothing is in reach: shapes are far from one another, or part."""


@kernel
def place_of(fractions, i):
    """The fraction of the step of a look."""
    if i == 0:
        return 0.0
    return fractions[i - 1] if i <= len(fractions) else 1.0


@kernel
def value_of(values, table, i, j):
    """Guard j at a look."""
    return values[j] if i == 0 else table[i - 1, j]


@kernel
def line_between(fractions, table, values, j, i):
    """Slope of guard j from look i to the next, and whether both are known; else it is far away."""
    f, g = value_of(values, table, i, j), value_of(values, table, i + 1, j)
    if f >= UNKNOWN or g >= UNKNOWN:
        return 0.0, False
    return (g - f) / (place_of(fractions, i + 1) - place_of(fractions, i)), True


@kernel
def lowest_between(fractions, table, values, j, i, count):
    """Least value that a convex guard j may have between looks i and i + 1, of so many."""
    a, b = place_of(fractions, i), place_of(fractions, i + 1)
    fa, fb = value_of(values, table, i, j), value_of(values, table, i + 1, j)
    if fa >= UNKNOWN:
        return UNKNOWN
    fall = rise = 0.0
    before = behind = False
    if i > 0:
        fall, before = line_between(fractions, table, values, j, i - 1)
    if fb >= UNKNOWN:
        return fa + fall * (b - a) if before else 0.0  # shapes that part are not in reach
    if i + 2 < count:
        rise, behind = line_between(fractions, table, values, j, i + 1)
    if before and behind:
        if not fall < rise:
            return min(fa, fb)
        x = (fb - rise * b - fa + fall * a) / (fall - rise)
        x = min(max(x, a), b)
        return max(fa + fall * (x - a), fb + rise * (x - b))
    if before:
        return min(fa, fa + fall * (b - a))
    if behind:
        return min(fb, fb - rise * (b - a))
    return min(fa, fb)
