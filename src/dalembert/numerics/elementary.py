"""The functions of the mathematical library by arithmetic alone: the same bits on every machine.

For code that is to give the same numbers everywhere (`_translate.portable`): libraries of systems
and browsers round differently. Each is accurate to a few units of the last place.
Coefficients and ways are those of FreeBSD's msun where nothing else is said:

    log x = k log 2 + log(1 + f),  s = f / (2 + f):  log(1 + f) = 2 s + s R(s^2)
    arctan x = arctan c + arctan((x - c) / (1 + c x)),  c in 0, 1/2, 1, 3/2, infinity
    x^y = exp(y log x) with the logarithm in two parts (Dekker 1971)
"""

import math

from dalembert._jit import kernel
from dalembert._traceable import rint, two_to
from dalembert.numerics.functions import (
    LOG_2_1,
    LOG_2_2,
    exponential,
    hyperbolic_tangent,
    logarithm,
    sine_and_cosine,
)

__all__ = ["exponential", "hyperbolic_tangent", "logarithm", "sine_and_cosine"]
"""Functions of `numerics.functions` under the names that programs ask for."""

PI, PI_REST = 3.1415926535897931160e00, 1.2246467991473531772e-16
"""pi in two parts."""

INFINITY = float("inf")
SPLIT = 134217729.0
"""2^27 + 1, by which a number falls into halves of 26 bits."""


@kernel
def sine(x):
    """Sin x."""
    s, _ = sine_and_cosine(x)
    return s


@kernel
def cosine(x):
    """Cos x."""
    _, c = sine_and_cosine(x)
    return c


@kernel
def tangent(x):
    """Tan x."""
    s, c = sine_and_cosine(x)
    return s / c


@kernel
def scaled(x):
    """Exponent k and m with x = 2^k m, m from sqrt(1/2) to sqrt(2), of a positive number."""
    k, m, part = 0, x, 512
    while part > 0:
        if m >= two_to(float(part)):
            m *= two_to(float(-part))
            k += part
        elif m < two_to(float(1 - part)):
            m *= two_to(float(part))
            k -= part
        part //= 2
    while m >= 1.4142135623730951:
        m *= 0.5
        k += 1
    while m < 0.7071067811865476:
        m *= 2.0
        k -= 1
    return k, m


@kernel
def log_rest(s):
    """R with log(1 + f) = 2 s + s R for s = f / (2 + f)."""
    z = s * s
    w = z * z
    odd = z * (
        6.666666666666735130e-01
        + w
        * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01))
    )
    even = w * (
        3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01)
    )
    return odd + even


@kernel
def arctangent(x):
    """Arctan x."""
    a = math.fabs(x)
    high, low, r = 0.0, 0.0, a
    if a >= 2.4375:
        high, low, r = 1.57079632679489655800e00, 6.12323399573676603587e-17, -1.0 / a
    elif a >= 1.1875:
        high, low = 9.82793723247329054082e-01, 1.39033110312309984516e-17
        r = (a - 1.5) / (1.0 + 1.5 * a)
    elif a >= 0.6875:
        high, low = 7.85398163397448278999e-01, 3.06161699786838301793e-17
        r = (a - 1.0) / (a + 1.0)
    elif a >= 0.4375:
        high, low = 4.63647609000806093515e-01, 2.26987774529616870924e-17
        r = (2.0 * a - 1.0) / (2.0 + a)
    z = r * r
    w = z * z
    odd = z * (
        3.33333333333329318027e-01
        + w
        * (
            1.42857142725034663711e-01
            + w
            * (
                9.09088713343650656196e-02
                + w
                * (
                    6.66107313738753120669e-02
                    + w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)
                )
            )
        )
    )
    even = w * (
        -1.99999999998764832476e-01
        + w
        * (
            -1.11111104054623557880e-01
            + w
            * (
                -7.69187620504482999495e-02
                + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02)
            )
        )
    )
    found = high - ((r * (odd + even) - low) - r)
    return -found if x < 0.0 else (found if x > 0.0 else x)


