"""Prefixes: a public random group, and parities of so many first bits as its members report.

The codes are bits, as a public prefix code makes them of texts. A device draws a group, whatever
the text is, and reports the first bits of its code by the parities of Hadamard response.

Law      P((i, z) | x) = weights[i] / 2^16 * P_i(z | first groups[i] bits of x)
         P_i has t random rows of bits, and the parities of the prefix with them, or others
Report   y = i * 256^n + z, with n bytes for z in every group
Privacy  the group does not depend on x, so the largest ratio is that of the parities
Source   Bassily, Nissim, Stemmer and Thakurta (2017), arXiv:1707.04982, TreeHist; Wang, Li and Jha
         (2019), arXiv:1708.06674, PEM: groups of prefix lengths. Acharya, Sun and Zhang (2019),
         arXiv:1802.04705: parities. Prefixes of a prefix code are ours.
Proof    docs/proofs/prefixes.md
"""

from collections.abc import Sequence
from dataclasses import dataclass

from discretion.mechanism.hashed import Hashed, best_rows, hashed
from discretion.mechanism.hashing import Parities
from discretion.mechanism.layered import WHOLE, Layered

MOST_ROWS = 6  # parities of a report, at any level


@dataclass(frozen=True, slots=True)
class Prefixes(Layered):
    """The first bits of a code, as many as the group reports."""

    groups: tuple[int, ...]  # bits, rising; the last one has all bits of a code
    laws: tuple[Hashed, ...]  # by group

    @property
    def size(self) -> int:
        return 1 << self.groups[-1]

    @property
    def weights(self) -> tuple[int, ...]:
        """Each group is drawn equally often; the first one has what rounding leaves."""
        even = WHOLE // len(self.groups)
        return WHOLE - even * (len(self.groups) - 1), *(even,) * (len(self.groups) - 1)

    @property
    def widths(self) -> tuple[int, ...]:
        return tuple(1 << self.groups[-1] - bits for bits in self.groups)


def prefixes(groups: Sequence[int], level: int) -> Prefixes:
    """Return the law of groups that report so many first bits."""
    rows = best_rows(level, MOST_ROWS)
    laws = (hashed(1 << bits, level, Parities(bits, rows, MOST_ROWS)) for bits in groups)
    return Prefixes(tuple(groups), tuple(laws))
