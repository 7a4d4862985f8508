"""A mechanism as a plan states it: its name, its parameters, and the law that follows from them.

There is one class for each way in which a report speaks about an answer: its *family*, which is all
that a reader of reports has to know about the mechanism.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, ClassVar, Self

from discretion.kind import Kind
from discretion.mechanism import (
    CODED,
    DISCOVERED,
    OPEN,
    ORDERED,
    SAMPLED,
    Encoding,
    Law,
    NumberLaw,
    SupportLaw,
    Table,
    Tree,
    Variant,
    law,
    matrix_law,
    number_law,
)
from discretion.mechanism.halfspace import signs
from discretion.mechanism.hierarchy import depths_of
from discretion.mechanism.table import Weights
from discretion.mechanism.window import window
from discretion.schema import Attribute

FOUR = 4  # children of a node of a quadtree
ASSIGNED, DRAWN = "assigned", "drawn"  # who chooses the function of a hashed attribute

UNIFORM = 12  # squared length of a range over the variance of numbers spread evenly in it

Tables = tuple[tuple[int, Weights], ...]  # of optimal mechanisms, by level


class Family(StrEnum):
    """What a report is, whatever mechanism made it."""

    noun: str  # what one report is called

    SETS = "sets", "a set of codes"  # those for which it speaks
    CODEWORDS = "codewords", "bits of codewords"  # or quantised bits; each code has some
    SKETCHES = "sketches", "a text"  # its buckets, or codeword; there is no list of codes
    PREFIXES = "prefixes", "a prefix of a text"  # of the bits that a code makes of it
    COLUMNS = "columns", "a column of a matrix"  # that has the likelihoods
    NUMBERS = "numbers", "a number"  # the output of a law for numbers
    INTERVALS = "intervals", "an interval of ordered values"  # by a law at one depth of a tree
    BLOCKS = "blocks", "several numbers"  # at a few levels each, as one output
    COVERS = "covers", "codes of a set"  # that meet the owner's own set, or miss it
    CELLS = "cells", "cells of a set of texts"  # that a cohort makes of it: likewise

    def __new__(cls, value: str, noun: str) -> "Family":
        family = str.__new__(cls, value)
        family._value_, family.noun = value, noun
        return family


@dataclass(frozen=True, kw_only=True)
class Parameters(ABC):
    """A mechanism, and what a plan may state beside its name."""

    family: ClassVar[Family]
    kind: ClassVar[Kind]  # as what the reports are estimated
    whole: ClassVar[bool] = True  # whether the question is estimated itself, and not its parts
    listed: ClassVar[bool] = False  # whether reports are about one of a list of codes
    decoded: ClassVar[bool] = False  # whether they are decoded to numbers, one for each part
    foreseen: ClassVar[bool] = False  # whether the relative variance can be worked out
    plane: ClassVar[bool] = False  # whether reports are about where two numbers lie
    own_bins: ClassVar[bool] = False  # whether numbers have bins that their attributes have not
    alone: ClassVar[bool] = False  # whether its number cannot also be in a bundle of numbers
    tabled: ClassVar[bool] = False  # whether the law is a table, which follows from the budget

    mechanism: str
    encoding: Encoding | None = None  # the codewords or buckets of codes
    variant: Variant | None = None  # how values are private, where not any two alike
    tables: Tables = ()
    assigned: bool = False  # whether the hash function comes with the credential

    @abstractmethod
    def law(self, attribute: Attribute, level: int) -> Law:
        """Return the law of an attribute, as it is answered in a range or up to a length."""

    @property
    def cohorts(self) -> int:
        """How many cohorts there are, of which a device is in one."""
        return self.encoding.draws if self.encoding else 1

    @property
    def staged(self) -> bool:
        """Whether every round sends a permanent answer through a second stage."""
        return self.encoding is not None and self.encoding.instant is not None

    @property
    def apart(self) -> bool:
        """Whether a device draws a cohort for this attribute alone.

        Of hash functions, or sampled codes, estimates are unbiased only on average. So products of
        scores of two attributes are, if their cohorts are independent.
        """
        return False

    @property
    def merged(self) -> str:
        """Which values are one answer to a device, in plain words; nothing: each is its own."""
        return ""

    @property
    def first(self) -> int | None:
        """What the first report alone may spend, in thousandths of the level, if that is stated."""
        return None

    def holding(self, attribute: Attribute, label: str) -> "Asked":
        """Return whether one of several entries is there, and what reports say about it."""
        raise NotImplementedError(f"{self.mechanism} reports no entries")

    def relative_variance(self, attribute: Attribute, level: int) -> Fraction:
        """Return the variance of an estimate in units of that from true answers, spread evenly."""
        raise NotImplementedError(f"the variance of {self.mechanism} is not foreseen")

    def stated(self, labels: Sequence[str]) -> dict[str, Any]:
        """Return what stands beside the name of the mechanism; nothing, where it stands alone."""
        return {}

    def document(self, attribute: Attribute) -> object:
        """Return an attribute with its mechanism as they stand in the document of a plan."""
        stated = self.stated(attribute.labels)
        mechanism = {self.mechanism: stated} if stated else self.mechanism
        return {**attribute.document, "name": attribute.name, "mechanism": mechanism}


class Listed(Parameters):
    """Of one of a list of labels, of bins, or of a bundle's cells."""

    kind = Kind.LABELS
    listed = True


