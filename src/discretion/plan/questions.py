"""The questions of an author's plan: each attribute with the mechanism that perturbs it."""

from collections.abc import Callable, Mapping

from discretion.mechanism.registry import (
    CODED,
    MECHANISMS,
    NUMBERS,
    OPEN,
    OPTIMAL,
    ORDERED,
    SAMPLED,
    SECRET,
    STAGED,
    VARIANTS,
)
from discretion.plan.applies import Above, read_applies
from discretion.plan.attributes import (
    check_listed,
    read_categorical,
    read_moment,
    read_numeric,
    read_ordinal,
    resolved,
)
from discretion.plan.auto import (
    ANY,
    AUTO,
    BEST,
    MOST_BYTES,
    fitting,
    least_variance,
    wished_bytes,
)
from discretion.plan.encodings import (
    FLAT,
    check_cohorts,
    read_encoding,
    read_intervals,
    read_sampled,
    read_sketch,
    stated_name,
)
from discretion.plan.field import Field
from discretion.plan.parameters import (
    ASSIGNED,
    DRAWN,
    Asked,
    Codewords,
    Columns,
    FewBits,
    Numbers,
    Optimal,
    Parameters,
    Sets,
    Sketches,
)
from discretion.plan.policy import read_policy
from discretion.plan.prefixes import read_discovered
from discretion.plan.sets import read_map, read_set
from discretion.plan.stages import Staged, read_stages
from discretion.plan.variants import read_variant
from discretion.plan.wording import ATTRIBUTE
from discretion.schema import MOMENTS, NOT_APPLICABLE, Attribute, Text

LABELS = (*MECHANISMS, *CODED, *SAMPLED, *STAGED, *VARIANTS)
INTERVALS = "hierarchy"
TEXT = "hcms"  # a few bytes, whatever there is to say


def read_questions(field: Field, budget: Field, *, secret: bool) -> tuple[Asked, ...]:
    """Return each attribute and the mechanism that perturbs it, ``auto`` resolved."""
    asked: list[Asked] = []
    for item in field.items():
        above = {attribute.name: attribute for attribute, _ in asked}
        asked.append(_question(item, budget, above, secret=secret))
    names = [attribute.name for attribute, _ in asked]
    if len(set(names)) < len(names):
        field.fail(f"names must differ ({', '.join(n for n in names if names.count(n) > 1)})")
    check_cohorts(field, [own.cohorts for _, own in asked if not own.apart])
    return tuple(asked)


def _question(field: Field, budget: Field, above: Above, *, secret: bool) -> Asked:
    kind = field.named("kind").one_of(KINDS)
    return KINDS[kind](field, budget, above, secret)


def _categorical(field: Field, budget: Field, above: Above, secret: bool) -> Asked:
    return _perturbed(read_categorical(field), field, budget, above, secret=secret)


def _ordinal(field: Field, budget: Field, above: Above, secret: bool) -> Asked:
    return _perturbed(read_ordinal(field), field, budget, above, secret=secret)


def _numeric(field: Field, budget: Field, above: Above, secret: bool) -> Asked:
    kind = field.named("kind").text()
    attribute = read_moment(field, kind) if kind in MOMENTS else read_numeric(field)
    if secret and not attribute.listed:
        field.fail("a numeric attribute needs bins in a plan with secret allocation")
    return _perturbed(attribute, field, budget, above, secret=secret)


def _perturbed(
    domain: Attribute, field: Field, budget: Field, above: Above, *, secret: bool
) -> Asked:
    """Return an attribute of labels or of a number, and its mechanism, stated or chosen."""
    common = field.each()
    attribute = read_applies(common["applies"], domain, above) if "applies" in common else domain
    stated = common.get("mechanism")
    most = wished_bytes(stated)
    if most is None:
        mechanism = _named(common["mechanism"], attribute, secret=secret)
    else:
        mechanism = _chosen(stated or field, attribute, most, budget, secret=secret)
    if mechanism in ORDERED:
        attribute = _ordered(common, attribute)
    if "ranges" in common and mechanism in LABELS:
        numbers = ", ".join((*NUMBERS, OPTIMAL))
        common["ranges"].fail(f"must be with a mechanism for numbers ({numbers})")
    if mechanism in LABELS:
        check_listed(field, attribute)
    if attribute.conditions and mechanism in VARIANTS:
        common["mechanism"].fail(
            f"must not be {mechanism} with applies: {NOT_APPLICABLE} needs the protection that "
            "all values have alike"
        )
    return attribute, _parameters(stated or field, mechanism, attribute)


