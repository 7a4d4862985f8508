"""What a plan states of attributes that are private by a variant: shares, sensitive values, places.

An author writes them by label, or as a list in the order of the values; a document has lists.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from discretion.mechanism import Places, Sensitive, Shares, Variant
from discretion.mechanism.idldp import MOST_SHARES
from discretion.mechanism.matrix import MOST
from discretion.plan.field import Field
from discretion.schema import Attribute

LARGEST = 1_000_000  # thousandths of the scale that a coordinate may be from zero
MOST_AXES = 2
IN_THOUSANDTHS = ("shares", "places")


def read_variant(field: Field, mechanism: str, attribute: Attribute) -> Variant:
    """Return what is stated of an attribute whose mechanism is a variant."""
    if attribute.size > MOST:
        field.fail(f"{mechanism} is for at most {MOST} values, and there are {attribute.size}")
    return READERS[mechanism](field, attribute.labels)


def _shares(field: Field, labels: Sequence[str]) -> Shares:
    fields = _parts(field, "idldp", ("shares",))
    if "shares" not in fields:
        field.fail("must state shares of the level, such as {idldp: {shares: {hiv: 0.5}}}")
    given = dict(_by_label(fields["shares"], labels))
    shares = tuple(_share(given[label]) if label in given else 1000 for label in labels)
    if len(set(shares)) > MOST_SHARES:
        fields["shares"].fail(f"must be at most {MOST_SHARES} different parts of the level")
    return Shares(shares)


def _share(field: Field) -> int:
    share = field.number() * 1000
    if share.denominator != 1 or not 1 <= share <= 1000:
        field.fail("must be a part of the level from 0.001 to 1, in whole thousandths")
    return int(share)


def _sensitive(field: Field, labels: Sequence[str]) -> Sensitive:
    fields = _parts(field, "uldp", ("sensitive",))
    if "sensitive" not in fields:
        field.fail("must state the values to protect, such as {uldp: {sensitive: [hiv]}}")
    given = [_label(item, labels) for item in fields["sensitive"].items()]
    if len(set(given)) < len(given) or len(given) == len(labels):
        fields["sensitive"].fail("must be different values, and not all of them (that is grr)")
    return Sensitive(len(labels), tuple(sorted(labels.index(label) for label in given)))


def _places(field: Field, labels: Sequence[str]) -> Places:
    fields = _parts(field, "metric", ("places", "scale"))
    scale = fields["scale"].number() if "scale" in fields else 1
    if scale <= 0:
        fields["scale"].fail("must be above zero: the distance at which the whole level applies")
    order = (round(1000 * code / scale) for code in range(len(labels)))
    places: tuple[tuple[int, ...], ...] = tuple((place,) for place in order)
    if "places" in fields:
        given = dict(_by_label(fields["places"], labels))
        if missing := [label for label in labels if label not in given]:
            fields["places"].fail(f"must have a place for every value, and {missing[0]} has none")
        each = [_coordinates(given[label]) for label in labels]
        places = tuple(tuple(round(1000 * x.number() / scale) for x in own) for own in each)
        if len(set(map(len, places))) > 1:
            fields["places"].fail("must all have equally many coordinates")
    where = fields.get("places", fields.get("scale", field))
    if len(set(places)) < len(places):
        where.fail("must be a thousandth of the scale apart at least")
    if any(abs(x) > LARGEST for place in places for x in place):
        where.fail(f"must be at most {LARGEST // 1000} scales from zero")
    return Places(places)


def _coordinates(field: Field) -> list[Field]:
    items = field.items() if isinstance(field.value, list | tuple) else [field]
    if len(items) > MOST_AXES:
        field.fail("must be one number, or two")
    return items


def _parts(field: Field, mechanism: str, known: Sequence[str]) -> Mapping[str, Field]:
    """Return what is stated beside the name; nothing, where the name stands alone."""
    if not isinstance(field.value, Mapping):
        return {}
    return field.mapping((mechanism,))[mechanism].mapping((), known)


def _by_label(field: Field, labels: Sequence[str]) -> Iterator[tuple[str, Field]]:
    """Yield labels with what is said of each: by label, or in the order of all."""
    if not isinstance(field.value, Mapping):
        items = field.items()
        if len(items) != len(labels):
            field.fail(f"must be one for each of the {len(labels)} values")
        yield from zip(labels, items, strict=True)
        return
    for key, own in field.mapping((), field.value).items():
        yield _label(Field(own.source, own.path, key), labels), own


def _label(field: Field, labels: Sequence[str]) -> str:
    if (label := field.label()) not in labels:
        shown = ", ".join(labels[:8]) + (", ..." if len(labels) > 8 else "")
        field.fail(f"must be one of the values ({shown})")
    return label


READERS: Mapping[str, Callable[[Field, Sequence[str]], Variant]] = {
    "idldp": _shares,
    "uldp": _sensitive,
    "metric": _places,
}
