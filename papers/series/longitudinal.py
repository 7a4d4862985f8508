"""Protocols that remember a permanent answer and send it through a second stage in every round.

Each has a level e for ever and a level f of the first report alone. L-GRR, L-OSUE and LOLOHA are
the laws of the library, ``lgrr``, ``losue`` and ``loloha``; so are ``dbitflip`` and ``onebit``.

L-GRR    direct answers twice: H. Arcolezi et al. (2022), for k values
L-SUE    every bit of k kept by a fair law, and sent by one: RAPPOR (2014) without hashing
L-OSUE   the bit of the value kept half of the time, others as OUE has them; sent by a fair law
LOLOHA   the value hashed to one of g buckets, and L-GRR on these: H. Arcolezi et al. (EDBT 2023)
dBitFlip d of b bits of a bucketed number, drawn once: B. Ding et al. (NIPS 2017); kept: dBitFlipPM
1BitMean one bit about a number, kept after alpha-point rounding: the same paper
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import exp, inf, log

from discretion.mechanism import SAMPLED, STAGED, SampledBits, StagedHashed, Stages, number_law
from discretion.randomness import ONE

ROUNDS = 8  # of histories of two answers, all pairs of which are compared
Cells = tuple[int, int, int, int]  # rounds by the answers of both histories: aa, ab, ba, bb
Chance = tuple[float, float]  # of a one where there is one, and where there is none


@dataclass(frozen=True)
class Longitudinal:
    """Two stages, bit by bit: how likely the value's own bit and another one are kept and sent."""

    own: float  # kept as a one, of the value
    other: float  # kept as a one, of another value
    one: float  # a kept one is sent as a one
    zero: float  # a kept zero is sent as a one
    exclusive: bool = False  # one bit says all, as of direct answers
    sampled: float = 1.0  # how often a bit of the value is reported at all
    answers: int = 2  # permanent ones that all values together can have

    @property
    def sent(self) -> Chance:
        """How likely the value's own bit is sent as a one, and another one."""
        spread = self.one - self.zero
        return self.zero + self.own * spread, self.zero + self.other * spread

    def _apart(self, own: float, other: float) -> float:
        """Return the largest log-ratio of two values from what becomes of their bits."""
        if self.exclusive:
            return log(own / other)
        return log(own / other) + log((1 - other) / (1 - own))

    @property
    def for_ever(self) -> float:
        """The level of one permanent answer, however often it is sent."""
        return self._apart(self.own, self.other)

    @property
    def first(self) -> float:
        """The level of the first report alone."""
        return self._apart(*self.sent)

    @property
    def any_histories(self) -> float:
        """The largest log-ratio of any two histories of two answers; inf: there is no bound.

        Rounds can be exchanged, so histories differ by how many rounds have which two answers. Bits
        are independent, so the largest ratio is that of one bit times that of the other; of two
        direct answers one bit says all.
        """
        if self.one in (0, 1) or self.zero in (0, 1):
            return inf
        each = [
            self._bit(cells) + (0.0 if self.exclusive else self._bit(cells[::-1]))
            for cells in _cells(ROUNDS)
        ]
        return max(each)

    def _bit(self, cells: Cells) -> float:
        """Return how far the bit of the first answer tells two histories apart, at its worst."""
        both, first, second, neither = cells
        found = 0.0
        for ones in product(*(range(n + 1) for n in cells)):
            likely = self._sent(self.own, ones[0] + ones[1], both + first)
            likely *= self._sent(self.other, ones[2] + ones[3], second + neither)
            less = self._sent(self.own, ones[0] + ones[2], both + second)
            less *= self._sent(self.other, ones[1] + ones[3], first + neither)
            found = max(found, log(likely / less))
        return found

    def _sent(self, kept: float, ones: int, rounds: int) -> float:
        """Return how likely one answer's bit is sent as these ones, in some order."""
        zeros = rounds - ones
        one = self.one**ones * (1 - self.one) ** zeros
        return kept * one + (1 - kept) * self.zero**ones * (1 - self.zero) ** zeros

    @property
    def variance(self) -> float:
        """Reports times the variance of a rare value's share in one round."""
        own, other = self.sent
        return other * (1 - other) / ((own - other) ** 2 * self.sampled)


