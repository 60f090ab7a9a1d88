"""Solids given by a formula f(x, y, z), negative inside: contacts, distances and rays.

Nothing is known of f but its value and slope. Where it is near zero,

    y <- y - f(y) g / |g|^2,   g = grad f

is Newton's method for a point of the surface; moving y along the surface towards x as well makes
it the point nearest to x. So a ball touches where its middle is nearest. Of other convex
shapes the point where f is least is found by the method of Frank and Wolfe (1956), which needs no
more of a shape than its support; it is one contact, and the corners of the feature that looks
at the surface there, if they are near, are the others. Each has its own normal.

A point farther from the middle than the box about the solid is outside; f is not asked there.
"""

from __future__ import annotations

import math
import weakref
from typing import Any

from dalembert._jit import apart, kernel
from dalembert._records import value
from dalembert._signature import Signature
from dalembert.collision.convex import reach
from dalembert.collision.features import feature_of
from dalembert.collision.gathered import gather, put_gathered
from dalembert.collision.layout import BOX, Scene
from dalembert.collision.support import A, core_support, is_round, load_core, place_pair
from dalembert.formulas import Expression, substitute
from dalembert.formulas.derivative import jacobian
from dalembert.formulas.expression import load
from dalembert.model.shapes.surfaces import PLACE
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3, put_vec3, vec3
from dalembert.system.straight import Straight

FIELD = Signature("field", "place value", {})
"""f and its slope (4 numbers) at a place."""

STEPS = 40
NEAREST_STEPS = 30
SECTIONS = 24

_codes: weakref.WeakKeyDictionary[Expression, Straight] = weakref.WeakKeyDictionary()
"""Compiled formulas. Arrays hold their addresses: whoever has the arrays keeps shape or code."""


def compiled_field(formula: Expression) -> Straight:
    """The code of a formula of x, y, z."""
    found = _codes.get(formula)
    if found is None:
        places = list(PLACE.values())
        slopes = jacobian([formula], places)
        own = {x: load("place", k) for k, x in enumerate(places)}
        written: Any = substitute([formula, *_row(slopes)], own)
        stores = [("value", k, x) for k, x in enumerate(written)]
        found = _codes.setdefault(formula, Straight(FIELD, stores))  # the first one stays
    return found


def _row(slopes: Any) -> list[Expression]:
    """The derivatives by x, y, z."""
    return list(slopes[0])


@value
class Field:
    """The formula of a shape; `extent`: all of its surface is within so far of its middle."""

    scene: Scene
    code: int  # address
    extent: float

    def at(self, x):
        """f and its slope at a place, in the frame of the field."""
        scene = self.scene
        place, found = scene.field_place, scene.field_value
        put_vec3(place, 0, x)
        FIELD.call(self.code, scene.work, scene.sizes, place, found)
        return found[0], vec3(found, 1)


@kernel
def field_of(scene: Scene, number):
    """The field of a shape."""
    shape = scene.shape(number)
    return Field(scene, shape.code, shape.bounding_radius)


@value
class Turned:
    """A field in the frame of another thing, which it is turned and moved against by R and p."""

    field: Field
    R: Mat3
    p: Vec3

    def own(self, x):
        """A point in the frame of the field."""
        return self.R.transposed_times(x - self.p)

    def at(self, x):
        """f and its slope at a point of the other frame, in that frame."""
        f, g = self.field.at(self.own(x))
        return f, self.R @ g


@kernel
def _nearer(x, y, far):
    """y, or the point on the way to it from x that is so far away."""
    e = y - x
    length = math.sqrt(e.dot(e))
    return y if length <= far else (far / length) * e + x


@kernel
def on_surface(field, x, size):
    """Signed distance of x from the surface, and the normal there, outwards.

    Newton's method for the nearest point; the last estimate where it does not come to rest. Where
    the slope vanishes, as in the middle of x^4 + y^4 + z^4 - 1, steps are not longer than the
    extent of the field allows.
    """
    f, g = field.at(x)
    gg = g.dot(g)
    far = field.extent + math.sqrt(x.dot(x))
    sign = 1.0 if f >= 0.0 else -1.0
    if not gg > 0.0:
        return sign * min(abs(f), far), Vec3(0.0, 0.0, 1.0)
    n = (1.0 / math.sqrt(gg)) * g
    gap = sign * min(abs(f) / math.sqrt(gg), far)
    y = _nearer(x, -gap * n + x, far)
    for _ in range(NEAREST_STEPS):
        f, g = field.at(y)
        gg = g.dot(g)
        if not gg > 0.0:
            return gap, n
        # to the surface, and along it to where x stands straight above
        to_x = x - y
        aside = (-to_x.dot(g) / gg) * g + to_x
        step = (-f / gg) * g + 0.5 * aside
        y = _nearer(x, y + step, far)
        n = (1.0 / math.sqrt(gg)) * g
        arm = x - y
        gap = sign * math.sqrt(arm.dot(arm))
        if step.dot(step) <= (1e-13 * size) * (1e-13 * size):
            break
    return gap, n


# -- where f is least ------------------------------------------------------------------------------


@kernel
def least_between(field, x, y):
    """Share of the way from x to y where f is least, by golden sections."""
    a, b = 0.0, 1.0
    ratio = 0.6180339887498949
    e = y - x
    s, t = 1.0 - ratio, ratio
    at_s, at_t = field.at(s * e + x)[0], field.at(t * e + x)[0]
    for _ in range(SECTIONS):
        if at_s < at_t:
            b, t, at_t = t, s, at_s
            s = b - ratio * (b - a)
            at_s = field.at(s * e + x)[0]
        else:
            a, s, at_s = s, t, at_t
            t = a + ratio * (b - a)
            at_t = field.at(t * e + x)[0]
    end = field.at(y)[0]
    least = min(at_s, at_t)
    if end <= least:
        return 1.0
    return s if at_s < at_t else t


