"""Histories: how far reports of several rounds distinguish two owners who change when they like.

What the promise says of any two histories (``device.promise.over_rounds``) is compared with what is
found here. An answer that is drawn anew has the ratio of one round to the power of the rounds that
it is given in. A permanent answer is followed exactly, bit by bit: a bit is kept for each different
answer, once, and each round sends it by one of two coins.

    P(sent | history) = product over answers a of  sum over kept k of  P(k | a) prod P(y_t | k),

the inner product being over the rounds with that answer. Of direct answers k is a code. Rounds can
be exchanged in histories and reports alike, so a pair of histories is how many rounds have which
two answers, and a report how often each of these was sent as what.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import singledispatch
from itertools import product
from math import inf, lcm, prod

from discretion.auditing.exponential import loss, within
from discretion.auditing.finding import Finding, Part
from discretion.auditing.record import exact_ratio
from discretion.budget import Budget
from discretion.device.promise import over_rounds
from discretion.mechanism import Bloom, Law, StagedChoice, StagedHashed, StagedUnary
from discretion.mechanism.law import LabelLaw
from discretion.plan import Plan

ROUNDS = 8
ANSWERS = 2  # different ones in a history
SENT = 3  # different codes that are sent: those of the two answers, and another one

Found = tuple[Fraction | None, str]
Pair = tuple[int, int, int, int]  # rounds by the answers of both histories: 00, 01, 10, 11


@dataclass(frozen=True)
class Bit:
    """A bit that is kept for each answer, and sent by a coin of its own in every round."""

    kept: tuple[Fraction, ...]  # how often it is one, for each answer
    one: Fraction  # how often a kept one is sent as a one
    zero: Fraction  # how often a kept zero is

    def probability(self, history: Sequence[int], sent: Sequence[int]) -> Fraction:
        """Return how likely these bits are sent over a history of answers."""
        found = Fraction(1)
        for answer in set(history):
            own = [y for given, y in zip(history, sent, strict=True) if given == answer]
            ones, zeros = sum(own), len(own) - sum(own)
            p = self.kept[answer]
            one = p * self.one**ones * (1 - self.one) ** zeros
            found *= one + (1 - p) * self.zero**ones * (1 - self.zero) ** zeros
        return found

    def apart(self, first: Sequence[int], second: Sequence[int]) -> Fraction | None:
        """Return the largest ratio of what two histories send, either way; None: no bound."""
        reports = product((0, 1), repeat=len(first))
        pairs = [(self.probability(first, y), self.probability(second, y)) for y in reports]
        return _largest([*pairs, *((b, a) for a, b in pairs)])

    def pairs(self, rounds: int) -> Mapping[Pair, Fraction | None]:
        """Return the largest ratio of what two histories send, for each pair of so many rounds."""
        sent = [self._sent(answer, rounds) for answer in range(ANSWERS)]
        return {pair: _worst(sent, pair) for pair in _pairs(rounds)}

    def _sent(self, answer: int, most: int) -> list[list[int]]:
        """Return how likely rounds of an answer send ones in some order, by rounds and ones.

        They are integers over unit^(rounds + 1), which is the same for all histories.
        """
        unit = lcm(*(each.denominator for each in (*self.kept, self.one, self.zero)))
        parts = (self.kept[answer], self.one, self.zero)
        kept, one, zero = (each.numerator * (unit // each.denominator) for each in parts)
        return [
            [
                kept * one**ones * (unit - one) ** (rounds - ones)
                + (unit - kept) * zero**ones * (unit - zero) ** (rounds - ones)
                for ones in range(rounds + 1)
            ]
            for rounds in range(most + 1)
        ]


def _worst(sent: Sequence[Sequence[Sequence[int]]], pair: Pair) -> Fraction | None:
    """Return the largest ratio over all reports; None where only one side can send one."""
    both, first, second, neither = pair
    mine = sent[0][both + first], sent[1][second + neither]
    other = sent[0][both + second], sent[1][first + neither]
    most, least = 1, 1
    for a, b, c, d in product(*(range(n + 1) for n in pair)):
        more, less = mine[0][a + b] * mine[1][c + d], other[0][a + c] * other[1][b + d]
        if more and not less:
            return None
        if more * least > most * less:
            most, least = more, less
    return Fraction(most, least)


def _pairs(rounds: int) -> Iterator[Pair]:
    for both, first, second in product(range(rounds + 1), repeat=3):
        if (neither := rounds - both - first - second) >= 0:
            yield both, first, second, neither


@dataclass(frozen=True)
class Direct:
    """A code that is kept for each answer, and sent as it is or as any other in every round."""

    size: int
    kept: tuple[Fraction, Fraction]  # how often it is that of the answer, and another one
    sent: tuple[Fraction, Fraction]  # how often a round sends it, and another one

    def probability(self, history: Sequence[int], sent: Sequence[int]) -> Fraction:
        """Return how likely these codes are sent over a history of answers."""
        found = Fraction(1)
        for answer in set(history):
            own = [y for given, y in zip(history, sent, strict=True) if given == answer]
            counts = [own.count(code) for code in range(self.size)]
            found *= self._answered(answer, counts) * self.sent[1] ** len(own)
        return found

    def worst(self, rounds: int) -> Fraction | None:
        """Return the largest ratio over all pairs of histories of so many rounds.

        Both give codes 0 and 1; what is sent is one of them or, of more codes, a third one.
        """
        if not self.sent[1]:
            return None
        found: dict[tuple[int, ...], tuple[Fraction, Fraction]] = {}
        for shares in product(range(rounds + 1), repeat=ANSWERS * min(self.size, SENT)):
            if sum(shares) != rounds:
                continue
            one, other = shares[::2], shares[1::2]  # how often each code was sent for an answer
            likely = self._answered(0, one) * self._answered(1, other)
            sent = tuple(map(sum, zip(one, other, strict=True)))
            most, least = found.get(sent, (likely, likely))
            found[sent] = max(most, likely), min(least, likely)
        return _largest(list(found.values()))

    def _answered(self, answer: int, counts: Sequence[int]) -> Fraction:
        """Return how likely an answer's rounds send codes so often, over sent[1] for each round."""
        lift = self.sent[0] / self.sent[1]
        each = (self.kept[code != answer] * lift**n for code, n in enumerate(counts))
        return sum(each, self.kept[1] * (self.size - len(counts)))


