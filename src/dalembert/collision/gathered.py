"""Contacts gathered from many triangles: of those with one normal the four that carry most.

Where there are more than there is room for, those gathered so far are thinned in the same way.
"""

from dalembert._jit import kernel, subroutine
from dalembert.collision.layout import MOST_GATHERED, Scene, feature_key
from dalembert.collision.manifold import keep_four
from dalembert.collision.mesh_edges import ALMOST
from dalembert.numerics.vector import Vec3

SAME_NORMAL = 0.9998
"""Cosine of the angle (1 degree) up to which contacts are of one surface."""


@kernel
def gather(scene: Scene, found, x, gap, key, n, small):
    """Note a contact in the frame of A, whose size is `small`; how many there are."""
    if found >= MOST_GATHERED:
        found = _thinned(scene, found, small)
    if found >= MOST_GATHERED:
        return found
    contact = scene.gathered(found)
    contact.x, contact.gap, contact.key, contact.n = x, gap, float(key), n
    return found + 1


@kernel
def _outermost_first(group, count):
    """Exchange the first candidate with the one farthest from their middle.

    Of points equally deep the first is kept: it shall be a corner of the whole, not of a triangle.
    """
    middle = Vec3.zero()
    for k in range(count):
        middle = middle + group[k].x / count
    best, most = 0, -1.0
    for k in range(count):
        arm = group[k].x - middle
        if arm.dot(arm) > most * (1.0 + ALMOST):
            best, most = k, arm.dot(arm)
    group.swap(0, best)


@kernel
def _without_between(group, kept):
    """How many are left when of points on one line only the ends are kept."""
    if kept < 3:
        return kept
    a = group[0].x
    far, most = 1, -1.0
    for k in range(1, kept):
        e = group[k].x - a
        if e.dot(e) > most:
            far, most = k, e.dot(e)
    group.swap(1, far)
    e = group[1].x - a
    for k in range(2, kept):
        c = e % (group[k].x - a)
        if c.dot(c) > (ALMOST * most) * (ALMOST * most):
            return kept
    return 2


@kernel
def _is_known(group, kept, x, small):
    """Whether a point is among those of a group."""
    for j in range(kept):
        apart = x - group[j].x
        if apart.dot(apart) < (ALMOST * small) * (ALMOST * small):
            return True
    return False


@kernel
def _same_normal(scene: Scene, k, found, small):
    """Take contact k and all with its normal into the group; how many different ones there are.

    In the place of keys the group has numbers; -1 - key marks what was taken.
    """
    group, n, kept = scene.group, scene.gathered(k).n, 0
    for i in range(k, found):
        contact = scene.gathered(i)
        if contact.key < 0.0 or n.dot(contact.n) < SAME_NORMAL:
            continue
        if not _is_known(group, kept, contact.x, small):
            group[kept].put(contact.x, contact.gap, float(i))
            kept += 1
        contact.key = -1.0 - contact.key
    return kept


@kernel
def _four_of(scene: Scene, k, found, small):
    """Choose up to four among contact k and all with its normal; how many stand in the group."""
    group = scene.group
    kept = _same_normal(scene, k, found, small)
    _outermost_first(group, kept)
    return _without_between(group, keep_four(group, kept))


@subroutine
def _thinned(scene: Scene, found, small):
    """Keep four contacts of each normal, in the order they stand in; how many there are."""
    for k in range(found):
        if scene.gathered(k).key >= 0.0:
            for i in range(_four_of(scene, k, found, small)):
                contact = scene.gathered(int(scene.group[i].key))
                contact.key = -1.0 - contact.key
    kept = 0
    for k in range(found):
        contact = scene.gathered(k)
        if contact.key >= 0.0:
            scene.gathered(kept).take(contact)
            kept += 1
    return kept


@kernel
def put_gathered(scene: Scene, found, a, b, small, margin, contacts, count):
    """Write what was gathered as contacts: four of each normal."""
    shape, group = scene.shape(a), scene.group
    R, p = shape.R, shape.x
    for k in range(found):
        if scene.gathered(k).key < 0.0:
            continue
        kept = _four_of(scene, k, found, small)
        normal = R @ scene.gathered(k).n
        for i in range(kept):
            point = group[i]
            x, gap = (R @ point.x) + p, point.gap
            key = int(-1.0 - scene.gathered(int(point.key)).key)
            key = feature_key(40, key >> 24, key & ((1 << 24) - 1))
            count = contacts.add(count, a, b, key, gap, normal, x, margin)
    return count