@kernel
def deepest(scene: Scene, turned, small):
    """Point of the core of A where f is least, in the frame of A."""
    field, R = turned.field, turned.R
    g = field.at(turned.own(Vec3.zero()))[1]
    x = core_support(scene, A, R @ -g)[0]
    for _ in range(STEPS):
        own = turned.own(x)
        g = field.at(own)[1]
        way = R @ g
        y = core_support(scene, A, -way)[0]
        # how much lower f could be, were it linear
        if way.dot(x - y) <= 1e-12 * small * math.sqrt(g.dot(g)):
            break
        step = least_between(field, own, turned.own(y)) * (y - x)
        x = x + step
        if step.dot(step) <= (1e-9 * small) * (1e-9 * small):
            break
    return x


@kernel
def _within(x, s):
    """The point of a box nearest to x."""
    return Vec3(
        min(max(x.x, -s.x), s.x),
        min(max(x.y, -s.y), s.y),
        min(max(x.z, -s.z), s.z),
    )


@kernel
def slide_in_box(turned, x, s, small):
    """The lowest point of f in a box near x, by projected gradients.

    The method of Frank and Wolfe is slow where a face is touched in its midst; here steps have the
    length that the change of the slope asks for (Barzilai, Borwein 1988).
    """
    f, g = turned.field.at(turned.own(x))
    way = turned.R @ g
    best, least = x, f
    length = 0.1 * small / max(math.sqrt(g.dot(g)), 1e-300)
    for _ in range(STEPS):
        y = _within(-length * way + x, s)
        step = y - x
        if step.dot(step) <= (1e-12 * small) * (1e-12 * small):
            break
        f, there = turned.at(y)
        bend = step.dot(there - way)
        # where f bends down or not at all, farther than before
        length = step.dot(step) / bend if bend > 0.0 else 4.0 * length
        x, way = y, there
        if f < least:
            best, least = y, f
    return best


@kernel
def _lowest(scene: Scene, turned, small):
    """Where f is least in the core of A, by the method that suits it."""
    x, core = deepest(scene, turned, small), scene.core_a
    return slide_in_box(turned, x, core.size, small) if core.kind == BOX else x


# -- contacts, distances, rays ---------------------------------------------------------------------


@kernel
def _touch_at(scene: Scene, turned, x, key, margin, small, found):
    """Contact of one point of the core of A, if it is near; how many were gathered."""
    own, radius = turned.own(x), scene.core_a.radius
    f, g = turned.field.at(own)
    slope = math.sqrt(g.dot(g))
    # far away by the slope: no need to look closer
    if f > 2.0 * slope * (margin + radius):
        return found
    gap, n = on_surface(turned.field, own, small)
    if gap - radius > margin:
        return found
    out = turned.R @ n
    middle = -0.5 * (gap + radius) * out + x
    return gather(scene, found, middle, gap - radius, key, -out, small)


@kernel
def _begin(scene: Scene, a, b):
    """Write the pair of a convex shape and a field; the field in the frame of the shape."""
    load_core(scene, a, scene.core_a)
    place_pair(scene, a, b)
    return Turned(field_of(scene, b), scene.pair.R, scene.pair.p)


@apart(int)
def convex_field(scene: Scene, a, b, margin, contacts, count):
    """Contacts of a convex shape with a solid given by a formula."""
    turned, small = _begin(scene, a, b), reach(scene, a)
    x = _lowest(scene, turned, small)
    found = _touch_at(scene, turned, x, 0, margin, small, 0)
    if found > 0 and not is_round(scene.core_a):
        g, corners = turned.field.at(turned.own(x))[1], scene.feature_a
        down = turned.R @ -g
        total = feature_of(scene, A, Mat3.unit(), Vec3.zero(), down, corners)[0]
        if total > 1:
            for k in range(total):
                y, key = corners[k].x, 1 + int(corners[k].code)
                found = _touch_at(scene, turned, y, key, margin, small, found)
    return put_gathered(scene, found, a, b, small, margin, contacts, count)


@kernel
def field_distance(scene: Scene, a, b):
    """Convex shape and field: gap, normal from A, point midway, in the frame of A."""
    turned, small = _begin(scene, a, b), reach(scene, a)
    x, radius = _lowest(scene, turned, small), scene.core_a.radius
    gap, n = on_surface(turned.field, turned.own(x), small)
    out = turned.R @ n
    return gap - radius, -out, -0.5 * (gap + radius) * out + x


@kernel
def field_ray(field, o, d, near, far):
    """Where f changes sign along a ray between near and far; infinite where it does not.

    Steps of f / |g|, which do not pass the surface of a true distance, and at most a 100th of
    the way; then halving.
    """
    most = 0.01 * (far - near)
    t = near
    f, g = field.at(t * d + o)
    inside = f <= 0.0
    while t < far:
        slope = math.sqrt(g.dot(g))
        step = most
        if slope > 0.0:
            step = min(most, max(abs(f) / slope, 1e-3 * most))
        before, t = t, min(t + step, far)
        f, g = field.at(t * d + o)
        if (f <= 0.0) != inside:
            low, high = before, t
            for _ in range(60):
                middle = 0.5 * (low + high)
                f, g = field.at(middle * d + o)
                if (f <= 0.0) != inside:
                    high = middle
                else:
                    low = middle
            f, g = field.at(high * d + o)
            slope = math.sqrt(g.dot(g))
            return high, ((1.0 / slope) * g if slope > 0.0 else d)
    return math.inf, d
