"""Sine, cosine, exponential, logarithm, tanh and angles by arithmetic alone, accurate to 2 ulp.

Batches compute them for several worlds at a time, where no library can be called. The argument is
brought near zero by a multiple of pi/2 or log 2 that stands in three parts, the first ones short
enough that their products with the multiple have no rounding (Cody & Waite 1980, chapters 6 and 8);
then come polynomials and a quotient with the coefficients of FreeBSD's msun.

    x = k pi/2 + r,  |r| <= pi/4:    sin x = (sin r, cos r, -sin r, -cos r)[k mod 4]
    x = n log 2 + r, |r| <= log 2 / 2:    exp x = 2^n exp r
    x = 2^k f, sqrt(1/2) < f < sqrt(2):    log x = k log 2 + log f

Quotients of tanh and the arc tangent are those of Moshier's Cephes (1989).
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


@kernel
def logarithm(x):
    """Log x; -infinity at zero, NaN below."""
    small = x < 2.2250738585072014e-308
    f, k = math.chosen(small, x * 18014398509481984.0, x), math.chosen(small, -54.0, 0.0)
    e = 512.0
    for _ in range(10):  # f between 1 and 2, by powers of two
        up, down = math.two_to(e), math.two_to(-e)
        large, little = f >= up, f < 2.0 * down
        f, k = (
            math.chosen(large, f * down, math.chosen(little, f * up, f)),
            math.chosen(large, k + e, math.chosen(little, k - e, k)),
        )
        e *= 0.5
    above, below = f > 1.4142135623730951, f < 0.7071067811865476
    k = math.chosen(above, k + 1.0, math.chosen(below, k - 1.0, k))
    g = math.chosen(above, 0.5 * f, math.chosen(below, 2.0 * f, f)) - 1.0
    s = g / (2.0 + g)
    z = s * s
    R = z * (
        6.666666666666735130e-01
        + z
        * (
            3.999999999940941908e-01
            + z
            * (
                2.857142874366239149e-01
                + z
                * (
                    2.222219843214978396e-01
                    + z
                    * (
                        1.818357216161805012e-01
                        + z * (1.531383769920937332e-01 + z * 1.479819860511658591e-01)
                    )
                )
            )
        )
    )
    half = 0.5 * g * g
    y = k * LOG_2_1 - ((half - (s * (half + R) + k * LOG_2_2)) - g)
    y = math.chosen(x > 1.7976931348623157e308, x, y)
    beyond = -1.7e308 * (2.0 + abs(x))  # minus infinity, by no division
    none = beyond + math.max(-beyond, 1.0)
    return math.chosen(x > 0.0, y, math.chosen(abs(x) > 0.0, none, beyond))


@kernel
def hyperbolic_tangent(x):
    """Tanh x."""
    size, z = abs(x), x * x
    P = (-9.64399179425052238628e-1 * z - 9.92877231001918586564e1) * z - 1.61468768441708447952e3
    Q = (
        (z + 1.12811678491632931402e2) * z + 2.23548839060100448583e3
    ) * z + 4.84406305325125486048e3
    near = x + x * (z * (P / Q))
    far = 1.0 - 2.0 / (exponential(2.0 * math.min(size, 30.0)) + 1.0)
    return math.chosen(size < 0.625, near, math.chosen(x < 0.0, -far, math.chosen(x > 0, far, x)))


QUARTER_PI_1, QUARTER_PI_2 = 0.5 * HALF_PI_1, 0.5 * (HALF_PI_2 + HALF_PI_3)


@kernel
def angle_of(y, x):
    """Angle of the point (x, y), from -pi to pi; 0 at the origin. A zero has no sign."""
    across, up = abs(x), abs(y)
    n, d = math.min(across, up), math.max(across, up)
    d = math.chosen(d > 0.0, d, 1.0)
    near = n > 0.66 * d
    # n - d is exact there
    t = math.chosen(near, math.chosen(n < d, (n - d) / (n + d), 0.0), n / d)
    z = t * t
    P = (
        (
            (-8.750608600031904122785e-1 * z - 1.615753718733365076637e1) * z
            - 7.500855792314704667340e1
        )
        * z
        - 1.228866684490136173410e2
    ) * z - 6.485021904942025371773e1
    Q = (
        (
            ((z + 2.485846490142306297962e1) * z + 1.650270098316988542046e2) * z
            + 4.328810604912902668951e2
        )
        * z
        + 4.853903996359136964868e2
    ) * z + 1.945506571482613964425e2
    part = t + t * (z * (P / Q))
    # the angle is m pi/4 + way part
    m = math.chosen(near, 1.0, 0.0)
    steep = up > across
    m, way = math.chosen(steep, 2.0 - m, m), math.chosen(steep, -1.0, 1.0)
    m, way = math.chosen(x < 0.0, 4.0 - m, m), math.chosen(x < 0.0, -way, way)
    angle = m * QUARTER_PI_1 + (way * part + m * QUARTER_PI_2)
    signed = math.chosen(y < 0.0, -angle, angle)
    return math.chosen(across + up >= 0.0, signed, across + up)  # NaN has none
