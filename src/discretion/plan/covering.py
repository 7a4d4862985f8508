"""The mechanisms of sets and maps as a plan states them, and what they say about one item."""

from typing import cast

from discretion.kind import Kind
from discretion.mechanism import Law, set_law
from discretion.mechanism.holding import holding_law
from discretion.plan.parameters import Family, Listed, Parameters
from discretion.schema import Attribute
from discretion.schema.entries import Entries
from discretion.schema.holding import Holding


class Covers(Parameters):
    """Of a set of items: codes of several of them."""

    family = Family.COVERS
    kind = Kind.SET

    @property
    def holding(self) -> "Holdings":
        return Holdings(mechanism=self.mechanism)

    def law(self, size: int, level: int) -> Law:
        raise NotImplementedError("the law of a set depends on its length: law_of()")

    def law_of(self, attribute: Attribute, level: int) -> Law:
        entries = cast("Entries", attribute)
        return set_law(self.mechanism, len(entries.symbols), entries.length, level)


class Symbols(Covers):
    """Of a map: each key with one end of the range or the other."""

    kind = Kind.MAP


class Holdings(Listed):
    """Of one item of a set or of a few: columns of a matrix, read off the reports about the set."""

    family = Family.COLUMNS

    def law(self, size: int, level: int) -> Law:
        raise NotImplementedError("the law of an item depends on its set: law_of()")

    def law_of(self, attribute: Attribute, level: int) -> Law:
        entries = cast("Holding", attribute.parts[0]).entries
        law = set_law(self.mechanism, len(entries.symbols), entries.length, level)
        return holding_law(law, len(attribute.parts), entries.sides)
