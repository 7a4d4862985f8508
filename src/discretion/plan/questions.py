"""The attributes of an author's plan, each with its mechanism."""

from fractions import Fraction
from itertools import pairwise

from discretion.mechanism import Coding
from discretion.mechanism.registry import (
    CODED,
    MECHANISMS,
    NUMBERS,
    OPEN,
    OPTIMAL,
    SECRET,
    VARIANTS,
)
from discretion.plan.auto import (
    AUTO,
    BEST,
    MOST_BYTES,
    fitting,
    least_variance,
    wished_bytes,
)
from discretion.plan.codings import (
    WORDED,
    Codings,
    check_codings,
    read_coding,
    read_sketch,
    stated_name,
)
from discretion.plan.field import Field
from discretion.plan.policy import read_policy
from discretion.schema import Attribute, Categorical, Numeric, Text
from discretion.schema.categorical import OTHER

MOST_PLACES = 12
EXACT = 1 << 53
MOST_CODES = 1 << 12  # an estimate has a covariance for each pair of codes
LABELS = (*MECHANISMS, *CODED, *VARIANTS)
TEXT = "hcms"  # a few bytes, whatever there is to say

Questions = tuple[tuple[Attribute, str], ...]


def read_questions(field: Field, budget: Field, *, secret: bool) -> tuple[Questions, Codings]:
    """Return each attribute and the mechanism that perturbs it, ``auto`` resolved, and words."""
    read = [_question(item, budget, secret=secret) for item in field.items()]
    names = [attribute.name for attribute, _, _ in read]
    if len(set(names)) < len(names):
        field.fail(f"names must differ ({', '.join(n for n in names if names.count(n) > 1)})")
    codings = tuple((attribute.name, coding) for attribute, _, coding in read if coding)
    check_codings(field, codings)
    return tuple((attribute, mechanism) for attribute, mechanism, _ in read), codings


def _question(field: Field, budget: Field, *, secret: bool) -> tuple[Attribute, str, Coding | None]:
    common = field.mapping(
        ("name", "kind"), ("values", "fallback", "range", "step", "bins", "ranges", "mechanism")
    )
    attribute: Attribute
    if common["kind"].one_of(("categorical", "numeric", "text")) == "text":
        return _text(field, secret=secret)
    if common["kind"].value == "categorical":
        attribute = _categorical(field)
    else:
        attribute = _numeric(field)
        if secret and attribute.edges is None:
            field.fail("a numeric attribute needs bins in a plan with secret allocation")
    if not 2 <= attribute.size <= MOST_CODES:
        field.fail(
            f"must have 2 to {MOST_CODES} values (a coarser step, or bins), "
            f"and has {attribute.size}"
        )
    stated = common.get("mechanism")
    most = wished_bytes(stated)
    if most is None:
        mechanism = _named(common["mechanism"], attribute, secret=secret)
    else:
        mechanism = _chosen(stated or field, attribute, most, budget, secret=secret)
    if "ranges" in common and mechanism in LABELS:
        common["ranges"].fail(f"must be with a mechanism for numbers ({_listed()})")
    if mechanism not in WORDED:
        return attribute, mechanism, None
    return attribute, mechanism, read_coding(common["mechanism"], mechanism, attribute.size)


def _text(field: Field, *, secret: bool) -> tuple[Attribute, str, Coding]:
    fields = field.mapping(("name", "kind"), ("mechanism",))
    if secret:
        field.fail("a text cannot be in a plan with secret allocation (its report tells the level)")
    stated, mechanism = fields.get("mechanism"), TEXT
    if stated is not None and stated.value != "auto":
        mechanism = stated_name(stated, tuple(OPEN)) or stated.one_of(("auto", *OPEN))
    return Text(fields["name"].text()), mechanism, read_sketch(stated, mechanism)


def _is_number(attribute: Attribute) -> bool:
    """Whether values are numbers; bins are labels."""
    return isinstance(attribute, Numeric) and attribute.edges is None


def _listed() -> str:
    return ", ".join((*NUMBERS, OPTIMAL))