class Sets(Listed):
    """Of labels: a registered mechanism, by the size of the domain."""

    family = Family.SETS
    foreseen = True

    def law(self, attribute: Attribute, level: int) -> SupportLaw:
        return law(self.mechanism, attribute.size, level)

    def relative_variance(self, attribute: Attribute, level: int) -> Fraction:
        constant, linear = self.law(attribute, level).noise
        return constant * attribute.size + linear

    def stated(self, labels: Sequence[str]) -> dict[str, Any]:
        return {"function": ASSIGNED} if self.assigned else {}


class Cells(Sets):
    """Of a bundle whose cells have codes of their own."""

    def document(self, attribute: Attribute) -> object:
        return attribute.document["attributes"]


class Binned(Cells):
    """Of a bundle of numbers, each in bins of equal width that it has in the bundle alone."""

    kind = Kind.PLANE
    plane = True
    own_bins = True

    def document(self, attribute: Attribute) -> object:
        return {**attribute.document, "bins": [part.size for part in attribute.parts]}


@dataclass(frozen=True, kw_only=True)
class Codewords(Listed):
    """Of labels: bits or quantised bits, by the codewords of codes."""

    family = Family.CODEWORDS

    encoding: Encoding

    def law(self, attribute: Attribute, level: int) -> Law:
        return CODED[self.mechanism](self.encoding, level)

    def stated(self, labels: Sequence[str]) -> dict[str, Any]:
        if self.encoding.depth > 1:
            return {}  # a quantised bit for each code, which needs no codewords
        codewords = _codewords(self.encoding)
        if self.mechanism == "bloom":
            return {key: codewords[key] for key in ("hashes", "bits")}
        return codewords


@dataclass(frozen=True, kw_only=True)
class FewBits(Codewords):
    """Of labels: the bits of a few codes, which a device draws once."""

    def law(self, attribute: Attribute, level: int) -> Law:
        return SAMPLED[self.mechanism](self.encoding, level)

    @property
    def apart(self) -> bool:
        return self.cohorts > 1

    @property
    def merged(self) -> str:
        few = self.encoding.sampled
        return "" if few == self.encoding.size else f"other than the {few} that this device draws"

    def stated(self, labels: Sequence[str]) -> dict[str, Any]:
        return {"bits": self.encoding.sampled}


@dataclass(frozen=True, kw_only=True)
class Sketches(Parameters):
    """Of texts, by their buckets or codewords."""

    family = Family.SKETCHES
    kind = Kind.TEXT
    foreseen = True

    encoding: Encoding

    def law(self, attribute: Attribute, level: int) -> Law:
        return OPEN[self.mechanism](self.encoding, level)

    def relative_variance(self, attribute: Attribute, level: int) -> Fraction:
        return _of_number(
            window(attribute.size, level)
        )  # whose variance falls with the level alike

    def stated(self, labels: Sequence[str]) -> dict[str, Any]:
        if self.mechanism == "orappor":
            return _codewords(self.encoding)
        return {"cells": self.encoding.bits, "cohorts": self.encoding.cohorts}