def _largest(pairs: Sequence[tuple[Fraction, Fraction]]) -> Fraction | None:
    """Return the largest ratio; None where something is possible for one side alone."""
    if any(more and not less for more, less in pairs):
        return None
    return max((more / less for more, less in pairs if less), default=Fraction(1))


def histories(plan: Plan, budget: Budget) -> Iterator[Finding]:
    """Compare what is promised about any two histories with what their reports reveal."""
    for name, stratum in budget.strata.items():
        own = replace(budget, levels={name: budget.levels[name]})
        claimed = over_rounds(plan, own, ROUNDS)
        found, how = _found(plan, name, stratum)
        subject = f"{name}, any two histories of {ROUNDS} rounds"
        if claimed is None:
            passes, how = found is None, f"nothing is promised; {how}"
            yield Finding(Part.ROUNDS, subject, inf, loss(found), passes, how)
            continue
        passes = found is not None and within(found, claimed)
        yield Finding(Part.ROUNDS, subject, claimed / 1000, loss(found), passes, how)


def _found(plan: Plan, name: str, stratum: int) -> Found:
    """Return the largest ratio of any two histories, and how it was found."""
    if not plan.again.repeats:
        answers = plan.again.answers(ROUNDS)
        ratio = exact_ratio(plan, name, stratum)
        how = f"an exact ratio for each of {answers} answers, drawn anew"
        return (None if ratio is None else ratio**answers), how
    law = plan.questions[name].law(stratum)
    if law.instant_ratio is None:
        return None, "a repeated report shows that an answer is the same"
    return followed(law)


@singledispatch
def followed(_: Law) -> Found:
    """Return the largest ratio of any two histories of a law with two stages, and how."""
    return None, "two stages of a shape that is not known"


@followed.register
def _(law: Bloom) -> Found:
    return _bitwise(law, law.encoding.hashes, law.encoding.bits)


@followed.register
def _(law: StagedUnary) -> Found:
    return _bitwise(law, 1, law.size)


@followed.register
def _(law: StagedChoice) -> Found:
    return _coded(law.size, law.permanent.means, law.means)


@followed.register
def _(law: StagedHashed) -> Found:
    """Follow the bucket of a function that puts the two answers into different ones."""
    return _coded(law.hashing.n_buckets, law.permanent.bucket_means, law.bucket_means)


def _coded(size: int, kept: tuple[Fraction, Fraction], means: tuple[Fraction, Fraction]) -> Found:
    """Follow a kept code; how often it is sent as it is follows from what is kept and sent."""
    same = (means[0] - kept[1]) / (kept[0] - kept[1])
    found = Direct(size, kept, (same, (1 - same) / (size - 1))).worst(ROUNDS)
    few = f", and reports of {SENT} codes" if size > SENT else ""
    return found, f"all pairs of histories of {ANSWERS} answers{few}"


def _bitwise(law: LabelLaw, hashes: int, bits: int) -> Found:
    """Follow each bit of all pairs of histories; bits are independent, so their ratios multiply.

    Two answers have as many bits of their own as there are hashes, as far as there are bits.
    """
    how = f"all pairs of histories of {ANSWERS} answers, each bit at its worst"
    first, neither = bits_of(law)
    both = replace(neither, kept=(first.kept[0], first.kept[0]))
    own, rest, shared = (bit.pairs(ROUNDS) for bit in (first, neither, both))
    apart = min(hashes, bits - hashes)
    found = []
    for pair in own:
        each = own[pair], own[pair[::-1]], shared[pair], rest[pair]
        counts = apart, apart, hashes - apart, bits - hashes - apart
        known = [ratio**n for ratio, n in zip(each, counts, strict=True) if ratio is not None]
        if len(known) < len(each):
            return None, how
        found.append(prod(known, start=Fraction(1)))
    return max(found), how


def bits_of(law: LabelLaw) -> tuple[Bit, Bit]:
    """Return a bit of the codeword of one of two answers, and one of neither, as the law has them.

    The coins of the second stage follow from how often bits are kept as ones, and sent as ones.
    """
    own, other = law.permanent.means  # type: ignore[attr-defined]
    sent, rest = law.means
    spread = (sent - rest) / (own - other)
    zero = sent - own * spread
    return Bit((own, other), zero + spread, zero), Bit((other, other), zero + spread, zero)
