"""Staged: an answer is kept by one law, and sent through another one in every round.

Law      what is kept of x is a report of ``permanent``; a round sends it by a second law of the
         same shape: a kept code or bucket is sent as it is with probability again / ONE, else as a
         uniform other one; each kept bit is sent as it is with probability again / ONE.
         Given what is kept, rounds are independent
Report   y is a report of the first law's shape, with the same support
Privacy  the level bounds all that is ever sent about one answer. The plan also states the level of
         the first report alone, as a part of it: again is the largest integer with which the ratio
         of one report is at most e to that. Histories that change in different rounds are told
         apart by the second law alone: at most its ratio for each round.
Source   Arcolezi et al. (2022), arXiv:2111.04636: L-GRR and L-OSUE; L-SUE, their third one, is
         RAPPOR with one hash. Arcolezi et al. (2023), arXiv:2210.00262: LOLOHA. The second stages
         of direct answers are exact here for any number of codes or buckets.
Proof    docs/proofs/shapes.md
"""

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction

from discretion.mechanism.choice import Choice, grr
from discretion.mechanism.form import Inclusion
from discretion.mechanism.hashed import Hashed
from discretion.mechanism.hashing import Hashing, Lasting, polynomials
from discretion.mechanism.law import Law, SupportLaw
from discretion.mechanism.odds import odds
from discretion.mechanism.unary import Unary, oue
from discretion.randomness import ONE, Source

WHOLE = 1000  # thousandths of the level


@dataclass(frozen=True, slots=True)
class Stages:
    """What a plan states of a law in two stages, beside its name."""

    first: int  # what the first report alone may spend, in thousandths of the level
    buckets: int | None = None  # of hashed answers

    @property
    def cohorts(self) -> int:
        """How many functions there are, of which a device keeps one for all hashed answers."""
        return 1 if self.buckets is None else lasting(1, self.buckets).functions


class TwoStage:
    """What follows from two laws: that of what is kept, and that of what a round sends of it."""

    __slots__ = ()

    @property
    @abstractmethod
    def permanent(self) -> SupportLaw: ...

    @property
    @abstractmethod
    def second(self) -> Law:
        """The law of what a round sends of what is kept; of bits, of one bit."""

    @property
    def instant_ratio(self) -> Fraction:
        return self.second.ratio

    def respond(self, code: int, source: Source, cohort: int) -> int:
        return self.permanent.respond(code, source, cohort)

    @abstractmethod
    def send(self, response: int, source: Source) -> int: ...

    def perturb(self, code: int, source: Source) -> int:
        return self.send(self.permanent.perturb(code, source), source)


@dataclass(frozen=True, slots=True)
class StagedChoice(TwoStage, Choice):
    """One code, kept by a choice and sent by another one."""

    again: int

    @property
    def permanent(self) -> Choice:
        return Choice(self.size, self.keep)

    @property
    def second(self) -> Choice:
        return Choice(self.size, self.again)

    @property
    def inclusion(self) -> Inclusion:
        (own, other), (same, another) = self.permanent.means, self.second.means
        sent = own * same + (self.size - 1) * other * another
        return Inclusion(sent, (1 - sent) / (self.size - 1), Fraction(0), Fraction(0))

    @property
    def lift(self) -> Fraction:
        own, other = self.means
        return own / other

    @property
    def random_bytes(self) -> Fraction:
        return self.permanent.random_bytes + self.second.random_bytes

    def send(self, response: int, source: Source) -> int:
        return self.second.perturb(response, source)


