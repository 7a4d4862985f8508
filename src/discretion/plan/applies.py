"""To whom a question applies: ``applies: {work: [employed], age: [18, 64]}`` in an author's plan.

Of labels it lists those that are allowed, of a number the least and the most. A condition is about
an attribute that stands above, so it is answered first, and no question depends on itself.
"""

from collections.abc import Mapping

from discretion.errors import meant
from discretion.plan.attributes import MOST_CODES, read_point
from discretion.plan.field import Field
from discretion.plan.legibility import visible
from discretion.schema import NOT_APPLICABLE, Attribute, Condition, Conditional, Numeric

Above = Mapping[str, Attribute]  # the attributes that a condition may be about


def read_applies(field: Field, domain: Attribute, above: Above) -> Conditional:
    """Return an attribute with the conditions under which it applies."""
    if not domain.listed:
        field.fail(
            f"must be on labels or bins: add bins, beside which {NOT_APPLICABLE!r} is one more "
            "value (a number without bins has none to spare)"
        )
    if any(visible(label) == NOT_APPLICABLE for label in domain.labels):
        field.fail(
            f"must not be with a label {NOT_APPLICABLE!r}, which devices report by themselves"
        )
    if not field.each():
        field.fail("must name an attribute, and which of its values this question is for")
    conditions = [_condition(each, name, above) for name, each in field.each().items()]
    places = {name: place for place, name in enumerate(above)}
    conditions.sort(key=lambda each: places[each.attribute.name])
    attribute = Conditional(domain, tuple(conditions))
    if attribute.size > MOST_CODES:
        field.fail(f"must have at most {MOST_CODES} values, {NOT_APPLICABLE!r} included")
    return attribute


def _condition(field: Field, name: str, above: Above) -> Condition:
    if name not in above:
        known = ", ".join(above) or "none stands there"
        field.fail(
            "must be about an attribute that stands above, so that it is answered first "
            f"({known}){meant(name, above)}"
        )
    source = above[name]
    if source.quantity is not None:
        return Condition(source, ends=_ends(field, source.quantity))
    if not source.listed:
        field.fail("must be about labels or a number (a text has no list of values)")
    stated = {item.label_of(source.labels) for item in field.items()}
    labels = tuple(label for label in source.labels if label in stated)
    if len(labels) == source.size:
        field.fail("must leave a value out, or the question applies to everybody")
    return Condition(source, labels)


def _ends(field: Field, grid: Numeric) -> tuple[int, int]:
    """Return two points of a grid as the plan counts: in its units."""
    ends = [read_point(item, type(grid)) / grid.unit for item in field.items()]
    low, high = grid.low, grid.high
    if len(ends) != 2 or not low <= ends[0] <= ends[1] <= high:
        field.fail("must be the least and the most number, in its range")
    if any((end - low) % grid.step for end in ends):
        field.fail("must be points of the grid")
    if ends == [low, high]:
        field.fail("must leave a number out, or the question applies to everybody")
    return int(ends[0]), int(ends[1])
