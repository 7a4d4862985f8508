"""What reports say about the bits of texts: supports, and how often nobody's text would have them.

A report about b bits supports a text with at most b bits, if somebody else sent it, with the
probability q of the law exactly, and independently of all others. So the support of a text that
nobody says is a sum of binomials, whatever the others say.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from discretion.aggregate.evidence import check_round
from discretion.discovery.null import Null
from discretion.errors import EstimateError
from discretion.family.prefixes import Prefixes
from discretion.kernel.prefixes import count_prefixes
from discretion.table import Reports, ReportTable
from discretion.table.columns import Bytes, Codes

Vector = npt.NDArray[np.float64]
Words = npt.NDArray[np.uint64]
WORD_BYTES = 8


@dataclass(frozen=True, eq=False)
class Group:
    """The reports of one group at one level."""

    bits: int  # that they are about
    level: int
    own: float  # how often one supports the owner's text
    other: float  # and any other text
    rows: Words  # (n, rows)
    said: Bytes  # (n,)

    @property
    def n(self) -> int:
        return len(self.said)

    @property
    def weight(self) -> float:
        """The weight of a support: that of its level's variance where the text is rare."""
        return (self.own - self.other) / (self.other * (1 - self.other))


class Texts(NamedTuple):
    """Texts with their codes, and how many bits their codewords have."""

    texts: list[str]
    codes: Words  # padded with zeros
    lengths: Codes


@dataclass(frozen=True, eq=False)
class Reported:
    """All reports about one text attribute, in one round."""

    family: Prefixes
    groups: tuple[Group, ...]

    @classmethod
    def of(cls, data: object, family: Prefixes) -> Self:
        """Gather the reports; there must be some, and of one round."""
        if not isinstance(data, Reports):
            kind = type(data).__name__
            raise EstimateError(f"texts to discover need the reports themselves, got {kind}")
        check_round(data)
        pieces = data.fold([family.name], _Pieces(family), _together)
        if not pieces:
            raise EstimateError(f"nobody shared {family.name!r} in these reports")
        return cls(family, tuple(_groups(family, pieces)))

    @property
    def n(self) -> int:
        return sum(group.n for group in self.groups)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The bits that are reported, each number once."""
        return tuple(sorted({group.bits for group in self.groups}))

    def about(self, bits: int) -> tuple[Group, ...]:
        """Return the groups that report all of so many first bits."""
        return tuple(group for group in self.groups if group.bits >= bits)

    def null(self, length: int) -> Null:
        """Return the law of the support of a text with so many bits that nobody says."""
        needed = min((size for size in self.sizes if size >= length), default=0)
        return self._nulls[needed]

    @cached_property
    def _nulls(self) -> Mapping[int, Null]:
        return {size: Null.of(self.about(size)) for size in self.sizes}

    def supports(self, texts: Texts) -> list[Codes]:
        """Return, by level of its null law, how many reports support each text (levels,)."""
        nulls = [self.null(int(length)) for length in texts.lengths]
        found = [np.zeros(len(null.levels), np.int64) for null in nulls]
        total = self.family.attribute.bits
        for group in self.groups:
            mine = np.flatnonzero(texts.lengths <= group.bits)
            counts = np.zeros(len(mine), np.int64)
            own = texts.codes[mine] >> np.uint64(total - group.bits)
            count_prefixes(group.rows, group.said, own, counts)
            for at, count in zip(mine.tolist(), counts.tolist(), strict=True):
                found[at][nulls[at].levels.index(group.level)] += count
        return found


@dataclass(frozen=True)
class _Pieces:
    """Split the reports of a table by group and level."""

    family: Prefixes

    def __call__(self, reports: ReportTable) -> dict[tuple[int, int], list[tuple[Words, Bytes]]]:
        found: dict[tuple[int, int], list[tuple[Words, Bytes]]] = {}
        for strata, y in reports.answers(self.family.name):
            for level in np.unique(strata).tolist():
                law = self.family.law(level)
                for i, (bits, own) in enumerate(zip(law.groups, law.laws, strict=True)):
                    mine = y[(strata == level) & (y[:, -1] == i)]
                    if len(mine):
                        rows = (own.hashing.n_buckets - 1).bit_length()
                        piece = parities_of(mine[:, : law.inner_bytes], bits, rows)
                        found.setdefault((bits, level), []).append(piece)
        return found


Split = dict[tuple[int, int], list[tuple[Words, Bytes]]]


def _together(one: Split, other: Split) -> Split:
    return {key: one.get(key, []) + other.get(key, []) for key in one.keys() | other.keys()}


def _groups(family: Prefixes, pieces: Split) -> Iterator[Group]:
    for (bits, level), parts in sorted(pieces.items()):
        law = family.law(level)
        own, other = map(float, law.laws[law.groups.index(bits)].means)
        rows, said = (np.concatenate(each) for each in zip(*parts, strict=True))
        yield Group(bits, level, own, other, rows, said)


def parities_of(y: Bytes, bits: int, rows: int) -> tuple[Words, Bytes]:
    """Return the rows (n, rows) of reports in one group at one level, and the parities (n,).

    The parities are the low bits of a report, and row after row stands above them.
    """
    spare = np.zeros((len(y), WORD_BYTES + 1), np.uint8)
    wide = np.concatenate([y, spare], axis=1)
    found = np.empty((len(y), rows), np.uint64)
    for row in range(rows):
        byte, shift = divmod(rows + row * bits, 8)
        low = np.ascontiguousarray(wide[:, byte : byte + WORD_BYTES]).view("<u8")[:, 0]
        high = wide[:, byte + WORD_BYTES].astype(np.uint64) << np.uint64(64 - shift) if shift else 0
        found[:, row] = (low >> np.uint64(shift) | high) & np.uint64((1 << bits) - 1)
    return found, y[:, 0] & np.uint8((1 << rows) - 1)
