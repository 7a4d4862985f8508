"""A statistic: something that can be asked about reports, and all that is known about asking it.

Python (``discretion.NAME``), the command line, the routes of a collector with their description,
the cards of the dashboard and the reference read the same object. Functions are named by their
modules and loaded when they are called, so that the registry needs the standard library alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from discretion.errors import EstimateError
from discretion.kind import Kind
from discretion.statistics.option import AUTO, Option, load

if TYPE_CHECKING:
    from discretion.estimate.estimate import Result
    from discretion.plan import Plan

BY, AGAINST = ("by", "given"), "against"  # options that make groups, and that compare them
OF_GROUPS = (*BY, AGAINST, "bins")


def kinds_of(plan: "Plan", name: str) -> tuple[Kind, ...]:
    """Return as what an attribute or bundle is estimated: nothing where only its parts are.

    Labels of a number that is also reported in a bundle of numbers are estimated as both.
    """
    own = plan.questions[name]
    blocks = (each for each in plan.questions.values() if not each.parameters.whole)
    kinds = [each.kind for each in blocks if name in each.parts]
    return tuple(dict.fromkeys((own.kind, *kinds) if own.parameters.whole else ()))


@dataclass(frozen=True, slots=True)
class Span:
    """Of which rounds a statistic is: the numbers that name them, or all that have reports."""

    rounds: tuple[str, ...]
    apart: bool = False  # its function takes the reports of each as an argument of their own

    def named(self, values: Mapping[str, Any]) -> list[int]:
        """Return the rounds that are asked for; none where it is of all."""
        return [values[name] for name in self.rounds]


ROUND = Span(("round",))
TWO_CROWDS = Span(("round", "other_round"), apart=True)
CHANGE = Span(("earlier", "later"))
ALL_ROUNDS = Span(())


@dataclass(frozen=True, slots=True)
class Statistic:
    """What can be asked, of which kinds of attributes, how, and what the answer is."""

    name: str
    location: str  # "module:name" of the function: of data, attribute (or a list) and options
    kinds: tuple[Kind, ...]
    help: str
    path: str  # under /v1
    options: tuple[Option, ...] = ()
    answer: str = ""  # "module:name" of a function that returns a document with more than a result
    document: str = ""  # "module:name" of the document's shape
    grouped: str = ""  # of its shape by group, if it can be asked so
    beside: Mapping[str, str] = field(default_factory=dict)  # fields of the answer, and their types
    binned: bool = False  # of numbers in bins alone, among the labels
    numeric: bool = False  # of numbers alone, among values in order
    several: bool = False  # it takes a list of attributes
    span: Span = ROUND
    command: str = ""  # of its own, if it is not asked by: discretion estimate
    reports: bool = False  # counts do not suffice
    methods_on_reports: tuple[str, ...] = ()  # the methods for which counts do not suffice
    kinds_on_reports: tuple[Kind, ...] = ()  # the kinds of which they never suffice
    focused: tuple[Kind, ...] = ()  # the kinds of which the result leads to a next round's plan
    groups_on_reports: bool = False  # whether they do not where the plan has groups of owners
    intervals: bool = True  # whether it has any, for a confidence that somebody chooses
    amounts: tuple[Kind, ...] = ()  # the kinds of which it is about numbers, and not about shares
    card: bool = False  # on the dashboard, by default values of its options

    @property
    def function_name(self) -> str:
        """What Python calls it."""
        return self.location.partition(":")[2]

    @property
    def function(self) -> Callable[..., "Result"]:
        """The function that Python has under its own name."""
        return load(self.location)

    def applies(self, plan: "Plan", name: str) -> bool:
        """Whether it can be asked of an attribute or bundle."""
        if self.binned and not plan.questions[name].attribute.edged:
            return False
        if self.numeric and plan.questions[name].attribute.number is None:
            return False
        return not set(kinds_of(plan, name)).isdisjoint(self.kinds)

    def of_shares(self, plan: "Plan", name: str) -> bool:
        """Whether its values are shares, and not numbers of the attribute's own unit."""
        return set(kinds_of(plan, name)).isdisjoint(self.amounts)

    def needed(self, plan: "Plan", name: str) -> tuple[Option, ...]:
        """Return the options without which it cannot be asked of an attribute."""
        kinds = kinds_of(plan, name)
        return tuple(o for o in self.options if not set(kinds).isdisjoint(o.needed))

    def methods(self, *kinds: Kind) -> list[str]:
        """Return the names of its methods for these kinds, or for all; not that they are chosen."""
        options = (option for option in self.options if option.name == "method")
        return [name for option in options for name in option.values(*kinds) if name != AUTO]

    def reads_reports(self, plan: "Plan", name: str) -> bool:
        """Whether counts never suffice for an attribute or bundle."""
        grouped = self.groups_on_reports and plan.groups is not None
        kinds = set(kinds_of(plan, name))
        return self.reports or grouped or not kinds.isdisjoint(self.kinds_on_reports)

    def needs_reports(self, values: Mapping[str, Any]) -> bool:
        """Whether the reports themselves are read, and not only their counts."""
        given = (values.get(option.name) for option in self.options if option.reports)
        by_method = values.get("method") in self.methods_on_reports
        return self.reports or by_method or any(value is not None for value in given)

    def parsed(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return options whose pairs came as texts with their values."""
        found = dict(values)
        for option in self.options:
            if option.paired and found.get(option.name) is not None:
                found[option.name] = option.pairs(found[option.name])
        return found

    def option(self, name: str) -> Option:
        """Return an option by its name."""
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(option.name for option in self.options) or "no options"
        raise EstimateError(f"{self.name} has {known}, not {name!r}")

    def result(self, data: Any, attribute: str | Sequence[str], **values: Any) -> "Result":
        """Return what the function returns, with options by their names here."""
        given, apart = {}, self.span.apart
        for name, value in values.items():
            option = self.option(name)
            if option.made and value is not None:
                make = load(option.made)
                value = [make(side, value) for side in data] if apart else make(data, value)
            if option.argument != "":
                given[option.argument or name] = value
        return self.function(*(data if apart else (data,)), attribute, **given)

    def answered(self, data: Any, attribute: str | Sequence[str], **values: Any) -> dict[str, Any]:
        """Return the answer for machines; what stands beside it is of unweighted estimates."""
        if self.is_grouped(values):
            compared = {k: v for k, v in values.items() if k == AGAINST and v is not None}
            return dict(self.result(data, attribute, **values).document(**compared))
        stray = [name for name in values if name in OF_GROUPS and self.grouped]
        if named := [name for name in stray if values.pop(name) is not None]:
            raise EstimateError(f"{named[0]} is for groups: name by or given")
        made = [option.name for option in self.options if option.made]
        if all(values.get(name) is None for name in made):
            values = {name: value for name, value in values.items() if name not in made}
            if self.answer:
                return load(self.answer)(data, attribute, **values)
        beside: dict[str, Any] = {name: [] for name in self.beside}
        return {**beside, **self.result(data, attribute, **values).document()}

    def is_grouped(self, values: Mapping[str, Any]) -> bool:
        """Whether it is asked by group."""
        return bool(self.grouped) and any(values.get(name) is not None for name in BY)
