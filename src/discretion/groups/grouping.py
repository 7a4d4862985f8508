"""By which attribute people are grouped, and among whom."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from discretion.errors import EstimateError, meant
from discretion.estimate.legend import Legend
from discretion.plan import Plan
from discretion.table.columns import Codes


@dataclass(frozen=True)
class Grouping:
    """The groups are the values of ``by``, or all of those who have the given labels."""

    by: str | None
    given: Mapping[str, str]

    @classmethod
    def of(cls, plan: Plan, attribute: str, by: object, given: object) -> Self:
        """Check what a caller named: different attributes of the plan, and a label for each."""
        if by is not None and not isinstance(by, str):
            raise EstimateError(f"by must name one attribute, got {by!r}")
        if not isinstance(given, Mapping | None):
            raise EstimateError(f"given must map attributes to a label each, got {given!r}")
        labels: dict[str, Any] = dict(given or {})
        names = [attribute, *([] if by is None else [by]), *labels]
        plan.questions.check(names)
        if len(set(names)) < len(names):
            twice = next(name for i, name in enumerate(names) if name in names[:i])
            raise EstimateError(f"{twice!r} stands in two places: ask for it, by it or given it")
        for name, label in labels.items():
            if not isinstance(label, str):
                raise EstimateError(f"given must have one label of {name!r}, got {label!r}")
        found = cls(by, labels)
        if plan.secret and len(found.names) > 1:
            raise EstimateError("under secret levels groups are by one attribute: name by or given")
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes that decide who is in which group."""
        return (*([] if self.by is None else [self.by]), *self.given)

    @property
    def among(self) -> str:
        """Among whom, as text: nothing where it is everybody."""
        return " and ".join(f"{name} = {label}" for name, label in self.given.items())

    def labels(self, axes: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
        """Return what the groups are called, by the labels of each attribute."""
        return (self.among,) if self.by is None else axes[self.by]

    def side(self, label: str) -> str:
        """Return the name of a group beside another."""
        return label if self.by is None else f"{self.by} = {label}"

    def title(self, attribute: str, legend: Legend) -> str:
        """Say what is estimated, by what and among whom."""
        parts = [legend.title(attribute)]
        if self.by is not None:
            parts.append(f"by {legend.question(self.by)}")
        if self.given:
            known = ((name, legend.label(name, label)) for name, label in self.given.items())
            parts.append("given " + " and ".join(f"{name} = {label}" for name, label in known))
        return " ".join(parts)

    def cells(self, axes: Mapping[str, tuple[str, ...]]) -> Codes:
        """Return the group of each flat cell of these axes, in their order; -1 for none."""
        where = dict(zip(axes, np.indices([len(own) for own in axes.values()]), strict=True))
        shape = next(iter(where.values())).shape
        group = np.zeros(shape, np.int64) if self.by is None else where[self.by].copy()
        for name, label in self.given.items():
            group[where[name] != index_of(axes[name], label, name)] = -1
        return group.ravel()


def index_of(labels: tuple[str, ...], label: object, name: str) -> int:
    """Return where a label stands, or name those that there are."""
    if label not in labels:
        known = ", ".join(labels[:8]) + (", ..." if len(labels) > 8 else "")
        raise EstimateError(f"{name} has {known}, not {label!r}{meant(str(label), labels)}")
    return labels.index(str(label))
