"""The part of a model that stops: limits of joints, one-sided constraints, bounded drives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from dalembert.errors import ModelError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.limits import beyond
from dalembert.model.basics.names import nearest
from dalembert.model.basics.quantity import Quantity, as_quantity, value_of
from dalembert.model.basics.reading import Findings, Reader
from dalembert.model.contact.material import static_limits
from dalembert.model.core.of_bodies import OfBodies
from dalembert.model.one_sided.cable import Cable
from dalembert.model.one_sided.law import LAW_FIELDS, StopLaw, read_law
from dalembert.model.one_sided.limits import Limits
from dalembert.model.one_sided.rows import OneSided, hard_only, one_sided_rows
from dalembert.model.one_sided.stop import Stop
from dalembert.model.one_sided.unilateral import Unilateral, read_rows, read_sliding

if TYPE_CHECKING:
    from dalembert.model.core.model import Model


class OfLimits(OfBodies):
    """Limits and one-sided constraints of a `Model`."""

    def __init__(self) -> None:
        super().__init__()
        self._unilaterals: dict[str, Unilateral] = {}

    # -- limits -------------------------------------------------------------------------------

    def set_limits(self, joint: Any, limits: Limits) -> None:
        """Say how far, how strong and how fast a joint of one coordinate may be.

        The joint stops at the ends where the method of a run knows one-sided constraints
        (`ContactImpulse`); effort and velocity are data for those who plan and control motions.

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model("arm")
        >>> arm = model.add_body("arm", dl.Inertia.rod(mass=1.0, length=1.0))
        >>> hinge = model.add_joint(dl.Revolute(model.world, arm, axis="y", name="hinge"))
        >>> model.set_limits(hinge, dl.Limits(-1.5, 1.5))
        >>> model.limits["hinge"].upper
        1.5
        """
        findings = Findings()
        found = self._references().joint(joint, "limits", findings)
        if found is not None and len(found.coordinates) != 1:
            findings.add(
                "limits", f"joint '{found.name}' ({found.kind}) has not one coordinate. Leave it."
            )
        if type(limits) is not Limits:
            findings.add("limits", f"{limits!r:.60} are none. Give dl.Limits(lower, upper).")
        findings.raise_if_any(f"model '{self.name}'")
        assert found is not None
        self._limits[found.name] = limits

    def set_armature(self, joint: Any, *values: float) -> None:
        """Say what inertia a drive's rotor has along each coordinate of a joint  [kg m^2], [kg].

        It is that of the rotor times the square of the gear. One value is that of all coordinates.
        Runs of such a model take place in the coordinates of its joints.

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model("arm")
        >>> arm = model.add_body("arm", dl.Inertia.rod(mass=1.0, length=1.0))
        >>> hinge = model.add_joint(dl.Revolute(model.world, arm, axis="y", name="hinge"))
        >>> model.set_armature(hinge, 0.02)
        >>> model.armature
        {'hinge': (0.02,)}
        """
        findings = Findings()
        found = self._references().joint(joint, "armature", findings)
        numbers = [as_quantity(value, "armature", findings) for value in values]
        if not values or any(not isinstance(x, float) or x < 0.0 for x in numbers):
            findings.add("armature", f"is {values!r:.60}. Give numbers that are not negative.")
        freedom = 0 if found is None else 6 - len(found.row_labels)
        if found is not None and len(values) > 1 and len(values) != freedom:
            findings.add(
                "armature",
                f"has {len(values)} values, and joint {found.name!r} {freedom} coordinates. Give "
                "one for all, or one for each.",
            )
        findings.raise_if_any(f"model '{self.name}'")
        assert found is not None
        known = tuple(x for x in numbers if isinstance(x, float))
        self._armature[found.name] = known * freedom if len(known) == 1 else known

    # -- one-sided constraints -----------------------------------------------------------------

    def keep(
        self,
        *what: Any,
        name: str | None = None,
        friction: Any = 0.0,
        static_friction: Any = None,
        sliding: Any = (),
        **law: Any,
    ) -> Unilateral:
        """Require formulas to stay positive, or a cable or stop to hold.

        Parameters
        ----------
        *what : comparisons phi(q, t) >= 0, or one dl.Cable(...) or dl.Stop(...)
        name : str
            By default numbered, "keep1"; a cable or stop has its own.
        friction : float or formula of parameters
            Coulomb's coefficient mu: a force against the sliding, of at most mu times the push.
        static_friction : float or formula of parameters
            That of surfaces that stick, not below `friction`; by default the same.
        sliding : formula, or two of them
            Which sliding friction acts against: the way along the surface, such as x, or its rate
            x.dot; two across each other for a surface in space. Write them and phi in metres.
        **law : restitution, stiffness, damping, frequency, damping_ratio
            What happens where phi is zero, as in `Limits`; by default nothing but a push.

        Examples
        --------
        >>> import dalembert as dl
        >>> x, y = dl.coordinates("x y")
        >>> model = dl.Model.from_lagrangian(kinetic=(x.dot**2 + y.dot**2) / 2, potential=9.81 * y)
        >>> model.keep(y >= 0, name="floor", restitution=0.8)
        Unilateral('floor': y >= 0)
        >>> model.keep(x >= -1, name="wall", friction=0.3, sliding=y)
        Unilateral('wall': x + 1 >= 0)
        """
        if not (name is None or isinstance(name, str)):
            raise ModelError(f"model '{self.name}': keep: the name is {name!r:.60}. Give a text.")
        if len(what) == 1 and isinstance(what[0], Cable | Stop):
            given = {"friction": friction} if friction != 0.0 else {}
            given |= {"static_friction": static_friction} if static_friction is not None else {}
            given |= {"sliding": sliding} if sliding != () else {}
            return self._keep_element(what[0], name, law | given)
        findings = Findings()
        label = self._free_name(name or "", "keep", "one-sided constraint", findings)
        element = f"one-sided constraint '{label}'"
        rows = read_rows(list(what), Reader(findings, self._names), element)
        if not rows and not findings:
            findings.add(element, "has no formula. Give for example y >= 0.")
        self._only_known([(element, rows)], findings)
        stated = StopLaw()
        for key in law:
            if key not in LAW_FIELDS:
                known = [*LAW_FIELDS, "friction", "static_friction", "sliding"]
                findings.add(element, f"has no {key!r}{nearest(key, known)}")
        rubs, along = self._friction(friction, sliding, rows, element, findings)
        holds = self._static(rubs, static_friction, element, findings)
        try:
            stated = read_law(law, element)
        except ModelError as problem:
            findings.append(str(problem))
        own = [x for x in (rubs, holds) if isinstance(x, Expression)]
        self._register([*rows, *along, *stated.formulas, *own], findings)
        made = Unilateral(label, tuple(rows), stated, None, rubs, along, holds)
        self._unilaterals[label] = made
        return made

    def _friction(
        self, friction: Any, sliding: Any, rows: Any, element: str, findings: Findings
    ) -> tuple[Quantity, tuple[Expression, ...]]:
        """The coefficient and the sliding of a one-sided constraint."""
        given = not isinstance(sliding, list | tuple) or len(sliding) > 0
        number = as_quantity(friction, "friction", findings)
        value = value_of(number, {})
        if value is not None and value < 0.0:
            findings.add(element, f"friction is {value:g}. Give a number that is not negative.")
        if value == 0.0 and not given:
            return 0.0, ()
        if not given:
            findings.add(
                element,
                "has friction, but no sliding that it acts against. Give sliding=x, the way along "
                "the surface, or two such formulas in space.",
            )
            return number, ()
        if value == 0.0:
            findings.add(element, "has sliding without friction. Give friction=0.3, say.")
        if len(rows) > 1:
            findings.add(element, "has friction and several formulas. Keep each by itself.")
        along = read_sliding(sliding, Reader(findings, self._names), element)
        self._only_known([(element, along)], findings)
        return number, tuple(along)

    def _static(
        self, friction: Quantity, given: Any, element: str, findings: Findings
    ) -> Quantity | None:
        """Coefficient of static friction of a one-sided constraint."""
        if given is None:
            return None
        number = as_quantity(given, "static_friction", findings)
        for what in beyond(static_limits(friction, number), {}):
            findings.add(element, what)
        return number

    def _keep_element(self, given: Cable | Stop, name: str | None, law: Any) -> Unilateral:
        findings = Findings()
        label = self._free_name(name or given.name, given.kind, given.kind, findings)
        if law:
            findings.add(f"{given.kind} '{label}'", f"give {next(iter(law))!r} to the element.")
        element = given.resolved(self._references(), label, findings)
        findings.raise_if_any(f"model '{self.name}'")
        rows = element.rows()
        self._register([*rows, *element.law.formulas], findings)
        made = Unilateral(label, tuple(rows), element.law, element)
        self._unilaterals[label] = made
        return made

    @property
    def unilaterals(self) -> list[Unilateral]:
        """One-sided constraints of `keep`, in the order they were given."""
        return list(getattr(self, "_unilaterals", {}).values())

    def one_sided(self) -> list[OneSided]:
        """Every row that is no equation: limits, cables, drives with bounds, dry friction."""
        return one_sided_rows(cast("Model", self))

    @property
    def needs_impulses(self) -> str:
        """Words for parts that only methods that solve for impulses know (contact, ...), or "".

        Examples
        --------
        >>> import dalembert as dl
        >>> model = dl.Model("arm")
        >>> arm = model.add_body("arm", dl.Inertia.rod(mass=1.0, length=1.0))
        >>> hinge = model.add_joint(dl.Revolute(model.world, arm, axis="y", name="hinge"))
        >>> model.set_limits(hinge, dl.Limits(-1.5, 1.5))
        >>> model.needs_impulses
        'limits of joints (hinge)'
        """
        return "; ".join(hard_only(cast("Model", self)))
