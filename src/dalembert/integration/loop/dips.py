"""How low a guard may be between looks: below none of the lines that lead there, if it is convex.

Look 0 is the start of a step, look i the place `fractions[i - 1]`, the last one its end. Between
two looks a convex function lies above the lines through the two looks before and the two behind:

    g(x) >= max(L(x), R(x)),   the least of which is where both meet.
"""

from dalembert._jit import kernel

UNKNOWN = 1e299
"""Values beyond this tell that nothing is in reach: shapes are far from one another, or part."""

PART = 0.25
"""Where the next look is, as part of the longer side of the lowest one."""

FLAT = 1e-9
"""Length of a bracket, over the step, within which a guard is what it is."""

BESIDE = 1e-3
"""Part of the way to the next look at which a guard that is lowest at an end of the step tells
whether it is so in front of it, too."""


NOTHING = 1e-7
"""Part of what a guard is at the next look that is zero where a step begins."""


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


@kernel
def looks_before(table):
    """Number of looks (the start among them) up to the first at which a guard is negative."""
    for i in range(table.shape[0] - 1):
        for j in range(table.shape[1]):
            if table[i, j] < 0.0:
                return i + 1
    return table.shape[0]


@kernel
def may_dip(fractions, table, values, j, i, count):
    """Whether guard j may be negative beside look i, which is as low as its neighbours."""
    here = value_of(values, table, i, j)
    if i == 0 and count > 1 and here <= NOTHING * table[0, j]:
        return False  # it begins with zero, as what has just opened does
    if i > 0 and value_of(values, table, i - 1, j) < here:
        return False
    if i < count - 1 and value_of(values, table, i + 1, j) < here:
        return False
    if i > 0 and lowest_between(fractions, table, values, j, i - 1, count) <= 0.0:
        return True
    return i < count - 1 and lowest_between(fractions, table, values, j, i, count) <= 0.0


@kernel
def next_place(a, fa, b, fb, c, fc, k):
    """The vertex of the parabola through three looks at first, then a part of the longer side."""
    if k < 2 and max(fa, fc) < UNKNOWN:
        left, right = (fb - fa) / (b - a), (fc - fb) / (c - b)
        if right > left:
            x = 0.5 * (a + b) - left * 0.5 * (c - a) / (right - left)
            if a < x and x < c and abs(x - b) > 1e-3 * (c - a):
                return x
    if b - a > c - b:
        return b - PART * (b - a)
    return b + PART * (c - b)


@kernel
def is_above(a, fa, b, fb, c, fc):
    """Whether a convex guard is positive from a to c, with b between them."""
    if not fa < UNKNOWN:
        return False
    left, right = (fb - fa) / (b - a), 0.0
    if fc < UNKNOWN:
        right = (fc - fb) / (c - b)
    return fb + left * (c - b) > 0.0 and fb - right * (b - a) > 0.0


@kernel
def beside(a, b, c):
    """A place beside b where it is an end of the bracket."""
    return b + BESIDE * (c - b) - BESIDE * (b - a)
