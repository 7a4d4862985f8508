"""A mechanism as a plan states it: its name, its parameters, and the law that follows from them.

There is one class for each way in which a report speaks about an answer: its *family*, which is all
that a reader of reports has to know about the mechanism.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from discretion.mechanism import (
    CODED,
    OPEN,
    Encoding,
    Law,
    Table,
    Variant,
    law,
    matrix_law,
    number_law,
)
from discretion.mechanism.halfspace import signs
from discretion.mechanism.table import Weights
from discretion.schema import Attribute

ASSIGNED, DRAWN = "assigned", "drawn"  # who chooses the function of a hashed attribute

Tables = tuple[tuple[int, Weights], ...]  # of optimal mechanisms, by level


class Family(StrEnum):
    """What a report is, whatever mechanism made it."""

    SETS = "sets"  # of codes: those for which it speaks
    CODEWORDS = "codewords"  # bits or quantised bits, of which each code has some as its codeword
    SKETCHES = "sketches"  # buckets, or codewords, of texts; there is no list of codes
    COLUMNS = "columns"  # of a matrix that has the likelihoods
    NUMBERS = "numbers"  # outputs of a law for numbers
    BLOCKS = "blocks"  # several numbers at a few levels each, as one output


LISTED = frozenset({Family.SETS, Family.CODEWORDS, Family.COLUMNS})  # about codes that have labels


@dataclass(frozen=True, kw_only=True)
class Parameters(ABC):
    """A mechanism, and what a plan may state beside its name."""

    family: ClassVar[Family]

    mechanism: str
    encoding: Encoding | None = None  # the codewords or buckets of codes
    variant: Variant | None = None  # how values are private, where not any two alike
    tables: Tables = ()
    assigned: bool = False  # whether the hash function comes with the credential

    @abstractmethod
    def law(self, size: int, level: int) -> Law:
        """Return the law of a domain of so many codes at a level."""

    def stated(self, labels: Sequence[str]) -> dict[str, Any]:
        """Return what stands beside the name of the mechanism; nothing, where it stands alone."""
        return {}

    def document(self, attribute: Attribute) -> object:
        """Return an attribute with its mechanism as they stand in the document of a plan."""
        stated = self.stated(attribute.labels)
        mechanism = {self.mechanism: stated} if stated else self.mechanism
        return {**attribute.document, "name": attribute.name, "mechanism": mechanism}


class Sets(Parameters):
    """Of labels: a registered mechanism, by the size of the domain."""

    family = Family.SETS

    def law(self, size: int, level: int) -> Law:
        return law(self.mechanism, size, level)

    def stated(self, labels: Sequence[str]) -> dict[str, Any]:
        return {"function": ASSIGNED} if self.assigned else {}


class Cells(Sets):
    """Of a bundle whose cells have codes of their own."""

    def document(self, attribute: Attribute) -> object:
        return attribute.document["attributes"]


@dataclass(frozen=True, kw_only=True)
class Codewords(Parameters):
    """Of labels: bits or quantised bits, by the codewords of codes."""

    family = Family.CODEWORDS

    encoding: Encoding

    def law(self, size: int, level: int) -> Law:
        return CODED[self.mechanism](self.encoding, level)

    def stated(self, labels: Sequence[str]) -> dict[str, Any]:
        if self.encoding.depth > 1:
            return {}  # a quantised bit for each code, which needs no codewords
        codewords = _codewords(self.encoding)
        if self.mechanism == "bloom":
            return {key: codewords[key] for key in ("hashes", "bits")}
        return codewords


@dataclass(frozen=True, kw_only=True)
class Sketches(Parameters):
    """Of texts, by their buckets or codewords."""

    family = Family.SKETCHES

    encoding: Encoding

    def law(self, size: int, level: int) -> Law:
        return OPEN[self.mechanism](self.encoding, level)

    def stated(self, labels: Sequence[str]) -> dict[str, Any]:
        if self.mechanism == "orappor":
            return _codewords(self.encoding)
        return {"cells": self.encoding.bits, "cohorts": self.encoding.cohorts}


@dataclass(frozen=True, kw_only=True)
class Columns(Parameters):
    """Of labels, by a variant of local privacy."""

    family = Family.COLUMNS

    variant: Variant

    def law(self, size: int, level: int) -> Law:
        return matrix_law(self.variant, level)

    def stated(self, labels: Sequence[str]) -> dict[str, Any]:
        return self.variant.document(labels)


class Numbers(Parameters):
    """Of a number: a registered mechanism, by the size of the grid."""

    family = Family.NUMBERS

    def law(self, size: int, level: int) -> Law:
        return number_law(self.mechanism, size, level)


class Optimal(Parameters):
    """Of a number by tables, which stand elsewhere in the document: all such attributes share."""

    family = Family.NUMBERS

    def law(self, size: int, level: int) -> Law:
        return Table(size, dict(self.tables)[level])


class Blocks(Parameters):
    """Of a bundle of numbers, each at a few levels."""

    family = Family.BLOCKS

    def law(self, size: int, level: int) -> Law:
        return signs(size, level) if self.mechanism == "duchi" else law(self.mechanism, size, level)

    def document(self, attribute: Attribute) -> object:
        levels = attribute.parts[0].document
        return {**attribute.document, **levels, "mechanism": self.mechanism}


Asked = tuple[Attribute, Parameters]  # a question, but for the levels that it may have


def _codewords(encoding: Encoding) -> dict[str, Any]:
    codewords = {"hashes": encoding.hashes, "bits": encoding.bits, "cohorts": encoding.cohorts}
    if encoding.instant is None:
        return codewords
    ones, zeros = encoding.instant
    return {**codewords, "ones": ones, "zeros": zeros}
