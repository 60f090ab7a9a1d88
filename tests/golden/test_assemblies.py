"""All assemblies of planar linkages, proven by counting roots, against other ways to find them."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert.analysis.kinematics.bilinear_roots import bilinear_roots
from dalembert.errors import AssemblyError

PLACES = {"O": 0j, "A": 0.1 + 0.4j, "B": 1.1 + 0.9j, "C": 1.5 + 0j}


def linkage(places, links):
    """A planar linkage: places of pins, and which pins each link has; "world" is the ground."""
    model = dl.Model("linkage", gravity=(0, 0, 0))
    middle = {"world": 0j}
    for name, own in links.items():
        if name != "world":
            z = middle[name] = sum(places[x] for x in own) / len(own)
            plate = dl.Inertia.box(1.0, size=(0.3, 0.3, 0.1))
            model.add_body(name, plate, position=(z.real, z.imag, 0))

    def at(name, place):
        z = place - middle[name]
        return model.bodies.get(name, model.world).at(x=z.real, y=z.imag)

    for x, place in places.items():
        first, *rest = [name for name in links if x in links[name]]
        for other in rest:
            ends = at(first, place), at(other, place)
            model.add_joint(dl.Revolute(*ends, axis="z", name=f"{x} {other}"))
    return model


def meet(p, r, q, s):
    """Where two circles meet."""
    d = q - p
    along = (abs(d) ** 2 + r**2 - s**2) / (2 * abs(d))
    up = r**2 - along**2
    if up < 0:
        return []
    return [p + d / abs(d) * (along + side * 1j * np.sqrt(up)) for side in (1, -1)]


def stephenson():
    places = {**PLACES, "D": 0.6 + 1.3j, "E": 2.0 + 1.5j, "F": 2.4 + 0.3j}
    links = {
        "world": "OCF",
        "crank": "OA",
        "coupler": "ABD",
        "rocker": "CB",
        "link": "DE",
        "arm": "EF",
    }
    return linkage(places, links), places


def watt():
    places = {**PLACES, "D": 1.9 + 0.6j, "E": 2.6 + 0.9j, "F": 2.8 + 0j}
    links = {
        "world": "OCF",
        "crank": "OA",
        "coupler": "AB",
        "rocker": "CBD",
        "link": "DE",
        "arm": "EF",
    }
    return linkage(places, links), places


def place_of(one, body, local):
    frame = one.model.bodies[body].at(x=local.real, y=local.imag)
    x, y = (one[c] for c in frame.position[:2])
    return complex(x, y)


@pytest.mark.parametrize("turn", [-1.5, -0.6, 0.0, 0.4, 1.3, 2.9])
def test_watt_is_two_dyads(turn):
    """Six roots, two always at infinity; real ones are meetings of circles."""
    model, p = watt()
    try:
        found = dl.assemblies(model, {"O crank": turn})
    except AssemblyError:
        found = None
    A = p["A"] * np.exp(1j * turn)
    places = []
    for B in meet(A, abs(p["B"] - p["A"]), p["C"], abs(p["B"] - p["C"])):
        D = p["C"] + (B - p["C"]) * (p["D"] - p["C"]) / (p["B"] - p["C"])
        places += meet(D, abs(p["E"] - p["D"]), p["F"], abs(p["E"] - p["F"]))
    if found is None:
        assert not places
        return
    assert found.complete
    assert found.proof.startswith("6 roots")
    assert "2 at infinity" in found.proof
    local = p["E"] - (p["E"] + p["F"]) / 2
    ends = sorted((place_of(one, "arm", local) for one in found), key=lambda z: (z.real, z.imag))
    places.sort(key=lambda z: (z.real, z.imag))
    assert np.abs(np.array(ends) - np.array(places)).max() <= 1e-9


@pytest.mark.parametrize("turn", [-1.2, -0.4, 0.0, 0.35, 0.8])
def test_stephenson_driven_by_its_arm(turn):
    """No dyads: crossings of a gap, scanned over the crank, are as many as the real roots."""
    model, p = stephenson()
    E = p["F"] + (p["E"] - p["F"]) * np.exp(1j * turn)

    angles, real = np.linspace(-np.pi, np.pi, 20000), 0  # none of them is that of the start
    A = p["A"] * np.exp(1j * angles)
    d, r, s = p["C"] - A, abs(p["B"] - p["A"]), abs(p["B"] - p["C"])
    along = (np.abs(d) ** 2 + r**2 - s**2) / (2 * np.abs(d))
    for side in (1, -1):
        with np.errstate(invalid="ignore"):
            B = A + d / np.abs(d) * (along + side * 1j * np.sqrt(r**2 - along**2))
        D = A + (B - A) * (p["D"] - p["A"]) / (p["B"] - p["A"])
        g = np.abs(D - E) - abs(p["D"] - p["E"])
        real += int(np.sum(g[:-1] * g[1:] < 0))
    if not real:
        with pytest.raises(AssemblyError):
            dl.assemblies(model, {"F arm": turn})
        return
    found = dl.assemblies(model, {"F arm": turn})
    assert found.complete
    assert found.proof.startswith(f"6 roots, {real} of them real")
    assert len(found) == real


def test_five_bar_and_four_bar_have_two():
    places = {**PLACES, "D": 1.7 + 0.5j}
    links = {"world": "OC", "one": "OA", "left": "AB", "right": "BD", "two": "DC"}
    found = dl.assemblies(linkage(places, links), {"O one": 0.2, "C two": -0.3})
    assert (found.complete, len(found)) == (True, 2)
    links = {"world": "OC", "crank": "OA", "coupler": "AB", "rocker": "BC"}
    found = dl.assemblies(linkage(PLACES, links), ["O crank"])
    assert (found.complete, len(found)) == (True, 2)
    assert str(found) == "2 assemblies, all of them: 2 roots, 2 of them real"


def test_a_platform_on_three_legs():
    """3-RRR with its inputs given: six roots, real ones as a scan of one leg finds them."""
    ground, ends, knees = (0j, 3 + 0j, 1.2 + 2.6j), (1 + 0.8j, 1.9 + 0.7j, 1.5 + 1.5j), []
    places = {f"G{i}": z for i, z in enumerate(ground)}
    links = {"world": list(places), "platform": []}
    for i, (a, b) in enumerate(zip(ground, ends, strict=True)):
        knees.append((a + b) / 2 + 0.45j * (b - a))
        places |= {f"K{i}": knees[i], f"P{i}": b}
        links |= {f"low{i}": [f"G{i}", f"K{i}"], f"up{i}": [f"K{i}", f"P{i}"]}
        links["platform"].append(f"P{i}")
    found = dl.assemblies(linkage(places, links), {f"G{i} low{i}": 0.0 for i in range(3)})
    legs = [abs(b - k) for b, k in zip(ends, knees, strict=True)]
    angles, real = np.linspace(-np.pi, np.pi, 40001), 0
    for side in (1, -1):  # P0 on its circle, then P1, then the gap of the third leg
        P0 = knees[0] + legs[0] * np.exp(1j * angles)
        d = knees[1] - P0
        base = abs(ends[1] - ends[0])
        along = (np.abs(d) ** 2 + base**2 - legs[1] ** 2) / (2 * np.abs(d))
        with np.errstate(invalid="ignore"):
            P1 = P0 + d / np.abs(d) * (along + side * 1j * np.sqrt(base**2 - along**2))
        P2 = P0 + (P1 - P0) * (ends[2] - ends[0]) / (ends[1] - ends[0])
        g = np.abs(P2 - knees[2]) - legs[2]
        real += int(np.sum(g[:-1] * g[1:] < 0))
    assert found.complete
    assert found.proof.startswith(f"6 roots, {real} of them real")


def test_sliders():
    """A slider-crank, and its inversion with a guide that turns."""
    found = dl.assemblies(dl.catalog.load("slider-crank-bodies"), {"bearing": 0.5})
    assert (found.complete, len(found)) == (True, 2)
    model = dl.Model("quick return", gravity=(0, 0, 0))
    plate = dl.Inertia.box(1.0, size=(0.3, 0.3, 0.1))
    crank = model.add_body("crank", plate, position=(0, 0.2, 0))
    block = model.add_body("block", plate, position=(0, 0.4, 0))
    arm = model.add_body("arm", plate, position=(0, 0, 0))
    model.add_joint(dl.Revolute(model.world, crank.at(y=-0.2), axis="z", name="drive"))
    model.add_joint(dl.Revolute(crank.at(y=0.2), block, axis="z", name="pin"))
    model.add_joint(dl.Prismatic(arm, block, axis="y", name="slot"))
    low = model.world.at(y=-0.6), arm.at(y=-0.6)
    model.add_joint(dl.Revolute(*low, axis="z", name="pivot"))
    found = dl.assemblies(model, {"drive": 0.7})
    assert found.complete
    assert len(found) == 2  # the arm points to the block, or away from it


def test_what_is_not_proven_is_said():
    """Assemblies that meet, joints beyond the plane, linkages that are too large."""
    places = {"O": 0j, "A": 1j, "B": 2 + 1j, "C": 2 + 0j}
    links = {"world": "OC", "crank": "OA", "coupler": "AB", "rocker": "BC"}
    flat = dl.assemblies(linkage(places, links), {"O crank": -np.pi / 2}, count=3)
    assert not flat.complete
    assert "multiple roots" in flat.proof or "singular" in flat.proof
    model, _ = watt()
    model.add_joint(dl.Gear("O crank", "F arm", ratio=2.0, name="gear"))
    geared = dl.assemblies(model, count=3)
    assert not geared.complete
    assert str(geared).endswith("joint 'gear' (gear) is none of a planar linkage")


def test_random_bilinear_equations_have_the_count_of_roots():
    """C(2k, k), each a root, all different."""
    random = np.random.default_rng(7)
    for k, count in ((1, 2), (2, 6), (3, 20)):
        Q = random.standard_normal((2 * k, k + 1, k + 1, 2)) @ np.array([1, 1j])
        found = bilinear_roots(Q)
        assert found.complete
        assert len(found.finite) == found.paths == count
        left = [abs(np.einsum("i,nij,j->n", s, Q, t)).max() for s, t in found.finite]
        assert max(left) <= 1e-10