@dataclass(frozen=True, slots=True)
class StagedHashed(TwoStage, Hashed):
    """A bucket of a function that a device keeps, kept by a choice and sent by another one."""

    again: int

    @property
    def permanent(self) -> Hashed:
        return Hashed(self.size, self.hashing, self.keep)

    @property
    def second(self) -> Choice:
        return Choice(self.hashing.n_buckets, self.again)

    @property
    def bucket_means(self) -> tuple[Fraction, Fraction]:
        (own, other), (same, another) = self.permanent.bucket_means, self.second.means
        others = self.hashing.n_buckets - 1
        sent = own * same + others * other * another
        return sent, (1 - sent) / others

    @property
    def lift(self) -> Fraction:
        own, other = self.bucket_means
        return own / other

    @property
    def random_bytes(self) -> Fraction:
        return self.permanent.random_bytes + self.second.random_bytes

    def alike(self, code: int, cohort: int) -> int:
        """Return the bucket: answers that share it have one response."""
        return self.hashing.bucket(cohort, code)

    def send(self, response: int, source: Source) -> int:
        function, bucket = divmod(response, self.hashing.n_buckets)
        return function * self.hashing.n_buckets + self.second.perturb(bucket, source)

    def probability(self, y: int, code: int) -> Fraction:
        function, bucket = divmod(y, self.hashing.n_buckets)
        other = bucket != self.hashing.bucket(function, code)
        return self.bucket_means[other] / self.hashing.functions


@dataclass(frozen=True, slots=True)
class StagedUnary(TwoStage, Unary):
    """Bits, each kept by a coin and sent by another one."""

    again: int

    @property
    def permanent(self) -> Unary:
        return Unary(self.size, self.true, self.false)

    @property
    def second(self) -> Choice:
        return Choice(2, self.again)

    @property
    def instant_ratio(self) -> Fraction:
        """Any two sets of bits may be kept for two histories, so every bit may differ."""
        return self.second.ratio**self.size

    @property
    def inclusion(self) -> Inclusion:
        same, another = self.second.means
        own, other = (p * same + (1 - p) * another for p in self.permanent.means)
        return Inclusion(own, other, own * other, other * other)

    @property
    def lift(self) -> Fraction:
        own, other = self.means
        return own * (1 - other) / (other * (1 - own))

    @property
    def random_bytes(self) -> Fraction:
        return 2 * self.permanent.random_bytes

    def send(self, response: int, source: Source) -> int:
        y = 0
        for i in range(self.size):
            y |= (response >> i & 1 if source.coin(self.again) else ~response >> i & 1) << i
        return y

    def probability(self, y: int, code: int) -> Fraction:
        found, (own, other) = Fraction(1), self.means
        for i in range(self.size):
            heads = own if i == code else other
            found *= heads if y >> i & 1 else 1 - heads
        return found


def lgrr(size: int, level: int, stages: Stages) -> StagedChoice:
    """Longitudinal GRR: direct answers about direct answers that are kept."""
    kept = grr(size, level)
    return StagedChoice(size, kept.keep, second_keep(kept, level, stages))


def losue(size: int, level: int, stages: Stages) -> StagedUnary:
    """Longitudinal OSUE: bits of optimised unary encoding, kept and sent by symmetric coins.

    The own bit is a fair coin in both stages, so one report spends what its other bits do.
    """
    kept = oue(size, level)
    first = odds(level * stages.first, 1000 * WHOLE)
    gap = Fraction(ONE - 2 * kept.false, ONE)
    again = (Fraction(first, first + ONE) - Fraction(kept.false, ONE)) / gap
    return StagedUnary(size, kept.true, kept.false, int(ONE * again))  # down: more privacy


def loloha(size: int, level: int, stages: Stages) -> StagedHashed:
    """LOLOHA: longitudinal GRR about the bucket of a hash function that a device keeps."""
    assert stages.buckets is not None
    return staged_hashed(size, level, stages, lasting(size, stages.buckets))


def staged_hashed(size: int, level: int, stages: Stages, hashing: Hashing) -> StagedHashed:
    """Return the law that hashes by a family of functions."""
    kept = grr(hashing.n_buckets, level)
    return StagedHashed(size, hashing, kept.keep, second_keep(kept, level, stages))


def lasting(size: int, buckets: int) -> Lasting:
    """Return the functions of which a device keeps one."""
    return Lasting(polynomials(size, buckets).prime, buckets, buckets)


def second_keep(kept: Choice, level: int, stages: Stages) -> int:
    """Return how often a kept code is sent as it is, so that one report has the first level.

    A report has the code with probability other + (own - other) again / ONE, of which the level of
    the first report allows e / (e + size - 1).
    """
    first = odds(level * stages.first, 1000 * WHOLE)
    most = Fraction(first, first + (kept.size - 1) * ONE)
    own, other = kept.means
    return int(ONE * (most - other) / (own - other))  # down: towards more privacy
