"""Sets of items and maps of an author's plan: what is listed, and how many entries are reported.

``length`` is the most entries of an answer, or a menu of such numbers, of which the first is that
of owners who choose none. It is public, like a level. ``sets`` says that itemsets are reported, and
which: lists of items that an owner must have all of. With ``items: text`` nothing is listed: texts
have cells, by cohort, as ``{cover: {cells: 1024, cohorts: 64}}`` states.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from discretion.kind import Kind
from discretion.mechanism import SETS, TEXT_SETS, Encoding, Law, set_law
from discretion.mechanism.holding import holding_law
from discretion.mechanism.sketch import bucket
from discretion.plan.attributes import read_grid, read_labels
from discretion.plan.auto import AUTO
from discretion.plan.encodings import COHORTS, MOST_TEXT_COHORTS, stated_name
from discretion.plan.field import Field
from discretion.plan.parameters import Asked, Family, Listed, Parameters
from discretion.plan.wording import ATTRIBUTE
from discretion.schema import Attribute, ItemSet, Itemsets, KeyMap, TextSet
from discretion.schema.entries import Entries
from discretion.schema.holding import Holding, Mention
from discretion.schema.key_map import SIDES
from discretion.schema.text import FINGERPRINTS

COVER, TEXT = "cover", "text"
MOST_SYMBOLS = 1 << 12  # items, or keys times sides: a report has a bit for each
MOST_LENGTH = 64
MOST_TOGETHER = 8  # items of an itemset
CELLS, LEAST_CELLS = 1 << 10, 16
ZERO = Fraction(0)
ROOM = 4  # cells for each that is reported: with fewer, most are somebody's by accident
SECRET = (
    "must not be in a plan with secret allocation (how many codes a report has reveals the level)"
)


class Covers(Parameters):
    """Of a set of items: codes of several of them."""

    family = Family.COVERS
    kind = Kind.SET

    def holding(self, attribute: Attribute, label: str) -> Asked:
        held = Holding.of(cast("Entries", attribute), label)
        return held, Holdings(mechanism=self.mechanism)

    def law(self, attribute: Attribute, level: int) -> Law:
        entries = cast("Entries", attribute)
        return set_law(self.mechanism, len(entries.symbols), entries.length, level)


class Symbols(Covers):
    """Of a map: each key with one end of the range or the other."""

    kind = Kind.MAP


@dataclass(frozen=True, kw_only=True)
class HashedCovers(Parameters):
    """Of a set of texts: cells of several of them."""

    family = Family.CELLS
    kind = Kind.TEXTS

    encoding: Encoding

    def law(self, attribute: Attribute, level: int) -> Law:
        length = cast("Entries", attribute).length
        return TEXT_SETS[self.mechanism](self.encoding, length, level)

    def holding(self, attribute: Attribute, label: str) -> Asked:
        held = Mention.of(cast("Entries", attribute), label)
        return held, Mentions(mechanism=self.mechanism, encoding=self.encoding)

    def stated(self, labels: Sequence[str]) -> dict[str, Any]:
        return {"cells": self.encoding.bits, "cohorts": self.encoding.cohorts}


class Holdings(Listed):
    """Of one item of a set or of a few: columns of a matrix, read off the reports about the set."""

    family = Family.COLUMNS

    def law(self, attribute: Attribute, level: int) -> Law:
        entries = cast("Holding", attribute.parts[0]).entries
        law = set_law(self.mechanism, len(entries.symbols), entries.length, level)
        return holding_law(law, len(attribute.parts), entries.sides)

    def codes_of(self, part: Attribute) -> Sequence[Sequence[int]]:
        """Return which codes of a report are those of an item, in each cohort."""
        held = cast("Holding", part)
        sides = held.entries.sides
        return [range(sides * held.place, sides * (held.place + 1))]


@dataclass(frozen=True, kw_only=True)
class Mentions(Holdings):
    """The same of sets of texts: the cell of each text in the cohort of a report."""

    encoding: Encoding

    def law(self, attribute: Attribute, level: int) -> Law:
        held = cast("Mention", attribute.parts[0])
        law = TEXT_SETS[self.mechanism](self.encoding, held.entries.length, level)
        return holding_law(law.cover, len(attribute.parts), occupied=sum(held.occupied[:1], ZERO))

    def codes_of(self, part: Attribute) -> Sequence[Sequence[int]]:
        text, cells = cast("Mention", part).place, self.encoding.bits
        return [[bucket(cohort, text, cells)] for cohort in range(self.encoding.cohorts)]


def read_set(field: Field, _: Field, __: Mapping[str, Any], secret: bool) -> Asked:
    """Return a set of listed items, or of any texts."""
    fields = _fields(field, ("items",), secret, ("sets",))
    if fields["items"].value == TEXT:
        return _of_texts(fields)
    labels = _listed(fields["items"], MOST_SYMBOLS)
    made = Covers(mechanism=_mechanism(fields))
    if "sets" in fields:
        return _itemsets(fields, labels), made
    lengths = _lengths(fields["length"], len(labels))
    return ItemSet(fields["name"].text(), labels, lengths), made


def _itemsets(fields: Mapping[str, Field], items: Sequence[str]) -> Itemsets:
    """Return the itemsets that are reported in place of items."""
    field, places = fields["sets"], {item: place for place, item in enumerate(items)}
    sets = [_itemset(each, places) for each in field.items()]
    if not 2 <= len(sets) <= MOST_SYMBOLS:
        field.fail(f"must be 2 to {MOST_SYMBOLS}, and are {len(sets)}")
    found = Itemsets.of(fields["name"].text(), items, sets, _lengths(fields["length"], len(sets)))
    if len(set(found.labels)) < len(sets):
        field.fail("itemsets must differ, and so must their names")
    return found


def _itemset(field: Field, places: Mapping[str, int]) -> list[int]:
    members = [item.label_of(places) for item in field.items()]
    if len({*members}) < len(members) or len(members) > MOST_TOGETHER:
        field.fail(f"must be different items, at most {MOST_TOGETHER}")
    return sorted(places[member] for member in members)


def _of_texts(fields: Mapping[str, Field]) -> Asked:
    if "sets" in fields:
        fields["sets"].fail("must be of listed items")
    stated, own = fields.get("mechanism"), dict[str, Field]()
    mechanism = stated_name(stated, tuple(TEXT_SETS)) if stated is not None else None
    if stated is not None and mechanism is not None:
        own = dict(stated.mapping((mechanism,))[mechanism].mapping((), ("cells", "cohorts")))
    cells = own["cells"].whole(LEAST_CELLS, MOST_SYMBOLS) if "cells" in own else CELLS
    cohorts = own["cohorts"].whole(1, MOST_TEXT_COHORTS) if "cohorts" in own else COHORTS
    lengths = _lengths(fields["length"], cells // ROOM)
    encoding = Encoding(FINGERPRINTS, 1, cells, cohorts)
    attribute = TextSet(fields["name"].text(), (), lengths)
    return attribute, HashedCovers(mechanism=mechanism or _mechanism(fields), encoding=encoding)


def read_map(field: Field, _: Field, __: Mapping[str, Any], secret: bool) -> Asked:
    """Return a map: a number on one grid for some of the listed keys."""
    fields = _fields(field, ("keys", "range", "step"), secret)
    labels = _listed(fields["keys"], MOST_SYMBOLS // SIDES)
    lengths, grid = _lengths(fields["length"], len(labels)), read_grid(field, fields)
    mechanism = _mechanism(fields)
    return KeyMap(grid.name, labels, lengths, grid), Symbols(mechanism=mechanism)


def _fields(
    field: Field, own: tuple[str, ...], secret: bool, also: tuple[str, ...] = ()
) -> dict[str, Field]:
    if "applies" in field.each():
        field.named("applies").fail("must be on labels or bins")
    if secret:
        field.fail(SECRET)
    return field.mapping(("name", "kind", "length", *own), ("mechanism", *also, *ATTRIBUTE))


def _listed(field: Field, most: int) -> tuple[str, ...]:
    labels = read_labels(field)
    if not 2 <= len(labels) <= most:
        field.fail(f"must be 2 to {most}, and are {len(labels)}")
    return labels


def _lengths(field: Field, entries: int) -> tuple[int, ...]:
    items = field.items() if isinstance(field.value, list | tuple) else [field]
    most = min(entries, MOST_LENGTH)
    lengths = tuple(item.whole(1, most) for item in items)
    if len(set(lengths)) < len(lengths):
        field.fail("lengths must differ")
    return lengths


def _mechanism(fields: Mapping[str, Field]) -> str:
    stated = fields.get("mechanism")
    if stated is None or stated.value == AUTO:
        return COVER
    return stated.one_of((AUTO, *SETS))