@dataclass(frozen=True, kw_only=True)
class Prefixes(Parameters):
    """Of texts to discover, by first bits of their codewords."""

    family = Family.PREFIXES
    kind = Kind.WORD
    foreseen = True

    groups: tuple[int, ...]  # bits that each one reports

    def law(self, attribute: Attribute, level: int) -> Law:
        return DISCOVERED[self.mechanism](self.groups, level)

    def relative_variance(self, attribute: Attribute, level: int) -> Fraction:
        return _of_number(window(1 << self.groups[0], level))  # which falls with the level alike

    def stated(self, labels: Sequence[str]) -> dict[str, Any]:
        return {"groups": list(self.groups)}


@dataclass(frozen=True, kw_only=True)
class Columns(Listed):
    """Of labels, by a variant of local privacy."""

    family = Family.COLUMNS

    variant: Variant

    def law(self, attribute: Attribute, level: int) -> Law:
        return matrix_law(self.variant, level)

    def stated(self, labels: Sequence[str]) -> dict[str, Any]:
        return self.variant.document(labels)


class Numbers(Parameters):
    """Of a number: a registered mechanism, by the size of the grid."""

    family = Family.NUMBERS
    kind = Kind.NUMBER
    decoded = True
    foreseen = True

    def law(self, attribute: Attribute, level: int) -> Law:
        return number_law(self.mechanism, attribute.size, level)

    def relative_variance(self, attribute: Attribute, level: int) -> Fraction:
        return _of_number(number_law(self.mechanism, attribute.size, level))


class Optimal(Numbers):
    """Of a number by tables, which stand elsewhere in the document: all such attributes share."""

    tabled = True

    def law(self, attribute: Attribute, level: int) -> Law:
        return Table(attribute.size, dict(self.tables)[level])

    def relative_variance(self, attribute: Attribute, level: int) -> Fraction:
        return _of_number(
            window(attribute.size, level)
        )  # which is near it, and not slow to work out


@dataclass(frozen=True, kw_only=True)
class Intervals(Parameters):
    """Of a number, or of labels in order, by a tree of intervals."""

    family = Family.INTERVALS
    kind = Kind.ORDER
    foreseen = True
    alone = True

    fanout: int
    depths: int

    def tree(self, size: int) -> Tree:
        """Return the intervals of so many codes."""
        return Tree(size, self.fanout, self.depths)

    def law(self, attribute: Attribute, level: int) -> Law:
        return ORDERED[self.mechanism](self.tree(attribute.size), level)

    def relative_variance(self, attribute: Attribute, level: int) -> Fraction:
        return _of_number(
            window(attribute.size, level)
        )  # whose variance falls with the level alike

    def stated(self, labels: Sequence[str]) -> dict[str, Any]:
        return {"fanout": self.fanout, "depths": self.depths}


class Quadtree(Intervals):
    """Of two numbers by a tree whose nodes are boxes: each divides its parent in both numbers."""

    kind = Kind.PLANE
    plane = True

    @classmethod
    def of(cls, mechanism: str, cells: int) -> Self:
        """Return the tree over so many cells, a power of two."""
        return cls(mechanism=mechanism, fanout=FOUR, depths=depths_of(cells, FOUR))

    def document(self, attribute: Attribute) -> object:
        bits = [part.size.bit_length() - 1 for part in attribute.parts]
        return {**attribute.document, "mechanism": {self.mechanism: {"bits": bits}}}


class Blocks(Parameters):
    """Of a bundle of numbers, each at a few levels."""

    family = Family.BLOCKS
    kind = Kind.NUMBER
    whole = False
    decoded = True

    def law(self, attribute: Attribute, level: int) -> Law:
        size = attribute.size
        return signs(size, level) if self.mechanism == "duchi" else law(self.mechanism, size, level)

    def document(self, attribute: Attribute) -> object:
        levels = attribute.parts[0].document
        return {**attribute.document, **levels, "mechanism": self.mechanism}


Asked = tuple[Attribute, Parameters]  # a question, but for the levels that it may have


def _of_number(law: NumberLaw) -> Fraction:
    last = law.size - 1
    ends, middle = law.variance(0), law.variance(last // 2)
    return 1 + UNIFORM * (ends + 2 * middle) / 3 / last**2


def _codewords(encoding: Encoding) -> dict[str, Any]:
    codewords = {"hashes": encoding.hashes, "bits": encoding.bits, "cohorts": encoding.cohorts}
    if encoding.instant is None:
        return codewords
    ones, zeros = encoding.instant
    return {**codewords, "ones": ones, "zeros": zeros}
