"""Looking for the codewords of texts: all short ones at once, and extensions of likely prefixes.

Prefixes are chosen by the reports of earlier groups, and their extensions are tested by the reports
of this group and later ones, which other owners sent. So the levels of all tests need to add up to
the error only over what is tried. What is left out may be missed, but promises nothing false.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import norm

from discretion.discovery.null import Null
from discretion.discovery.reported import Group, Reported, Texts
from discretion.discovery.spending import Parts, Step, parts_by_rank
from discretion.kernel.hash import transform
from discretion.kernel.prefixes import add_extensions, add_signs, transform_columns

BEAM = 2048  # prefixes that are extended
AHEAD = 8  # times as many are looked at, since not all go on
AT_ONCE = 1024  # prefixes whose extensions are tried together
PIECE = 1 << 17  # reports that are sorted together
BYTE = 8

Words = npt.NDArray[np.uint64]
Sums = npt.NDArray[np.float64] | npt.NDArray[np.float32]
Passing = tuple[int, float]  # its bits, and its part of the step's error


class Prefix(NamedTuple):
    """A prefix that may go on, and its weighted supports."""

    own: float  # by the group that reports so many bits
    all: float  # by this and earlier groups
    bits: int


class Tried(NamedTuple):
    """Texts that may pass their tests, and the levels of these."""

    texts: Texts
    levels: Parts


@dataclass(frozen=True)
class Search:
    """A search for texts that pass their test at an error."""

    reported: Reported
    error: float

    def texts(self) -> Tried:
        """Return texts that may pass, each once; those of no text in particular are left out."""
        found: dict[str, tuple[int, int, float]] = {}
        beam: list[Prefix] = []
        steps = Step.all(self.reported.family.groups, self.error)
        total = steps[-1].bits
        for step in steps:
            passing, going = self._extended(beam, step) if step.before else self._started(step)
            for text, prefix, length, level in self._finished(passing, step):
                found[text] = prefix << total - step.bits, length, level
            beam = self._unfinished(going, step.bits)
            if not beam:
                break
        codes = np.array([code for code, _, _ in found.values()], np.uint64)
        lengths = np.array([length for _, length, _ in found.values()], np.int64)
        levels = np.array([level for _, _, level in found.values()])
        return Tried(Texts(list(found), codes, lengths), levels)

    def _finished(
        self, prefixes: Sequence[Passing], step: Step
    ) -> Iterator[tuple[str, int, int, float]]:
        decode = self.reported.family.attribute.decode
        for prefix, part in prefixes:
            found = decode(prefix, step.bits)
            if isinstance(found, tuple) and found.text is not None and found.length > step.before:
                yield found.text, prefix, found.length, step.level(found.length, part)

    def _unfinished(self, prefixes: Sequence[Prefix], bits: int) -> list[Prefix]:
        """Return the best supported of the prefixes that more bits could make a text of.

        This group chooses them, so that they do not all begin alike; earlier ones help to order
        them.
        """
        decode, found = self.reported.family.attribute.decode, []
        for prefix in sorted(prefixes, reverse=True):
            if decode(prefix.bits, bits) is True:
                found.append(prefix)
                if len(found) == BEAM:
                    break
        return sorted(found, key=lambda prefix: -prefix.all)

    def _started(self, step: Step) -> tuple[list[Passing], list[Prefix]]:
        """Try all prefixes of the first group."""
        bits = step.bits
        every = self.reported.about(bits)
        if not every:
            return [], []
        own = _spectrum([group for group in every if group.bits == bits], bits)
        most = min(AHEAD * BEAM, len(own))
        best = np.argpartition(own, len(own) - most)[len(own) - most :]
        going = [Prefix(own[at], own[at], at) for at in best.tolist()]
        rest = _spectrum([group for group in every if group.bits > bits], bits)
        found = _passing(self._limits(step, np.ones(1)), (own + rest)[:, None])
        return [(prefix, 1.0) for prefix, _ in found], going

    def _extended(self, beam: Sequence[Prefix], step: Step) -> tuple[list[Passing], list[Prefix]]:
        """Try all extensions of some prefixes, a part of these at a time."""
        every, added = self.reported.about(step.bits), step.added
        own = [group for group in every if group.bits == step.bits]
        rest = [group for group in every if group.bits > step.bits]
        if not every:
            return [], []
        cut, parts = _cut(own, len(beam) << added), parts_by_rank(len(beam))
        passing: list[Passing] = []
        going: list[Prefix] = []
        for start in range(0, len(beam), AT_ONCE):
            some, mine = beam[start : start + AT_ONCE], parts[start : start + AT_ONCE]
            prefixes = np.array([prefix.bits for prefix in some], np.uint64)
            sums = _extensions(own, prefixes, step.before, added)
            going += _above(cut, sums, some)
            sums += _extensions(rest, prefixes, step.before, added)
            found = _passing(self._limits(step, mine), sums)
            passing += [(int(prefixes[w]) << added | at, float(mine[w])) for at, w in found]
        return passing, going

    def _limits(self, step: Step, parts: Parts) -> Parts:
        """Return, by how many zeros are at the end, the sums (zeros, prefixes) that texts need.

        A text has no fewer bits than there are up to the last one that is set. Each prefix has a
        part of the step's error.
        """
        null = self.reported.null(step.bits)
        different, at = np.unique(parts, return_inverse=True)
        lengths = [max(step.bits - zeros, step.before + 1) for zeros in range(step.added + 1)]
        limits = [[_least(null, step.level(n, part)) for part in different] for n in lengths]
        return np.array(limits)[:, at]


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


def _passing(limits: Parts, sums: Sums) -> list[tuple[int, int]]:
    """Return the rows and columns of sums that reach the limits of their rows and columns.

    A row with so many zeros at the end of its number has the limits of that many; row 0 the last.
    """
    found = [np.argwhere(sums[:1] >= limits[-1])]
    for zeros in range(len(sums).bit_length() - 1):
        own = np.argwhere(sums[1 << zeros :: 2 << zeros] >= limits[zeros])
        own[:, 0] = (own[:, 0] << zeros + 1) + (1 << zeros)
        found.append(own)
    return [(row, column) for row, column in np.concatenate(found).tolist()]


def _above(
    cut: float, sums: npt.NDArray[np.float32], prefixes: Sequence[Prefix]
) -> Iterator[Prefix]:
    """Yield the extensions of prefixes whose sums (2^added, prefixes) reach a cut."""
    for at, which in np.argwhere(sums >= cut).tolist():
        own, before = float(sums[at, which]), prefixes[which]
        yield Prefix(own, before.all + own, before.bits * len(sums) + at)


def _cut(groups: Sequence[Group], many: int) -> float:
    """Return the sum that some times as many of so many prefixes reach as are wanted."""
    if not groups or many <= AHEAD * BEAM:
        return -np.inf
    null = Null.of(groups)
    return float(null.mean + norm.isf(AHEAD * BEAM / many) * null.sd)
