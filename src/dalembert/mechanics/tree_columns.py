"""Velocities of bodies by single joint velocities, along recorded states of a tree."""

from dalembert._jit import kernel
from dalembert.mechanics.tree_kinematics import move
from dalembert.numerics.spatial import put_motion
from dalembert.numerics.vector import Vec3
from dalembert.system.tree_layout import Tree


@kernel
def carried_columns(integers, numbers, room, q, v, carried, out):
    """Columns of S at the centre of mass of the body `carried` by each joint velocity.

    Six entries a velocity, for every row of (q, v). Between the hinges of a compound joint and its
    body are further links: the column is moved along their arms.
    """
    tree = Tree(integers, room)
    for s in range(q.shape[0]):
        move(integers, numbers, room, q[s], v[s])
        for k in range(tree.head.nv):
            i, own, arm = tree.link_of(carried[k]), tree.dof(k).link, Vec3.zero()
            while i > own:
                link = tree.link(i)
                arm, i = arm + link.arm, link.parent
            put_motion(out[s], 6 * k, tree.dof(k).S.at(arm))
