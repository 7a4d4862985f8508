"""The domains of an author's attributes: labels, or a grid of numbers."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar, cast

from discretion.plan.field import Field
from discretion.plan.wording import ATTRIBUTE, code_field
from discretion.schema import MOMENTS, Attribute, Categorical, Date, Moment, Numeric, Ordinal, Time
from discretion.schema.categorical import OTHER

STEPS = {"day": 1, "week": 7}
COMMON = ("mechanism", "applies", *ATTRIBUTE)  # what may be stated of all of them
G = TypeVar("G", bound=Numeric)
MOST_PLACES = 12
EXACT = 1 << 53
MOST_CODES = 1 << 12  # an estimate has a covariance for each pair of codes
MOST_POINTS = 1 << 20  # of a grid that is reported as a number, or by intervals


def read_categorical(field: Field) -> Categorical:
    """Return an attribute with labels, and where one the plan does not know belongs."""
    return _sized(field, _categorical(field, Categorical))


def read_ordinal(field: Field) -> Categorical:
    """Return an attribute whose labels stand in their order, from the lowest up."""
    return _sized(field, _categorical(field, Ordinal))


def resolved(attribute: Attribute) -> Attribute:
    """Return a number with a code for every point of its grid; anything else as it is."""
    number = attribute.number
    if number is None or attribute.listed:
        return attribute
    return replace(number, most_codes=MOST_POINTS)


def read_numeric(field: Field) -> Numeric:
    """Return a number on a grid, or in bins."""
    return _checked(field, _numeric(field))


def check_listed(field: Field, attribute: Attribute) -> None:
    """Refuse a grid of which not every point can be a label."""
    number = attribute.number
    if number is not None and not attribute.listed:
        _check_size(field, number.n_points, MOST_CODES)


def read_moment(field: Field, kind: str) -> Moment:
    """Return a date or a time of day, on a grid or in bins."""
    made = MOMENTS[kind]
    fields = field.mapping(("name", "kind", "range"), ("step", "bins", "ranges", *COMMON))
    step = _step(fields["step"], made) if "step" in fields else Fraction(1)
    return _checked(field, _grid(field, fields, made, step))


def read_point(field: Field, made: type[Numeric]) -> Fraction:
    """Return a point of a grid; a date, or a time of day, as a number."""
    if not made.calendar:
        return field.number()
    moment, value = cast("type[Moment]", made), field.value
    try:
        if moment is Time and isinstance(value, int):
            value = moment.written(value)  # YAML reads 22:00 as minutes
        found = moment.exact(value)
    except (TypeError, ValueError):
        field.fail(f"must be a {moment.kind} such as {moment.example}")
    if found.denominator > 1:
        field.fail("must be a whole minute")
    return found


def _step(field: Field, made: type[Moment]) -> Fraction:
    """Return a step of days, or of minutes."""
    if made is Date and isinstance(field.value, str) and field.value in STEPS:
        return Fraction(STEPS[field.value])
    return Fraction(field.whole(1, MOST_CODES))


def _checked(field: Field, attribute: G) -> G:
    """Return a number if its grid is not too fine, or if it has not too many bins."""
    if attribute.listed:
        _check_size(field, attribute.size, MOST_CODES)
    else:
        _check_size(field, attribute.n_points, MOST_CODES if attribute.ranges else MOST_POINTS)
    return attribute


def read_labels(field: Field) -> tuple[str, ...]:
    """Return a list of labels, beside each of which there may be what people call it."""
    labels = tuple(code_field(item).label() for item in field.items())
    if len(set(labels)) < len(labels):
        field.fail("labels must differ")
    return labels


def read_grid(field: Field, fields: Mapping[str, Field]) -> Numeric:
    """Return the grid that ``range`` and ``step`` among the fields state."""
    return _checked(field, _grid(field, fields, Numeric, fields["step"].number()))


def _sized(field: Field, attribute: Categorical) -> Categorical:
    """Return an attribute if its list of codes is not too long."""
    _check_size(field, attribute.size, MOST_CODES)
    return attribute


def _check_size(field: Field, size: int, most: int) -> None:
    if not 2 <= size <= most:
        field.fail(f"must have 2 to {most} values (a coarser step, or bins), and has {size}")


def _categorical(field: Field, made: type[Categorical]) -> Categorical:
    fields = field.mapping(("name", "kind", "values"), ("fallback", *COMMON))
    labels = read_labels(fields["values"])
    fallback = OTHER if OTHER in labels else labels[-1]
    if "fallback" in fields:
        stated = fields["fallback"].label()
        if stated not in labels or (OTHER in labels and stated != OTHER):
            fields["fallback"].fail(f"must be one of the values, and {OTHER} if that is one")
        fallback = stated
    assumed = "fallback" not in fields and OTHER not in labels
    return made(fields["name"].text(), labels, fallback, assumed)


def _numeric(field: Field) -> Numeric:
    more = ("bins", "ranges", "rounding", *COMMON)
    fields = field.mapping(("name", "kind", "range", "step"), more)
    number = _grid(field, fields, Numeric, fields["step"].number())
    if "rounding" not in fields:
        return number
    fields["rounding"].one_of(("kept",))
    if number.listed:
        fields["rounding"].fail("must be of a number without bins")
    return replace(number, kept=True)


def _grid(field: Field, fields: Mapping[str, Field], made: type[G], step: Fraction) -> G:
    ends = _ends(fields["range"], made)
    if step <= 0 or (ends[1] - ends[0]) % step:
        fields.get("step", field).fail("must be above zero and divide the range")
    stated = fields["ranges"].items() if "ranges" in fields else []
    ranges = [_part(item, ends, step, made) for item in stated]
    if len({*ranges, ends}) < 1 + len(ranges):
        fields["ranges"].fail("must differ from each other and from the whole range")
    bins = fields["bins"].items() if "bins" in fields else []
    edges = [read_point(item, made) for item in bins]
    exponent = _exponent([*ends, step, *edges])
    if exponent is None:
        field.fail(f"grid numbers may have at most {MOST_PLACES} decimal places")
    unit = Fraction(10) ** exponent
    whole = [int(x / unit) for x in (*ends, step, *edges)]
    if max(map(abs, whole)) >= EXACT:
        field.fail("grid numbers, as integers, must be below 2^53 (JavaScript reads no others)")
    low, high, stride, *inner = whole
    if "bins" in fields and not _are_edges(inner, low, high, stride):
        fields["bins"].fail(
            "must be rising grid points from the lower to the upper end of the range"
        )
    parts = tuple((int(a / unit), int(b / unit)) for a, b in ranges)
    return made(fields["name"].text(), low, high, stride, exponent, tuple(inner) or None, parts)


def _ends(field: Field, made: type[Numeric]) -> tuple[Fraction, Fraction]:
    ends = [read_point(item, made) for item in field.items()]
    if len(ends) != 2 or ends[0] >= ends[1]:
        field.fail(
            "must be two numbers, the smaller first"
            if not made.calendar
            else "must be two, the earlier first"
        )
    return ends[0], ends[1]


def _part(
    field: Field, whole: tuple[Fraction, Fraction], step: Fraction, made: type[Numeric]
) -> tuple[Fraction, Fraction]:
    """Return a range that an owner may choose: from one grid point to another."""
    low, high = _ends(field, made)
    if low < whole[0] or high > whole[1] or (low - whole[0]) % step or (high - whole[0]) % step:
        field.fail("must lie in the range, with ends on its grid")
    return low, high


def _are_edges(edges: list[int], low: int, high: int, step: int) -> bool:
    rising = all(a < b for a, b in pairwise(edges))
    on_grid = all((edge - low) % step == 0 for edge in edges)
    return (edges[0], edges[-1]) == (low, high) and rising and on_grid


def _exponent(numbers: list[Fraction]) -> int | None:
    """Return the largest power of ten, 0 or below, that makes all numbers whole; None: too fine."""
    powers = range(0, -MOST_PLACES - 1, -1)
    return next((e for e in powers if all(x * 10**-e % 1 == 0 for x in numbers)), None)
