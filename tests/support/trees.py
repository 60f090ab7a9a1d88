"""Trees of bodies by chance, with every kind of joint, for whoever tests or compares them."""

from __future__ import annotations

import numpy as np

import dalembert as dl

KINDS = (
    dl.Revolute,
    dl.Spherical,
    dl.Prismatic,
    dl.Universal,
    dl.Screw,
    dl.Planar,
    dl.Fixed,
    dl.Cylindrical,
    dl.Compound,
    None,
)
"""None: no joint, so that the body is free."""

PITCH = 0.7


def inertia(generator):
    """Of a body with its centre of mass away from its frame and no axis along a principal one."""
    spread = generator.normal(size=(3, 3))
    covariance = 0.1 * (spread @ spread.T) + 0.05 * np.eye(3)
    matrix = np.trace(covariance) * np.eye(3) - covariance
    center = tuple(0.2 * generator.normal(size=3))
    return dl.Inertia(generator.uniform(0.5, 2.0), matrix, center=center)


def quaternion(generator):
    p = generator.normal(size=4)
    return p / np.linalg.norm(p)


def frame(body, generator):
    """Anywhere on the body, turned anyhow."""
    x, y, z = 0.4 * generator.normal(size=3)
    return body.at(x, y, z, rotation=quaternion(generator))


def compound(generator):
    """Two slides and two hinges, three hinges at right angles or not, or two that do not meet."""
    a, b, c = (tuple(x) for x in generator.normal(size=(3, 3)))
    choices = (
        {"slides": [a, b], "hinges": [b, c]},
        {"hinges": ["x", "z", "y"]},
        {"hinges": ["x", "z"], "apart": (0.0, 0.3, 0.0)},
        {"hinges": [a]},
    )
    return choices[generator.integers(len(choices))]


def joint(kind, first, second, name, generator):
    """A joint of any kind with axes by chance."""
    options = {"pitch": PITCH} if kind is dl.Screw else {}
    if kind is dl.Compound:
        options = compound(generator)
    elif kind not in (dl.Spherical, dl.Universal, dl.Fixed):
        options["axis"] = tuple(generator.normal(size=3))
    return kind(first, second, name=name, **options)


def random_tree(seed, count=10, kinds=KINDS, *, turned=True):
    """A tree of bodies; half of the joints have their first frame on the child if `turned`."""
    generator = np.random.default_rng(seed)
    model = dl.Model(f"tree {seed}", gravity=(0.3, -0.2, -9.81))
    bodies = []
    for i in range(count):
        body = model.add_body(f"body{i}", inertia(generator))
        kind = kinds[(i + seed) % len(kinds)]
        if kind is not None:
            parent = model.world if i == 0 else bodies[generator.integers(0, i)]
            ends = [frame(parent, generator), frame(body, generator)]
            if turned and generator.random() < 0.5:
                ends.reverse()
            model.add_joint(joint(kind, *ends, f"joint{i}", generator))
        bodies.append(body)
    return model


def state(tree, seed):
    """q, v, tau of a tree by chance."""
    generator = np.random.default_rng(seed)
    return tree.random(seed), generator.normal(size=tree.nv), generator.normal(size=tree.nv)
