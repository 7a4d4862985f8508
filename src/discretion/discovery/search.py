"""Looking for the codewords of texts: all short ones at once, and extensions of likely prefixes.

Nothing that is left out here changes what is promised: every text is tested by itself later. It
only means that a text may be missed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import norm

from discretion.discovery.null import Null
from discretion.discovery.reported import Group, Reported, Texts
from discretion.kernel.hash import transform
from discretion.kernel.prefixes import add_extensions, add_signs, transform_columns

BEAM = 2048  # prefixes that are extended
AHEAD = 8  # times as many are looked at, since not all go on
AT_ONCE = 1024  # prefixes whose extensions are tried together
PIECE = 1 << 17  # reports that are sorted together
BYTE = 8

Words = npt.NDArray[np.uint64]
Sums = npt.NDArray[np.float64] | npt.NDArray[np.float32]
Prefix = tuple[float, int]  # how well it is supported, and its bits


@dataclass(frozen=True)
class Search:
    """A search for texts that pass their test at an error."""

    reported: Reported
    error: float

    def texts(self) -> Texts:
        """Return texts that may pass, each once; those of no text in particular are left out."""
        found: dict[str, tuple[int, int]] = {}
        beam: list[int] = []
        sizes = list(dict.fromkeys(self.reported.family.groups))  # one may stand there twice
        for i, bits in enumerate(sizes):
            before = sizes[i - 1] if i else 0
            passing, going = self._extended(beam, before, bits) if i else self._started(bits)
            for text, prefix, length in self._finished(passing, before, bits):
                found[text] = prefix << sizes[-1] - bits, length
            beam = self._unfinished(going, bits)
            if not beam:
                break
        codes = np.array([code for code, _ in found.values()], np.uint64)
        return Texts(list(found), codes, np.array([n for _, n in found.values()], np.int64))

    def _finished(
        self, prefixes: Sequence[int], before: int, bits: int
    ) -> Iterator[tuple[str, int, int]]:
        decode = self.reported.family.attribute.decode
        for prefix in prefixes:
            found = decode(prefix, bits)
            if isinstance(found, tuple) and found.text is not None and found.length > before:
                yield found.text, prefix, found.length

    def _unfinished(self, prefixes: Sequence[Prefix], bits: int) -> list[int]:
        """Return the best supported of the prefixes that more bits could make a text of."""
        decode, found = self.reported.family.attribute.decode, []
        for _, prefix in sorted(prefixes, reverse=True):
            if decode(prefix, bits) is True:
                found.append(prefix)
                if len(found) == BEAM:
                    break
        return found

    def _started(self, bits: int) -> tuple[list[int], list[Prefix]]:
        """Try all prefixes of the first group."""
        every = self.reported.about(bits)
        if not every:
            return [], []
        own = _spectrum([group for group in every if group.bits == bits], bits)
        most = min(AHEAD * BEAM, len(own))
        best = np.argpartition(own, len(own) - most)[len(own) - most :]
        going = list(zip(own[best].tolist(), best.tolist(), strict=True))
        rest = _spectrum([group for group in every if group.bits > bits], bits)
        found = _passing(self._limits(bits, 0), (own + rest)[:, None])
        return [prefix for prefix, _ in found], going

    def _extended(
        self, beam: Sequence[int], before: int, bits: int
    ) -> tuple[list[int], list[Prefix]]:
        """Try all extensions of some prefixes, a part of these at a time."""
        every, step = self.reported.about(bits), bits - before
        own = [group for group in every if group.bits == bits]
        rest = [group for group in every if group.bits > bits]
        if not every:
            return [], []
        cut = _cut(own, len(beam) << step)
        passing: list[int] = []
        going: list[Prefix] = []
        for start in range(0, len(beam), AT_ONCE):
            prefixes = np.array(beam[start : start + AT_ONCE], np.uint64)
            sums = _extensions(own, prefixes, before, step)
            at, which = np.nonzero(sums >= cut)
            full = (prefixes[which] << np.uint64(step)) | at.astype(np.uint64)
            going += zip(sums[at, which].tolist(), full.tolist(), strict=True)
            sums += _extensions(rest, prefixes, before, step)
            found = _passing(self._limits(bits, before), sums)
            passing += [int(prefixes[w]) << step | at for at, w in found]
        return passing, going

    def _limits(self, bits: int, before: int) -> list[float]:
        """Return, by how many zeros are at the end, the sum that a text must have at least.

        It has no fewer bits than there are up to the last one that is set.
        """
        null = self.reported.null(bits)
        lengths = (max(bits - zeros, before + 1) for zeros in range(bits - before + 1))
        return [_least(null, self.error * 2.0**-length) for length in lengths]


def _least(null: Null, probability: float) -> float:
    return null.threshold(probability) - 1e-4 * null.sd  # sums of extensions are rounded


def _spectrum(groups: Sequence[Group], bits: int) -> npt.NDArray[np.float64]:
    """Return the weighted supports of all prefixes of so many bits."""
    found = np.zeros((1, 1 << bits))
    for group in groups:
        add_signs(group.rows, group.said, group.bits - bits, group.weight, found[0])
    transform(found)
    return found[0]


def _extensions(
    groups: Sequence[Group], prefixes: Words, before: int, step: int
) -> npt.NDArray[np.float32]:
    """Return the weighted supports (2^step, prefixes) of all extensions by so many bits."""
    found = np.zeros((1 << step, len(prefixes)), np.float32)
    tables = _tables(prefixes, before)
    for group in groups:
        below = group.bits - before - step
        for start in range(0, group.n, PIECE):
            rows, said = group.rows[start : start + PIECE], group.said[start : start + PIECE]
            add_extensions(rows, said, below, group.weight, tables, found)
    transform_columns(found)
    return found


def _tables(prefixes: Words, before: int) -> Words:
    """Return the parities of each pattern of eight bits with each byte of all prefixes."""
    words, parts = -(-len(prefixes) // 64), -(-before // BYTE)
    padded = np.zeros(words * 64, np.uint64)
    padded[: len(prefixes)] = prefixes
    tables = np.zeros((parts, 1 << BYTE, words), np.uint64)
    for part in range(parts):
        for bit in range(BYTE):
            own = (padded >> np.uint64(BYTE * part + bit)) & np.uint64(1)
            line = np.packbits(own.astype(np.uint8), bitorder="little").view("<u8")
            first = 1 << bit
            tables[part, first : 2 * first] = tables[part, :first] ^ line
    return tables


def _passing(limits: Sequence[float], sums: Sums) -> list[tuple[int, int]]:
    """Return the rows and columns of sums that reach the limits of their rows.

    A row with so many zeros at the end of its number has the limit of that many; row 0 the last.
    """
    found = [np.argwhere(sums[:1] >= limits[-1])]
    for zeros in range(len(sums).bit_length() - 1):
        own = np.argwhere(sums[1 << zeros :: 2 << zeros] >= limits[zeros])
        own[:, 0] = (own[:, 0] << zeros + 1) + (1 << zeros)
        found.append(own)
    return [(row, column) for row, column in np.concatenate(found).tolist()]


def _cut(groups: Sequence[Group], many: int) -> float:
    """Return the sum that some times as many of so many prefixes reach as are wanted."""
    if not groups or many <= AHEAD * BEAM:
        return -np.inf
    null = Null.of(groups)
    return float(null.mean + norm.isf(AHEAD * BEAM / many) * null.sd)
