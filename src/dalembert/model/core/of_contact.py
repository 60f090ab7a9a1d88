"""The part of a model that touches: shapes with materials, rules for pairs."""

from __future__ import annotations

import copy
import itertools
from typing import TYPE_CHECKING, Any, cast

from dalembert.errors import ModelError
from dalembert.model.basics.reading import Findings
from dalembert.model.contact import pairs
from dalembert.model.contact.combine import Combine, PairLaw
from dalembert.model.contact.contact_shape import TOUCHING, ContactShape, read_filters
from dalembert.model.contact.material import Material
from dalembert.model.contact.rules import (
    ALLOW,
    IGNORE,
    SET,
    ContactRule,
    ContactRules,
    read_values,
    selector,
)
from dalembert.model.core.of_limits import OfLimits
from dalembert.model.shapes.solid import Solid
from dalembert.model.shapes.solids import Plane
from dalembert.model.shapes.table import ends_somewhere, read_shapes

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

DEFAULT_GROUP = "default"


class OfContact(OfLimits):
    """Contact of a `Model`."""

    def __init__(self) -> None:
        super().__init__()
        self._touching: dict[str, ContactShape] = {}
        self._groups: dict[str, int] = {DEFAULT_GROUP: 1}
        self._rules = ContactRules()

    # -- shapes --------------------------------------------------------------------------------

    def add_shape(
        self,
        shape: Any,
        *,
        on: Any = None,
        material: Material | None = None,
        name: str | None = None,
        group: str = DEFAULT_GROUP,
        collides_with: Any = None,
        ignores: Any = None,
        contact: bool = True,
        drawn: bool = True,
    ) -> Any:
        """A shape on a body or on the world, which is drawn and touches others.

        Parameters
        ----------
        shape : dl.Box(...), dl.Plane(...), dl.Mesh(...), ..., or a list of them
            A mesh on a body touches by its convex hull, on the world by its triangles; a plane
            has no end, whatever part of it is drawn.
        on : Body, Frame, World or a name
            By default the world.
        material : dl.Material(...)
            By default one with friction 0.5 that is rigid and does not bounce.
        name : str
            By default "body.box"; for rules about pairs, and for reports.
        group : str
            The group it belongs to.
        collides_with : str or list of str
            Groups it touches; by default all. Two shapes touch when each allows the other's group.
        ignores : str or list of str
            Groups it does not touch, instead of `collides_with`.
        contact : bool
            False draws the shape only.
        drawn : bool
            False lets it touch without being seen.

        Returns
        -------
        The `ContactShape`, or a list of them for a list; None for what is drawn only.

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model("table")
        >>> rubber = dl.Material(friction=0.9, name="rubber")
        >>> model.add_shape(dl.Plane(), on=model.world, material=rubber)
        ContactShape('world.plane': Plane on world)
        >>> ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 1))
        >>> model.add_shape(dl.Sphere(0.1), on=ball)
        ContactShape('ball.sphere': Sphere on ball)
        >>> model.has_contact
        True
        """
        findings = Findings()
        frame = self._references().frame(self._world if on is None else on, "shape", findings)
        element = f"shape on '{on if frame is None else frame.body.name}'"
        solids = read_shapes(shape, element, findings)
        surface = read_material(material, element, findings)
        bits, mask, groups = read_filters(
            group, collides_with, ignores, self._groups, element, findings
        )
        if name is not None and len(solids) > 1:
            findings.add(element, f"name {name!r:.60} is given to {len(solids)} shapes. Leave it.")
        findings.raise_if_any(f"model '{self.name}'")
        assert frame is not None
        body = frame.body.name
        # objects of its own: a file knows by them which of the shapes drawn is the one that touches
        placed = [copy.copy(one.on(frame)) for one in solids]
        if not contact and body != self._world.name:
            for one in solids:
                ends_somewhere(one, element, findings)
        made: dict[str, ContactShape] = {}
        for one in placed if contact else ():
            label = self._shape_name(name, f"{body}.{one.kind}", made, findings)
            self._may_touch(one, body, f"shape '{label}'", findings)
            made[label] = ContactShape(label, body, one, surface, bits, mask, drawn)
        formulas = [formula for one in placed for formula in one.formulas]
        self._register([*formulas, *(surface.formulas if made else ())], findings)
        if drawn:
            self._shapes[body] = (*self._shapes.get(body, ()), *placed)
        self._touching |= made
        self._groups = groups
        if not contact:
            return None
        found = list(made.values())
        return found[0] if isinstance(shape, Solid) else found

    def _may_touch(self, solid: Solid, body: str, element: str, findings: Findings) -> None:
        """Note what cannot touch."""
        if solid.kind not in TOUCHING:
            findings.add(
                element,
                f"a {solid.kind} does not touch. Draw it only: add_shape(..., contact=False).",
            )
        elif isinstance(solid, Plane) and body != self._world.name:
            findings.add(
                element,
                f"a plane has no end, and body '{body}' moves. Give it a dl.Box, or put the plane "
                "on the world.",
            )

    def _shape_name(
        self, given: Any, kind: str, others: dict[str, ContactShape], findings: Findings
    ) -> str:
        """The given name if no other shape has it, or that of body and kind."""
        taken = self._touching.keys() | others.keys()
        if given is None:
            ways = (f"{kind}{number}" for number in itertools.count(2))
            return kind if kind not in taken else next(way for way in ways if way not in taken)
        element = f"shape '{given}'"
        if not isinstance(given, str) or not given.strip() or any(c in given for c in ":/"):
            findings.add(element, "the name is empty or contains ':' or '/'. Choose another name.")
        elif given in taken:
            findings.add(element, "there is a shape of that name already. Choose another name.")
        elif given in self._bodies or given == self._world.name:
            findings.add(element, "there is a body of that name already. Choose another name.")
        return str(given)

    # -- rules ---------------------------------------------------------------------------------

    def set_contact(self, a: Any, b: Any, **values: Any) -> None:
        """Other coefficients for a pair than those its materials combine to.

        Parameters
        ----------
        a, b : shape, body, world, material, or the name of one
            A body stands for all its shapes, a material for all shapes of it.
        **values : friction, static_friction, restitution, rolling, torsional, stiffness, ...
            As those of `Material`. Of several rules for a pair the last one counts.

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model("table")
        >>> floor = model.add_shape(dl.Plane())
        >>> ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 1))
        >>> shape = model.add_shape(dl.Sphere(0.1), on=ball)
        >>> model.set_contact(ball, model.world, friction=0.1)
        >>> model.contact_law(shape, floor).friction
        0.1
        """
        findings = Findings()
        element = "set_contact"
        if not values:
            findings.add(element, "says nothing. Give for example friction=0.3.")
        read = read_values(values, element, findings)
        self._add_rule(SET, a, b, read, findings)

    def ignore_contact(self, a: Any, b: Any) -> None:
        """Let a pair pass through each other; `a` and `b` are as those of `set_contact`."""
        self._add_rule(IGNORE, a, b, {}, Findings())

    def allow_contact(self, a: Any, b: Any) -> None:
        """Let bodies touch that a joint connects, which otherwise do not."""
        self._add_rule(ALLOW, a, b, {}, Findings())

    def _add_rule(self, action: str, a: Any, b: Any, values: Any, findings: Findings) -> None:
        element = f"{action}_contact"
        sides = [
            selector(side, self.contact_shapes, self._bodies, element, findings) for side in (a, b)
        ]
        rule = ContactRule(action, sides[0], sides[1], values)
        rules = self.contact_rules.with_rule(rule)
        self._register(rules.formulas, findings)
        self._rules = rules

    @property
    def combine(self) -> Combine:
        """How coefficients of two materials make those of their contact; may be set."""
        return self.contact_rules.combine

    @combine.setter
    def combine(self, rule: Combine) -> None:
        if not isinstance(rule, Combine):
            raise ModelError(
                f"model '{self.name}': combine is {rule!r:.60}. Give dl.Combine(friction='min')."
            )
        self._rules = self.contact_rules.with_combine(rule)

    # -- reading -------------------------------------------------------------------------------

    @property
    def contact_shapes(self) -> list[ContactShape]:
        """Shapes that touch: those of the world, then of each body, in the order given there.

        Those that are not drawn come last on their body: the order in which a file holds them.
        """
        order = {self._world.name: -1} | {name: k for k, name in enumerate(self._bodies)}
        found: list[ContactShape] = list(getattr(self, "_touching", {}).values())
        return sorted(found, key=lambda shape: (order[shape.body], not shape.drawn))

    @property
    def contact_rules(self) -> ContactRules:
        """Rules for pairs, and how materials combine."""
        found = getattr(self, "_rules", None)
        return ContactRules() if found is None else found

    @property
    def contact_groups(self) -> dict[str, int]:
        """Groups of shapes by name: a bit each."""
        return dict(getattr(self, "_groups", {DEFAULT_GROUP: 1}))

    def contact_law(self, a: Any, b: Any) -> PairLaw:
        """The law of two shapes (or their names) with the current parameters, in numbers."""
        found: list[ContactShape] = []
        for given in (a, b):
            one = self._touching.get(given) if isinstance(given, str) else given
            if not isinstance(one, ContactShape):
                raise ModelError(
                    f"model '{self.name}': {given!r:.60} is no shape that touches. Give what "
                    "add_shape returned, or its name."
                )
            found.append(one)
        return self.contact_rules.law(found[0], found[1], self.parameters)

    @property
    def has_contact(self) -> bool:
        """Whether any two shapes of the model may touch."""
        return any(True for _ in pairs.pairs(cast("Model", self)))


def read_material(given: Any, element: str, findings: Findings) -> Material:
    """The material of a shape; the usual one where none is given."""
    if given is not None and not isinstance(given, Material):
        findings.add(element, f"material is {given!r:.60}. Give a dl.Material(...).")
    return given if isinstance(given, Material) else Material()
