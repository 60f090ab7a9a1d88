"""Everything that touches: place the shapes, find candidate pairs, look at each.

    count = collide(scene, records, h, contacts)

See `layout` for the scene. The contacts are in order of the pairs, and do not depend on what is
kept between calls.
"""

from dalembert._jit import kernel
from dalembert.collision.bounds_tree import tree_pairs
from dalembert.collision.grid import grid_pairs
from dalembert.collision.layout import (
    BROAD_GRID,
    BROAD_TREE,
    OVERFLOW,
    PLANE,
    UNPLACED,
    Scene,
)
from dalembert.collision.pair_list import HALF, LOWER, add_pair, sort_pairs
from dalembert.collision.placing import margin_of, place_shapes, plane_near
from dalembert.collision.sweep import sweep
from dalembert.collision.swept import touch_pair


@kernel
def find_pairs(scene: Scene):
    """Candidate pairs, sorted; how many, or OVERFLOW."""
    scene.pairs = 0
    endless, bounded = scene.unbounded, scene.bounded
    for k in range(len(endless)):
        is_plane = scene.shape(endless[k]).kind == PLANE
        for j in range(len(bounded)):
            if not is_plane or plane_near(scene, endless[k], bounded[j]):
                add_pair(scene, endless[k], bounded[j])
    if scene.broad_choice == BROAD_TREE:
        tree_pairs(scene)
    elif scene.broad_choice == BROAD_GRID:
        grid_pairs(scene)
    else:
        sweep(scene)
    scene.needed_pairs = scene.pairs
    if scene.pairs > scene.pair_capacity:
        return OVERFLOW
    sort_pairs(scene)
    return scene.pairs


@kernel
def collide(scene: Scene, records, h, contacts):
    """Contacts of all pairs; how many, OVERFLOW, or UNPLACED."""
    scene.step_length, scene.horizon = h, scene.margin_speed * h
    scene.needed_contacts = 0
    if not place_shapes(scene, records):
        return UNPLACED
    pairs = find_pairs(scene)
    if pairs < 0:
        return OVERFLOW
    count = 0
    for k in range(pairs):
        code = scene.pair_list[k]
        a, b = code >> HALF, code & LOWER
        if scene.shape(a).kind > scene.shape(b).kind:
            a, b = b, a
        count = touch_pair(scene, a, b, margin_of(scene, a, b), contacts, count)
    scene.needed_contacts = count
    return count if count <= len(contacts) else OVERFLOW


@kernel
def repeat_collide(scene: Scene, times, records, h, contacts):
    """Call `collide` many times over, for measurements."""
    count = 0
    for _ in range(times):
        count = collide(scene, records, h, contacts)
    return count
