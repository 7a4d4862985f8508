"""Sets of codes as a part of a joint likelihood."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from discretion.engine import namespace
from discretion.engine.arrays import Coded, PackedBits
from discretion.estimate.noise import Matrix, Noise, Vector
from discretion.family.part import MOST_KEYS, Floats, Indices, Keys, Part, Single
from discretion.mechanism import SupportLaw
from discretion.table.support import Counts

MOST_RATIO = 1e9  # beyond, a report reveals the answer

Bits = npt.NDArray[np.uint8]  # (n, size): which codes each report speaks for


@dataclass(frozen=True)
class SetFactor:
    """Sets of codes with a ratio each: likelihoods in units of its root."""

    bits: Bits | PackedBits
    ratios: npt.NDArray[np.float64] | Coded  # (n,)

    @property
    def eigenvalues(self) -> Floats:
        return eigenvalues(self.bits[:], self.ratios[:])

    @property
    def packed(self) -> Self:
        return replace(self, bits=PackedBits.of(self.bits[:]), ratios=Coded.of(self.ratios[:]))

    def likelihood(self, rows: slice) -> Single:
        ratios = self.ratios[rows]
        xp = namespace(ratios)
        root = xp.sqrt(ratios).astype(np.float32)[:, None]
        return xp.where(self.bits[rows], root, 1 / root)


def eigenvalues(bits: Bits, ratios: Floats) -> Floats:
    """Return Fisher's eigenvalue of each report that is a set of codes."""
    size, ones = bits.shape[1], bits.sum(axis=1)
    lift = np.clip(ratios, 1, MOST_RATIO) - 1
    scale = (size - 1) * (size + ones * lift) ** 2
    return ones * (size - ones) * lift**2 / scale


@dataclass(frozen=True)
class SetPart(Part):
    """Answers that are sets of codes, by laws that may be secret."""

    bits: Bits
    laws: tuple[SupportLaw, ...]  # one for each level that occurs
    which: Indices  # (n,): the law of each report

    def sets(self) -> "SetPart":
        return self

    @property
    def size(self) -> int:
        return self.bits.shape[1]

    @property
    def ones(self) -> Counts:
        """How many codes each report speaks for."""
        return self.bits.sum(axis=1, dtype=np.int64)

    @property
    def factor(self) -> SetFactor:
        ratios = np.array([float(law.lift) for law in self.laws])
        return SetFactor(self.bits, ratios[self.which])

    def scores(self, *, secret: bool) -> tuple[Matrix, Vector]:
        ones = self.ones
        if secret:
            weight, scale = np.ones(len(ones)), (self.size / 2 - ones) / (self.size - 1)
        else:
            inclusions = [law.inclusion for law in self.laws]
            gap = np.array([float(own.own - own.other) for own in inclusions])
            scale = np.array([Noise.of(law).precision(self.size) for law in self.laws])[self.which]
            weight = scale / gap[self.which]
        return (self.bits - (ones / self.size)[:, None]) * weight[:, None], scale

    def keys(self, *, secret: bool) -> tuple[Keys, int]:
        if self.size >= 64:
            return np.zeros(0, np.uint64), MOST_KEYS
        packed = np.zeros((len(self.bits), 8), np.uint8)
        packed[:, : (self.size + 7) // 8] = np.packbits(self.bits, axis=1, bitorder="little")
        code = packed.view("<u8")[:, 0]
        if secret:
            return code, 1 << self.size
        which = self.which.astype(np.uint64) << np.uint64(self.size)
        return which | code, len(self.laws) << self.size

    def at(self, rows: Indices) -> Self:
        return replace(self, bits=self.bits[rows], which=self.which[rows])

    def under(self, law: SupportLaw) -> Self:
        """Return the same reports as if all of them had this law."""
        return replace(self, laws=(law,), which=np.zeros(len(self.which), np.int64))
