"""To whom a question applies, from a condition such as ``${work} = 'employed' or ...``.

A set of answers to one question is an integer with a bit for each code, or for each point of a
number's grid, and a last bit for "not applicable" where that question has a condition itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from discretion.forms.expression import Complex, evaluate
from discretion.schema import Attribute, Condition, Numeric

Rule = Mapping[str, int]  # by attribute: the answers that are allowed; all of them must be
NEVER = "its condition never holds"
Meant = Mapping[str, Attribute]  # by the name that the form has


def read_applies(texts: tuple[str, ...], asked: Meant, today: date) -> dict[str, Any]:
    """Return the author's ``applies`` for conditions that must all hold, or raise ``Complex``.

    It is empty where they hold for everybody.
    """
    algebra, rule = _Allowing(asked), dict[str, int]()
    for text in texts:
        rule = dict(algebra.both(rule, evaluate(text, algebra, today)))
    known = {attribute.name: attribute for attribute in asked.values()}
    rule = {name: _without_others(known[name], rule, allowed) for name, allowed in rule.items()}
    if any(not allowed for allowed in rule.values()):
        raise Complex(NEVER)
    return {
        name: _stated(known[name], allowed)
        for name, allowed in rule.items()
        if allowed != _everything(known[name])
    }


@dataclass(frozen=True)
class _Allowing:
    asked: Meant

    def compare(self, field: str, sign: str, value: str) -> Rule:
        if not field:
            raise Complex("it is about the question itself")
        if field not in self.asked:
            raise Complex(f"it depends on {field!r}, which the plan does not ask above it")
        attribute = self.asked[field]
        if not value:
            raise Complex(f"it asks whether {field!r} was answered")
        if attribute.quantity is not None:
            return {attribute.name: _points(attribute, attribute.quantity, sign, value)}
        if sign not in ("=", "!="):
            raise Complex(f"it compares the labels of {field!r} as numbers")
        labels = attribute.labels
        equal = 1 << labels.index(value) if value in labels else 0
        return {attribute.name: equal if sign == "=" else _everything(attribute) ^ equal}

    def both(self, one: Rule, other: Rule) -> Rule:
        shared = {name: one[name] & other[name] for name in one if name in other}
        return {**one, **other, **shared}

    def either(self, one: Rule, other: Rule) -> Rule:
        if len({*one, *other}) > 1:
            raise Complex(f"it joins conditions about {' and '.join({**one, **other})} by or")
        return {name: one[name] | other[name] for name in one if name in other}

    def negate(self, one: Rule) -> Rule:
        if len(one) != 1:
            raise Complex("it has not() around conditions about several questions")
        return {name: _everything(self._named(name)) ^ allowed for name, allowed in one.items()}

    def _named(self, name: str) -> Attribute:
        return next(each for each in self.asked.values() if each.name == name)


def _without_others(attribute: Attribute, rule: Rule, allowed: int) -> int:
    """Take "not applicable" from what is allowed, if the rule itself excludes it."""
    implied = all(
        not rule.get(each.attribute.name, -1) & ~_meeting(each) for each in attribute.conditions
    )
    return allowed & ~(1 << _size(attribute) - 1) if attribute.conditions and implied else allowed


def _meeting(condition: Condition) -> int:
    """Return the answers that meet a condition of a plan."""
    source, ends = condition.attribute, condition.ends
    if source.quantity is None or ends is None:
        return sum(1 << source.labels.index(label) for label in condition.labels)
    grid = source.quantity
    first, last = ((end - grid.low) // grid.step for end in ends)
    return (1 << last + 1) - (1 << first)


def _size(attribute: Attribute) -> int:
    """Return how many bits an attribute has; labels have "not applicable" among them already."""
    if attribute.quantity is None:
        return attribute.size
    return attribute.quantity.n_points + bool(attribute.conditions)


def _everything(attribute: Attribute) -> int:
    return (1 << _size(attribute)) - 1


def _points(attribute: Attribute, grid: Numeric, sign: str, value: str) -> int:
    """Return the points of a grid that a comparison allows; only != allows that there is none."""
    try:
        place = (number_of(grid, value) / grid.unit - grid.low) / grid.step
    except (TypeError, ValueError):
        raise Complex(f"{value!r} is no value of {attribute.name!r}") from None
    count = grid.n_points
    below = min(max(-(-place.numerator // place.denominator), 0), count)  # points under it
    upto = min(max(place.numerator // place.denominator + 1, 0), count)  # and with it
    every = (1 << count) - 1
    match sign:
        case "<":
            return (1 << below) - 1
        case "<=":
            return (1 << upto) - 1
        case ">":
            return every ^ ((1 << upto) - 1)
        case ">=":
            return every ^ ((1 << below) - 1)
    equal = ((1 << upto) - 1) ^ ((1 << below) - 1)
    return equal if sign == "=" else _everything(attribute) ^ equal


def number_of(grid: Numeric, value: str) -> Fraction:
    """Return a constant of a form as a number; a date or a time of day as the plan counts it."""
    exact = getattr(grid, "exact", None) if grid.calendar else Fraction
    return exact(value)  # type: ignore[misc]


def _stated(attribute: Attribute, allowed: int) -> Sequence[object]:
    """Return what is allowed as an author writes it: labels, or the ends of a range."""
    grid = attribute.quantity
    if grid is None:
        return [label for code, label in enumerate(attribute.labels) if allowed >> code & 1]
    first, last = (allowed & -allowed).bit_length() - 1, allowed.bit_length() - 1
    whole = ((1 << (last - first + 1)) - 1) << first
    if allowed != whole or last >= grid.n_points:
        raise Complex(f"what it allows of {attribute.name!r} is no range")
    ends = [grid.write(grid.low + place * grid.step) for place in (first, last)]
    return ends if grid.calendar else [Decimal(end) for end in ends]
