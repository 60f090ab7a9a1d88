"""Contact of a compiled file: which geoms touch, by which law, and which pairs do not.

MuJoCo lets two geoms touch when contype of either meets conaffinity of the other, here each pair
(contype, conaffinity) becomes a group that lists the groups it touches. Coefficients of a pair are
the larger ones of its geoms unless one has a higher priority; what that rule of the model
(`Combine`) does not give becomes a rule for the pair of materials. Contacts are rigid where the
file leaves solref at MuJoCo's default; another one (timeconst, dampratio) becomes the frequency
1 / (2 pi timeconst dampratio) and the damping ratio, (-k, -b) those of the same oscillator.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.importers.mjcf.reading import Reading
from dalembert.model.contact.combine import Combine, combined
from dalembert.model.contact.contact_shape import ContactShape
from dalembert.model.contact.material import Material
from dalembert.model.contact.pairs import neighbours

USUAL_SOLREF = (0.02, 1.0)
USUAL_SOLIMP = (0.9, 0.95, 0.001, 0.5, 2.0)
"""MuJoCo's own, where the file says nothing."""

LAW = ("friction", "torsional", "rolling", "frequency", "damping_ratio")


@dataclass(frozen=True)
class Surface:
    """Contact properties of a geom."""

    dim: int
    friction: tuple[float, float, float]
    solref: tuple[float, float]
    mix: float
    priority: int

    def with_(self, other: Surface) -> Surface:
        """The law of a pair, by MuJoCo's rules."""
        if self.priority != other.priority:
            return self if self.priority > other.priority else other
        rubs = tuple(map(max, self.friction, other.friction))
        total = self.mix + other.mix
        share = self.mix / total if total > 0.0 else 0.5
        if self.solref[0] > 0.0 and other.solref[0] > 0.0:
            both = zip(self.solref, other.solref, strict=True)
            soft = tuple(share * a + (1.0 - share) * b for a, b in both)
        else:
            soft = tuple(map(min, self.solref, other.solref))
        dim = max(self.dim, other.dim)
        return Surface(dim, rubs, soft, self.mix, self.priority)  # type: ignore[arg-type]

    def values(self) -> dict[str, float]:
        """As those of a material."""
        slide, spin, roll = self.friction
        found = {
            "friction": slide if self.dim > 1 else 0.0,
            "torsional": spin if self.dim > 3 else 0.0,
            "rolling": roll if self.dim > 4 else 0.0,
        }
        return found | softness(self.solref)