def _chosen(field: Field, attribute: Attribute, most: int, budget: Field, *, secret: bool) -> str:
    """Return the best mechanism whose reports have at most so many bytes."""
    if _is_number(attribute) and not secret:
        if isinstance(field.value, dict) and AUTO in field.value:
            field.fail("must be on labels or bins (a number's reports are short)")
        return "window"
    allowed = SECRET if secret else tuple(MECHANISMS)
    names = fitting(attribute.size, most, allowed)
    if not names:
        shortest = min(fitting(attribute.size, MOST_BYTES, allowed).values())
        field.fail(f"must allow {shortest} bytes or more, which the shortest report has")
    if secret:
        return SECRET[0]
    if BEST in names:
        return BEST
    return least_variance(names, attribute.size, read_policy(budget, range(0)).menu)


def _named(field: Field, attribute: Attribute, *, secret: bool) -> str:
    numbers = (*NUMBERS, OPTIMAL)
    if field.value in numbers and not _is_number(attribute):
        field.fail("must be on a numeric attribute without bins")
    allowed = (*LABELS, *numbers) if _is_number(attribute) else LABELS
    name = stated_name(field) or field.one_of((AUTO, *allowed))
    if secret and name not in SECRET:
        field.fail("must be oue in a plan with secret allocation (others would tell the level)")
    return name


def _categorical(field: Field) -> Categorical:
    fields = field.mapping(("name", "kind", "values"), ("fallback", "mechanism"))
    labels = tuple(item.label() for item in fields["values"].items())
    if len(set(labels)) < len(labels):
        fields["values"].fail("labels must differ")
    fallback = OTHER if OTHER in labels else labels[-1]
    if "fallback" in fields:
        stated = fields["fallback"].label()
        if stated not in labels or (OTHER in labels and stated != OTHER):
            fields["fallback"].fail(f"must be one of the values, and {OTHER} if that is one")
        fallback = stated
    return Categorical(fields["name"].text(), labels, fallback)


def _numeric(field: Field) -> Numeric:
    fields = field.mapping(("name", "kind", "range", "step"), ("bins", "ranges", "mechanism"))
    ends = _ends(fields["range"])
    step = fields["step"].number()
    if step <= 0 or (ends[1] - ends[0]) % step:
        fields["step"].fail("must be above zero and divide the range")
    ranges = (
        [_part(item, ends, step) for item in fields["ranges"].items()] if "ranges" in fields else []
    )
    if len({*ranges, ends}) < 1 + len(ranges):
        fields["ranges"].fail("must differ from each other and from the whole range")
    edges = [item.number() for item in fields["bins"].items()] if "bins" in fields else []
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
    return Numeric(fields["name"].text(), low, high, stride, exponent, tuple(inner) or None, parts)


def _ends(field: Field) -> tuple[Fraction, Fraction]:
    ends = [item.number() for item in field.items()]
    if len(ends) != 2 or ends[0] >= ends[1]:
        field.fail("must be two numbers, the smaller first")
    return ends[0], ends[1]


def _part(
    field: Field, whole: tuple[Fraction, Fraction], step: Fraction
) -> tuple[Fraction, Fraction]:
    """Return a range that an owner may choose: from one grid point to another."""
    low, high = _ends(field)
    if low < whole[0] or high > whole[1] or (low - whole[0]) % step or (high - whole[0]) % step:
        field.fail("must lie in the range, with ends on its grid")
    return low, high


def _are_edges(edges: list[int], low: int, high: int, step: int) -> bool:
    rising = all(a < b for a, b in pairwise(edges))
    return (
        (edges[0], edges[-1]) == (low, high)
        and rising
        and all((e - low) % step == 0 for e in edges)
    )


def _exponent(numbers: list[Fraction]) -> int | None:
    """Return the largest power of ten, 0 or below, that makes all numbers whole; None: too fine."""
    powers = range(0, -MOST_PLACES - 1, -1)
    return next((e for e in powers if all(x * 10**-e % 1 == 0 for x in numbers)), None)
