"""Hashed cover: a set of texts that nobody lists, as the cells of a public cohort that it falls in.

Law      each device is in one of the cohorts, drawn without regard to the set. The cohort puts
         each text into one of its cells (``mechanism/sketch.py``), and the set of these cells,
         each once, is reported by ``cover`` with the cells as its items
Report   y is the bit set of cover: cells, then blanks; the cohort is in the bits above
Privacy  that of cover, which tells any two sets of cells apart by at most epsilon: what a cohort
         makes of a set is one of them, and the cohort says nothing about the set
Source   Hashing into cells by cohort as in count-mean sketches (Apple 2017); cover, see there
Proof    docs/proofs/sets.md, section 8

Texts of one set that fall into one cell are one cell. So the report of an owner who has a text
holds the cell of that text with the probability p of cover, however her texts collide; that of
another owner does so more often than q where one of her own texts is in that cell.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from discretion.mechanism.cover import Cover, cover
from discretion.mechanism.encoding import Encoding
from discretion.mechanism.form import Form
from discretion.mechanism.shape import ByCohort
from discretion.mechanism.sketch import bucket
from discretion.randomness import Source
from discretion.schema.item_set import unpacked


@dataclass(frozen=True, slots=True)
class HashedCover(ByCohort):
    """Cover of the cells of each cohort; a code of the law is a set of fingerprints, packed."""

    encoding: Encoding  # the cells and cohorts
    cover: Cover  # of as many items as there are cells

    @property
    def size(self) -> int:
        """The number of texts; of sets of them there is no number that anybody needs."""
        return self.encoding.size

    @property
    def cohorts(self) -> int:
        return self.encoding.cohorts

    @property
    def n_bytes(self) -> int:
        return (self.cover.n_codes + (self.cohorts - 1).bit_length() + 7) // 8

    @property
    def form(self) -> Form:
        return Form(self.cohorts, n_bits=self.cover.n_codes, ones=self.cover.count)

    @property
    def ratio(self) -> Fraction:
        return self.cover.ratio

    def cells(self, code: int, cohort: int) -> int:
        """Return the cells of a set in a cohort, as a bit set."""
        found = 0
        for text in unpacked(code):
            found |= 1 << bucket(cohort, text, self.cover.items)
        return found

    def respond(self, code: int, source: Source, cohort: int) -> int:
        drawn = self.cover.perturb(self.cells(code, cohort), source)
        return cohort << self.cover.n_codes | drawn

    def probability(self, y: int, code: int) -> Fraction:
        cohort, bits = divmod(y, 1 << self.cover.n_codes)
        if cohort >= self.cohorts:
            return Fraction(0)
        return self.cover.probability(bits, self.cells(code, cohort)) / self.cohorts


@cache
def hashed_cover(encoding: Encoding, length: int, level: int) -> HashedCover:
    """Return the law of sets of texts in these cells, of which a few are reported at most."""
    return HashedCover(encoding, cover(encoding.bits, length, level))
