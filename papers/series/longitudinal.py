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

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, inf, log

from discretion.auditing.exponential import loss
from discretion.auditing.histories import followed
from discretion.mechanism import (
    SAMPLED,
    STAGED,
    Law,
    SampledBits,
    StagedHashed,
    StagedUnary,
    Stages,
    number_law,
)
from discretion.mechanism.unary import sue
from discretion.randomness import ONE

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
    law: Law | None = None  # with a second stage; None: what is kept is sent

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
        """The largest log-ratio of any two histories of two answers; inf: there is no bound."""
        return inf if self.law is None else loss(followed(self.law)[0])

    @property
    def variance(self) -> float:
        """Reports times the variance of a rare value's share in one round."""
        own, other = self.sent
        return other * (1 - other) / ((own - other) ** 2 * self.sampled)


def staged(name: str, size: int, for_ever: float, first: float) -> Longitudinal:
    """Return the library's law of that name: direct answers about codes, or bits."""
    law = STAGED[name](size, round(1000 * for_ever), _stages(for_ever, first))
    own, other = _floats(law.permanent.means)  # type: ignore[attr-defined]
    exclusive = name == "lgrr"
    return Longitudinal(own, other, *_second(law), exclusive, answers=size, law=law)


def loloha(buckets: int, for_ever: float, first: float) -> Longitudinal:
    """Return LOLOHA: a value is supported if it is in the reported bucket."""
    stages = replace(_stages(for_ever, first), buckets=buckets)
    law = STAGED["loloha"](buckets, round(1000 * for_ever), stages)
    assert isinstance(law, StagedHashed)
    own, other = _floats(law.permanent.bucket_means)
    return Hashed(own, other, *_second(law), exclusive=True, answers=buckets, law=law)


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
    kept = sue(size, round(1000 * for_ever))
    (own, other), sent = _floats(kept.means), exp(first / 2) / (exp(first / 2) + 1)
    again = (sent - other) / (own - other)
    law = StagedUnary(size, kept.true, kept.false, int(again * ONE))
    return Longitudinal(own, other, again, 1 - again, answers=size, law=law)


def d_bit_flip(bits: int, told: int, level: float) -> Longitudinal:
    """Return dBitFlipPM: some bits, drawn once, are kept and sent as they are.

    Values without a bit have one answer. A single bit says all, and has the whole level.
    """
    keep = SAMPLED["dbitflip"](SampledBits(bits, 1, bits, reported=told), round(1000 * level)).keep
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