def _ordered(common: Mapping[str, Field], attribute: Attribute) -> Attribute:
    """Return an attribute with a code for every value, if intervals of these mean something."""
    for key in ("applies", "ranges"):
        if key in common:
            common[key].fail("must not be with intervals of all values (hierarchy)")
    if not attribute.ordered:
        rule = "must be on a number without bins, or on labels in order (kind: ordinal)"
        common["mechanism"].fail(rule)
    return resolved(attribute)


def _text(field: Field, _: Field, __: Above, secret: bool) -> Asked:
    if "applies" in field.each():
        field.named("applies").fail("must be on labels or bins (a text has no list of values)")
    fields = field.mapping(("name", "kind"), ("mechanism", "discover", *ATTRIBUTE))
    if secret:
        field.fail(
            "a text cannot be in a plan with secret allocation (its report reveals the level)"
        )
    stated, name = fields.get("mechanism"), fields["name"].text()
    if "discover" in fields:
        return read_discovered(name, fields["discover"], stated)
    mechanism = TEXT
    if stated is not None and stated.value != AUTO:
        mechanism = stated_name(stated, tuple(OPEN)) or stated.one_of((AUTO, *OPEN))
    return Text(name), Sketches(mechanism=mechanism, encoding=read_sketch(stated, mechanism))


KINDS: Mapping[
    str, Callable[[Field, Field, Above, bool], Asked]
] = {  # of attributes: their readers
    "categorical": _categorical,
    "ordinal": _ordinal,
    "numeric": _numeric,
    **dict.fromkeys(MOMENTS, _numeric),
    "text": _text,
    "set": read_set,
    "map": read_map,
}


def _is_number(attribute: Attribute) -> bool:
    """Whether values are numbers; bins are labels."""
    return attribute.number is not None and not attribute.listed


def _chosen(field: Field, attribute: Attribute, most: int, budget: Field, *, secret: bool) -> str:
    """Return the best mechanism whose reports have at most so many bytes."""
    if _is_number(attribute) and not secret:
        if isinstance(field.value, dict) and AUTO in field.value:
            field.fail("must be on labels or bins (a number's reports are short)")
        return "window"
    if attribute.ordered and attribute.size > FLAT and not secret:
        intervals = read_intervals(field, INTERVALS, attribute.size)
        if intervals.law(attribute, ANY).n_bytes <= most:
            return INTERVALS
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
    allowed = (*LABELS, *ORDERED, *numbers) if _is_number(attribute) else (*LABELS, *ORDERED)
    name = stated_name(field) or field.one_of((AUTO, *allowed))
    if secret and name not in SECRET:
        field.fail("must be oue in a plan with secret allocation (others would reveal the level)")
    return name


def _parameters(field: Field, mechanism: str, attribute: Attribute) -> Parameters:
    """Return the mechanism with what its author states about it."""
    if mechanism in MECHANISMS:
        return Sets(mechanism=mechanism, assigned=_function(field, mechanism) == ASSIGNED)
    if mechanism in CODED:
        return Codewords(
            mechanism=mechanism, encoding=read_encoding(field, mechanism, attribute.size)
        )
    if mechanism in SAMPLED:
        return FewBits(mechanism=mechanism, encoding=read_sampled(field, mechanism, attribute.size))
    if mechanism in STAGED:
        return Staged(mechanism=mechanism, stages=read_stages(field, mechanism))
    if mechanism in VARIANTS:
        return Columns(mechanism=mechanism, variant=read_variant(field, mechanism, attribute))
    if mechanism in ORDERED:
        return read_intervals(field, mechanism, attribute.size)
    if mechanism == OPTIMAL:
        return Optimal(mechanism=mechanism)  # its tables follow from the budget
    return Numbers(mechanism=mechanism)


def _function(field: Field, mechanism: str) -> str:
    """Return who chooses the function of a hashed attribute: the device by a draw, as a rule.

    ``{olh: {function: assigned}}`` says that it comes with the credential.
    """
    if not isinstance(field.value, Mapping) or mechanism not in field.value:
        return DRAWN  # the name alone, or chosen by auto
    parts = field.mapping((mechanism,))[mechanism].mapping(("function",))
    return parts["function"].one_of((DRAWN, ASSIGNED))
