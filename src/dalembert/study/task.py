"""Tasks: what is run for every row of a study, as one object that can be sent and kept.

A task knows its model (or the name of a catalog model whose options change, or a function of the
row), what each axis changes, what is recorded, and the options of `simulate`.
"""

from __future__ import annotations

import copy
import inspect
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dalembert.analysis.choices import split_options
from dalembert.errors import OptionError
from dalembert.model.basics.names import did_you_mean
from dalembert.model.core.model import Model
from dalembert.simulation.described import NotDeclaredError, decode, encode
from dalembert.simulation.prepare.options import by_name
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.session.tunable import exposed
from dalembert.simulation.simulate import simulate
from dalembert.study.axes import Axis, Listed
from dalembert.study.record import Record, read_records
from dalembert.study.targets import Target, axis_name, catalog_options, find_target

OWN = ("model", "progress", "on_failure", "save", "overwrite")
"""Options of `simulate` that a study sets itself."""

Parts = tuple[dict[str, Any], dict[str, Any]]


@dataclass(frozen=True)
class Task:
    """Everything that is run for a row, but its values.

    Attributes
    ----------
    model : Model, or None where one is made for every row
    catalog : (name, options) of a catalog model, or None
    function : function of the row that returns a model, or None
    targets : what each axis changes
    records : columns that are recorded
    options : of `simulate`
    samples : numbers of a recorded series
    judged : whether the verdict on every run is worked out
    batched : whether rows are worlds of a batch (`run_batch`)
    """

    model: Model | None
    catalog: tuple[str, dict[str, Any]] | None
    function: Callable[..., Any] | None
    names: tuple[str, ...]
    targets: tuple[Target, ...]
    records: tuple[Record, ...]
    options: dict[str, Any] = field(default_factory=dict)
    samples: int = 100
    judged: bool = True
    batched: bool = False

    def solve(self, values: Any, **changes: Any) -> Solution:
        """The run of one row; a failed one ends where it failed.

        Raises
        ------
        DalembertError      it could not begin
        """
        options = dict(self.options)
        model, own = self._model(values)
        parameters = by_name(options.pop("parameters", None) or {})
        initial: Any = options.pop("initial", None)
        for target, value in zip(self.targets, map(float, values), strict=True):
            if target.kind == "parameter":
                parameters[target.name] = value
            elif target.kind == "initial":
                initial = {**(initial or {}), target.name: value}
            elif target.kind == "simulate":
                options[target.name] = value
        options |= {"parameters": parameters or None, "initial": initial, **own, **changes}
        if options.get("controllers"):
            options["controllers"] = [_fresh(one) for one in options["controllers"]]
        return simulate(model, on_failure="return", **{"progress": False, **options})

    def _model(self, values: Any) -> tuple[Model, dict[str, Any]]:
        """The model of a row, and options that a function of the row gives with it."""
        if self.model is not None:
            return self.model, {}
        if self.catalog is not None:
            from dalembert import catalog

            name, options = self.catalog
            options = dict(options)
            for target, value in zip(self.targets, map(float, values), strict=True):
                if target.kind == "catalog":
                    options[target.name] = int(value) if target.whole else value
            return catalog.load(name, **options), {}
        assert self.function is not None
        pairs = zip(self.names, self.targets, map(float, values), strict=True)
        row = {n: int(value) if target.whole else value for n, target, value in pairs}
        made = self.function(row)
        model, own = made if isinstance(made, tuple) and len(made) == 2 else (made, {})
        if not isinstance(model, Model) or not isinstance(own, Mapping):
            raise OptionError(
                f"sweep: the function of the row returned {made!r:.60}. Return a dl.Model, or a"
                " pair of a model and a dict of options of dl.simulate."
            )
        return model, dict(own)

    # -- as data -------------------------------------------------------------------------------

    def described(self) -> Parts | None:
        """The task as data for a file; None where it holds functions or classes of the user's."""
        if self.function is not None or any(callable(r.signal) for r in self.records):
            return None
        table = {
            "model": self.model,
            "catalog": self.catalog,
            "names": self.names,
            "targets": [(t.kind, t.name, t.whole) for t in self.targets],
            "records": [(r.name, r.signal, r.reduction) for r in self.records],
            "options": self.options,
            "samples": self.samples,
            "judged": self.judged,
            "batched": self.batched,
        }
        try:
            return encode(table)
        except NotDeclaredError:
            return None

    @classmethod
    def from_data(cls, described: Any, arrays: Any) -> Task:
        """The task that a file describes.

        Raises
        ------
        ValueError, KeyError, TypeError     it is none
        """
        table = decode(described, arrays)
        if table["model"] is not None and not isinstance(table["model"], Model):
            raise TypeError("its model is none")
        if not isinstance(table["options"], dict) or set(table["options"]) - set(run_options()):
            raise ValueError("its options are none of a run")
        return cls(
            table["model"],
            table["catalog"],
            None,
            tuple(map(str, table["names"])),
            tuple(Target(*one) for one in table["targets"]),
            tuple(Record(*one) for one in table["records"]),
            table["options"],
            int(table["samples"]),
            bool(table["judged"]),
            bool(table.get("batched", False)),
        )