def _cells(rounds: int) -> Iterator[Cells]:
    for both, first, second in product(range(rounds + 1), repeat=3):
        if (neither := rounds - both - first - second) >= 0:
            yield both, first, second, neither


def fair(level: float) -> Chance:
    """Return how likely a bit is one where there is a one, and where there is none."""
    return exp(level / 2) / (exp(level / 2) + 1), 1 / (exp(level / 2) + 1)


def staged(name: str, size: int, for_ever: float, first: float) -> Longitudinal:
    """Return the library's law of that name: direct answers about codes, or bits."""
    law = STAGED[name](size, round(1000 * for_ever), _stages(for_ever, first))
    own, other = _floats(law.permanent.means)  # type: ignore[attr-defined]
    return Longitudinal(own, other, *_second(law), exclusive=name == "lgrr", answers=size)


def loloha(buckets: int, for_ever: float, first: float) -> Longitudinal:
    """Return LOLOHA: a value is supported if it is in the reported bucket."""
    stages = replace(_stages(for_ever, first), buckets=buckets)
    law = STAGED["loloha"](buckets, round(1000 * for_ever), stages)
    assert isinstance(law, StagedHashed)
    own, other = _floats(law.permanent.bucket_means)
    return Hashed(own, other, *_second(law), exclusive=True, answers=buckets)


def _stages(for_ever: float, first: float) -> Stages:
    return Stages(round(1000 * first / for_ever))


def _second(law: object) -> Chance:
    """Return how likely a kept one, or code, is sent as it is, and anything else as it."""
    return _floats(law.second.means)  # type: ignore[attr-defined]


def _floats(means: tuple[Fraction, Fraction]) -> Chance:
    own, other = means
    return float(own), float(other)


@dataclass(frozen=True)
class Hashed(Longitudinal):
    """Direct answers about buckets: another value is in the reported one as often as in any."""

    @property
    def variance(self) -> float:
        own, other = self.sent[0], 1 / self.answers
        return other * (1 - other) / (own - other) ** 2


def l_sue(size: int, for_ever: float, first: float) -> Longitudinal:
    """Bits are kept and sent by fair laws: RAPPOR, whose plans state the second one themselves."""
    kept, sent = fair(for_ever), fair(first)
    again = (sent[0] - kept[1]) / (kept[0] - kept[1])
    return Longitudinal(*kept, again, 1 - again, answers=size)


def d_bit_flip(bits: int, told: int, level: float) -> Longitudinal:
    """Return dBitFlipPM: some bits, drawn once, are kept and sent as they are.

    Values without a bit have one answer. A single bit says all, and has the whole level.
    """
    keep = SAMPLED["dbitflip"](SampledBits(bits, 1, bits, told=told), round(1000 * level)).keep
    own, answers = keep / ONE, min(told + 1, bits)
    return Longitudinal(own, 1 - own, 1.0, 0.0, told == 1, told / bits, answers)


def one_bit_mean(level: float) -> Longitudinal:
    """Return ``onebit`` of a number whose rounding is kept: its end is kept, and sent as it is.

    Its variance is that of the mean of numbers from 0 to 1.
    """
    law = number_law("onebit", 2, round(1000 * level))
    own, other = (float(law.probability(1, code)) for code in (1, 0))
    return Longitudinal(own, other, 1.0, 0.0, exclusive=True)


def protocols(size: int, for_ever: float, first: float) -> Mapping[str, Longitudinal]:
    """Return each protocol for so many values, buckets or bits."""
    return {
        "L-GRR": staged("lgrr", size, for_ever, first),
        "L-SUE": l_sue(size, for_ever, first),
        "L-OSUE": staged("losue", size, for_ever, first),
        "LOLOHA, g = 2": loloha(2, for_ever, first),
        "dBitFlipPM, d = 1": d_bit_flip(size, 1, for_ever),
        "dBitFlipPM, d = b": d_bit_flip(size, size, for_ever),
        "1BitMean, kept": one_bit_mean(for_ever),
    }