@kernel
def arctangent_of(y, x):
    """The angle of the point (x, y), from -pi to pi; of an axis as the signs of zeros say."""
    if x != x or y != y:
        return x + y
    right = math.copysign(1.0, x) > 0.0
    if y == 0.0:
        return y if right else math.copysign(PI, y)
    if x == 0.0:
        return math.copysign(0.5 * PI, y)
    a = arctangent(math.fabs(y / x))
    if not right:
        a = PI - (a - PI_REST)
    return math.copysign(a, y)


@kernel
def arcsine(x):
    """Arcsin x; NaN beyond 1."""
    return arctangent_of(x, math.sqrt((1.0 - x) * (1.0 + x)))


@kernel
def arccosine(x):
    """Arccos x; NaN beyond 1."""
    return arctangent_of(math.sqrt((1.0 - x) * (1.0 + x)), x)


@kernel
def hypotenuse(x, y):
    """The square root of x^2 + y^2, without overflow."""
    a, b = math.fabs(x), math.fabs(y)
    if a < b:
        a, b = b, a
    if b == 0.0 or a == INFINITY:
        return a + b
    ratio = b / a
    return a * math.sqrt(1.0 + ratio * ratio)


@kernel
def hyperbolic_sine(x):
    """Sinh x; its series near zero."""
    a = math.fabs(x)
    if a < 1.0:
        z, part = x * x, 1.0
        for i in range(10):
            k = 10 - i
            part = 1.0 + part * z / (2 * k * (2 * k + 1))
        return x * part
    half = exponential(0.5 * a)
    found = 0.5 * half * half if a > 40.0 else 0.5 * (half * half - 1.0 / (half * half))
    return math.copysign(found, x)


@kernel
def hyperbolic_cosine(x):
    """Cosh x."""
    half = exponential(0.5 * math.fabs(x))
    square = half * half
    return 0.5 * (square + 1.0 / square) if square < 1e20 else 0.5 * half * half


@kernel
def product_in_two(a, b):
    """A product, and what its rounding lost (Dekker 1971)."""
    c = SPLIT * a
    a_high = c - (c - a)
    c = SPLIT * b
    b_high = c - (c - b)
    a_low, b_low = a - a_high, b - b_high
    p = a * b
    return p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low


@kernel
def power(x, y):
    """x to the power of y; NaN where x < 0 and y is not whole."""
    if y == 0.0 or x == 1.0:
        return 1.0
    if x != x or y != y:
        return x + y
    a, sign = math.fabs(x), 1.0
    whole = rint(y) == y
    if math.copysign(1.0, x) < 0.0 and whole and rint(0.5 * y) != 0.5 * y:
        sign = -1.0
    if x < 0.0 and not whole:
        return INFINITY - INFINITY
    if a == 0.0 or a == INFINITY:
        return sign * (INFINITY if (a == 0.0) == (y < 0.0) else 0.0)
    if math.fabs(y) > 1e19:
        return 1.0 if a == 1.0 else (INFINITY if (a > 1.0) == (y > 0.0) else 0.0)
    return sign * power_of_positive(a, y)


@kernel
def power_of_positive(a, y):
    """a^y = exp(y log a), the logarithm in two parts."""
    k, m = scaled(a)
    f, u = m - 1.0, m + 1.0
    s = f / u
    p, lost = product_in_two(s, u)
    s_rest = (((f - p) - lost) - s * (m - (u - 1.0))) / u
    first, second = k * LOG_2_1, 2.0 * s
    high = first + second
    back = high - first
    low = (first - (high - back)) + (second - back)
    low = low + (2.0 * s_rest + (s * log_rest(s) + k * LOG_2_2))
    total = high + low
    low = low - (total - high)
    p, lost = product_in_two(y, total)
    if math.fabs(p) > 800.0:
        return exponential(p)
    e = exponential(p)
    return e if e == INFINITY else e + e * (lost + y * low)
