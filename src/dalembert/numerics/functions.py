"""Sine, cosine and exponential by arithmetic alone: the same in every life, accurate to 2 ulp.

Batches compute them for several worlds at a time, where no library can be called. The argument is
brought near zero by a multiple of pi/2 or log 2 that stands in three parts, the first ones short
enough that their products with the multiple have no rounding (Cody & Waite 1980, chapters 6 and 8);
then come polynomials and a quotient with the coefficients of FreeBSD's msun.

    x = k pi/2 + r,  |r| <= pi/4:    sin x = (sin r, cos r, -sin r, -cos r)[k mod 4]
    x = n log 2 + r, |r| <= log 2 / 2:    exp x = 2^n exp r
"""

from dalembert import _traceable as math
from dalembert._jit import kernel

LARGEST_ANGLE = 1.6e6
"""Angle up to which sine and cosine have their digits: the multiple has 20 bits  [rad]."""

OVER_HALF_PI = 0.63661977236758138243
HALF_PI_1, HALF_PI_2, HALF_PI_3 = (
    1.57079632673412561417e00,
    6.07710050630396597660e-11,
    2.02226624879595063154e-21,
)
"""pi/2 in three parts, two of 33 bits."""

OVER_LOG_2 = 1.44269504088896338700
LOG_2_1, LOG_2_2 = 6.93147180369123816490e-01, 1.90821492927058770002e-10


@kernel
def sine_near_zero(r):
    """Sin r for |r| <= pi/4."""
    z = r * r
    p = 8.33333333332248946124e-03 + z * (
        -1.98412698298579493134e-04
        + z
        * (
            2.75573137070700676789e-06
            + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)
        )
    )
    return r + r * z * (-1.66666666666666324348e-01 + z * p)


@kernel
def cosine_near_zero(r):
    """Cos r for |r| <= pi/4; the half of r^2 is taken off with what its difference loses."""
    z = r * r
    p = z * (
        4.16666666666666019037e-02
        + z
        * (
            -1.38888888888741095749e-03
            + z
            * (
                2.48015872894767294178e-05
                + z
                * (
                    -2.75573143513906633035e-07
                    + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)
                )
            )
        )
    )
    half = 0.5 * z
    w = 1.0 - half
    return w + (((1.0 - w) - half) + z * p)


@kernel
def sine_and_cosine(x):
    """Sin x and cos x, up to `LARGEST_ANGLE`."""
    k = math.rint(x * OVER_HALF_PI)
    near, part = x - k * HALF_PI_1, k * HALF_PI_2
    first = near - part
    rest = k * HALF_PI_3 - ((near - first) - part)
    r = first - rest
    lost = (first - r) - rest
    m = k - 4.0 * math.rint(0.25 * k)  # -2, -1, 0, 1 or 2
    s, c, square = sine_near_zero(r) + lost, cosine_near_zero(r) - r * lost, m * m
    sine = math.chosen(square < 0.5, s, math.chosen(square > 1.5, -s, m * c))
    cosine = math.chosen(square < 0.5, c, math.chosen(square > 1.5, -c, -(m * s)))
    return sine, cosine


@kernel
def exponential(x):
    """Exp x; infinity and zero beyond what numbers hold."""
    near = math.min(math.max(x, -745.2), 709.79)
    n = math.chosen(near > -746.0, math.rint(near * OVER_LOG_2), 0.0)  # NaN has no multiple
    high, low = near - n * LOG_2_1, n * LOG_2_2
    r = high - low
    t = r * r
    c = r - t * (
        1.66666666666666019037e-01
        + t
        * (
            -2.77777777770155933842e-03
            + t
            * (
                6.61375632143793436117e-05
                + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08)
            )
        )
    )
    y = 1.0 - ((low - (r * c) / (2.0 - c)) - high)
    # 2^n in two factors: beyond the exponents of numbers there are still small ones
    half = math.rint(0.5 * n)
    y = (y * math.two_to(half)) * math.two_to(n - half)
    return math.chosen(x > 709.79, y * 1e300, math.chosen(x < -745.2, 0.0, y))