def _fresh(controller: Any) -> Any:
    """A controller that remembers nothing of other rows; of functions there is only one."""
    return replace(controller, callback=copy.deepcopy(controller.callback))


def make_task(
    model: Any, axes: Mapping[Any, Axis], record: Any, options: dict[str, Any], samples: Any
) -> Task:
    """The task a user asked for, with everything checked that can be before the first run."""
    judged = options.pop("verdict", True)
    batched = options.pop("batch", False)
    if batched not in (True, False):
        raise OptionError(f"sweep: batch is {batched!r:.60}. Give True or False.")
    _check_options(options)
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 2:
        raise OptionError(f"sweep: samples is {samples!r}. Give a whole number, 2 or more.")
    source, catalog, function = _source(model)
    known = {} if catalog is None else catalog_options(catalog[0])
    names = tuple(axis_name(key, source) for key in axes)
    source = _exposing(source, names)
    wholes = [isinstance(axis, Listed) and axis.whole for axis in axes.values()]
    targets = tuple(
        find_target(name, source, known, whole) for name, whole in zip(names, wholes, strict=True)
    )
    _check_given(targets, options)
    if catalog is not None and not any(t.kind == "catalog" for t in targets):
        catalog = None  # one model serves all rows
    events = [event.label for event in options.get("events", ())]
    records = read_records(record, events)
    for one in records:
        if one.name in names:
            raise OptionError(f"sweep: record {one.name!r} is an axis. Choose another name.")
    kept = {name: value for name, value in options.items() if value is not None}
    return Task(
        None if catalog is not None else source,
        catalog,
        function,
        names,
        targets,
        records,
        kept,
        samples,
        bool(judged) and not batched,
        bool(batched),
    )


def _source(model: Any) -> tuple[Model | None, tuple[str, dict[str, Any]] | None, Any]:
    """Model, catalog entry or function."""
    if isinstance(model, Model):
        return model, None, None
    if isinstance(model, str):
        from dalembert import catalog

        name, options = split_options(model)
        if name not in catalog.names():
            raise OptionError(
                f"sweep: there is no catalog model {name!r}"
                f"{did_you_mean(name, catalog.names())} A file is read by dl.load(path)."
            )
        return catalog.load(name, **options), (name, options), None
    if callable(model) and not isinstance(model, type):
        return None, None, model
    raise OptionError(
        f"sweep: {model!r:.60} is not a model. Give a dl.Model, the name of a catalog model, or a"
        " function of the row that returns a model."
    )


def _exposing(model: Model | None, names: tuple[str, ...]) -> Model | None:
    """The model, with numbers of forces, drives and gravity as parameters if an axis needs one."""
    if model is None or all("." not in n or n in model.parameters for n in names):
        return model
    made, knobs = exposed(model)
    more = {knob.name for knob in knobs} - set(model.parameters)
    return made if any(n.removeprefix("parameter.") in more for n in names) else model


def run_options() -> list[str]:
    """Options of `simulate` that a study passes on."""
    return [name for name in inspect.signature(simulate).parameters if name not in OWN]


def _check_options(options: dict[str, Any]) -> None:
    known = run_options()
    for name in options:
        if name not in known:
            raise OptionError(
                f"sweep: there is no option {name!r}{did_you_mean(name, [*known, 'verdict'])}"
                " It takes those of dl.simulate."
            )
    if isinstance(options.get("events"), list):
        options["events"] = tuple(options["events"])


def _check_given(targets: tuple[Target, ...], options: dict[str, Any]) -> None:
    """Refuse what is given twice: by an axis, and for all rows."""
    twice = [t.name for t, u in itertools.combinations(targets, 2) if t == u]
    initial = options.get("initial")
    for target in targets:
        if target.kind == "initial" and initial is not None and not isinstance(initial, Mapping):
            raise OptionError(
                f"sweep: {target.name!r} is an axis, and initial is a pair of arrays. Give initial"
                " values by name."
            )
        given = {
            "initial": lambda: set(map(str, initial or ())),
            "parameter": lambda: set(by_name(options.get("parameters") or {})),
            "simulate": lambda: {n for n, v in options.items() if v is not None},
        }.get(target.kind)
        if given is not None and target.name in given():
            twice.append(target.name)
    if twice:
        raise OptionError(f"sweep: {twice[0]!r} is an axis and is given besides. Give it once.")