@dataclass
class Contacts:
    """Geoms of a file that touch, while they are taken over."""

    reading: Reading
    on: bool
    shapes: dict[int, ContactShape] = field(default_factory=dict)
    materials: dict[Surface, Material] = field(default_factory=dict)

    def __post_init__(self) -> None:
        m, c = self.reading.m, self.reading.c
        off = m.opt.disableflags & int(c.mj.mjtDisableBit.mjDSBL_CONTACT)
        touching = [
            g
            for g in range(m.ngeom)
            if (m.geom_contype[g] or m.geom_conaffinity[g]) and _meets(m, g)
        ]
        self.geoms = set(touching) if self.on and not off else set()
        if not self.on and not off:
            names = [c.name("geom", g) for g in touching]
            self.reading.lose("contact of geom", names, "not taken over (contact=False).")
        self.groups = self._groups()
        self.usual = len({self.surface(g) for g in self.geoms}) <= 1

    def _groups(self) -> dict[tuple[int, int], dict[str, Any]]:
        """Options of `add_shape` for each (contype, conaffinity)."""
        m = self.reading.m
        kinds = sorted({(int(m.geom_contype[g]), int(m.geom_conaffinity[g])) for g in self.geoms})
        names = {kind: f"contype {kind[0]} conaffinity {kind[1]}" for kind in kinds}
        found: dict[tuple[int, int], dict[str, Any]] = {}
        for a in kinds:
            meets = [b for b in kinds if a[0] & b[1] or b[0] & a[1]]
            if len(kinds) == 1:
                found[a] = {}
            elif len(meets) == len(kinds):
                found[a] = {"group": names[a]}
            else:
                found[a] = {"group": names[a], "collides_with": [names[b] for b in meets]}
        return found

    def options(self, g: int) -> dict[str, Any]:
        """Options of `add_shape` for a geom that touches."""
        m, c = self.reading.m, self.reading.c
        kind = int(m.geom_contype[g]), int(m.geom_conaffinity[g])
        given = c.mj.mj_id2name(m, c.mj.mjtObj.mjOBJ_GEOM, g)
        name = None
        if given:
            taken = {*self.reading.model.bodies, "world", *(s.name for s in self.shapes.values())}
            wished = "".join("_" if x in ":/" else x for x in given)
            name = wished if wished not in taken else None
        return {"material": self.material(g), "name": name, **self.groups[kind]}

    def surface(self, g: int) -> Surface:
        """Contact properties of a geom, by its number."""
        m = self.reading.m
        slide, spin, roll = (float(x) for x in m.geom_friction[g])
        time, ratio = (float(x) for x in m.geom_solref[g])
        return Surface(
            int(m.geom_condim[g]),
            (slide, spin, roll),
            (time, ratio),
            float(m.geom_solmix[g]),
            int(m.geom_priority[g]),
        )

    def material(self, g: int) -> Material:
        """The material of a geom; geoms that say the same share it."""
        surface = self.surface(g)
        if surface not in self.materials:
            name = "surface" if self.usual else f"surface{len(self.materials) + 1}"
            self.materials[surface] = Material(**surface.values(), name=name)
        return self.materials[surface]

    # -- pairs ---------------------------------------------------------------------------------

    def finish(self) -> None:
        """Laws of pairs, pairs that do not touch, and what is lost."""
        if not self.shapes:
            return
        model = self.reading.model
        model.combine = Combine(friction="max", restitution="max", rolling="max", torsional="max")
        for (a, one), (b, two) in itertools.combinations(self.materials.items(), 2):
            wanted = a.with_(b).values()
            law = combined(one, two, model.combine, {})
            if any(_differ(getattr(law, key), wanted.get(key)) for key in LAW):
                model.set_contact(one, two, **wanted)
        self._parents()
        self._excludes()
        self._pairs()
        self._tell()

    def _parents(self) -> None:
        """A body and its parent do not touch, unless that is the world or the file says so."""
        m, c = self.reading.m, self.reading.c
        model = self.reading.model
        known = neighbours(model)
        family: set[frozenset[str]] = set()
        for b in range(1, m.nbody):
            names = [self.reading.places[k].body.name for k in (b, int(m.body_parentid[b]))]
            if len(set(names)) == 2 and model.world.name not in names:
                family.add(frozenset(names))
        with_shapes = {shape.body for shape in self.shapes.values()}
        both = [sorted(pair) for pair in known | family if pair <= with_shapes]
        if m.opt.disableflags & int(c.mj.mjtDisableBit.mjDSBL_FILTERPARENT):
            for pair in sorted(both):
                model.allow_contact(*pair)
            return
        for pair in sorted(both):
            if frozenset(pair) not in known:
                model.ignore_contact(*pair)
        joined = [" and ".join(pair) for pair in sorted(both) if frozenset(pair) not in family]
        why = "joined by an equality, they do not touch; model.allow_contact lets them."
        self.reading.lose("contact of", joined, why)

    def _excludes(self) -> None:
        m = self.reading.m
        for k in range(m.nexclude):
            bodies = int(m.exclude_signature[k]) >> 16, int(m.exclude_signature[k]) & 0xFFFF
            a, b = (
                [shape for g, shape in self.shapes.items() if m.geom_bodyid[g] == body]
                for body in bodies
            )
            for one, two in itertools.product(a, b):
                if one.body != two.body:
                    self.reading.model.ignore_contact(one, two)

    def _pairs(self) -> None:
        m, c = self.reading.m, self.reading.c
        lost = []
        for k in range(m.npair):
            ends = [self.shapes.get(int(g)) for g in (m.pair_geom1[k], m.pair_geom2[k])]
            if None in ends or not ends[0].allows(ends[1]):  # type: ignore[union-attr,arg-type]
                lost.append(c.name("pair", k))
                continue
            slide, _, spin, roll, _ = (float(x) for x in m.pair_friction[k])
            time, ratio = (float(x) for x in m.pair_solref[k])
            law = Surface(int(m.pair_dim[k]), (slide, spin, roll), (time, ratio), 1.0, 0)
            self.reading.model.set_contact(*ends, **law.values())
            if frozenset(shape.body for shape in ends) in neighbours(self.reading.model):  # type: ignore[union-attr]
                self.reading.model.allow_contact(*ends)
        why = "its geoms touch nothing otherwise, and a pair alone is not taken over."
        self.reading.lose("contact pair", lost, why)

    def _tell(self) -> None:
        m, c = self.reading.m, self.reading.c
        wide = [g for g in self.geoms if m.geom_margin[g] or m.geom_gap[g]]
        names = [c.name("geom", g) for g in sorted(wide)]
        self.reading.lose("margin of geom", names, "contacts begin where shapes touch.")
        soft = [g for g in self.geoms if not np.allclose(m.geom_solimp[g], USUAL_SOLIMP)]
        names = [c.name("geom", g) for g in sorted(soft)]
        self.reading.lose("solimp of geom", names, "softness that grows with depth is not taken.")


def softness(solref: Any) -> dict[str, float]:
    """Frequency and damping ratio of a solref that is not MuJoCo's default."""
    first, second = (float(x) for x in solref)
    if np.allclose((first, second), USUAL_SOLREF):
        return {}
    if first > 0.0 and second > 0.0:
        return {"frequency": 1.0 / (2.0 * math.pi * first * second), "damping_ratio": second}
    if first < 0.0:
        rate = math.sqrt(-first)
        return {"frequency": rate / (2.0 * math.pi), "damping_ratio": max(-second, 0.0) / 2 / rate}
    return {}


def _meets(m: Any, g: int) -> bool:
    """Whether a geom could touch another one."""
    other = (m.geom_contype[g] & m.geom_conaffinity) | (m.geom_contype & m.geom_conaffinity[g])
    moves = m.geom_bodyid != m.geom_bodyid[g]
    return bool(np.any((other != 0) & moves))


def _differ(a: float | None, b: float | None) -> bool:
    if a is None or b is None:
        return a is not b
    return not math.isclose(a, b, rel_tol=1e-12, abs_tol=0.0)
