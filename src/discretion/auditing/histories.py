"""Histories: how far reports of several rounds distinguish two owners who change when they like.

What the promise says of any two histories (``device.promise.over_rounds``) is compared with what is
found here. An answer that is drawn anew has the ratio of one round to the power of the rounds that
it is given in. A permanent answer is followed exactly, bit by bit: a bit is kept for each different
answer, once, and each round sends it by one of two coins.

    P(sent | history) = product over answers a of  sum over kept k of  P(k | a) prod P(y_t | k),

the inner product being over the rounds with that answer. Rounds can be exchanged in histories and
reports alike, so of all reports those with the ones first suffice, and of all pairs of histories
the likeliest and the least likely for each report.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import inf, prod

from discretion.auditing.exponential import loss, within
from discretion.auditing.finding import Finding, Part
from discretion.auditing.record import exact_ratio
from discretion.budget import Budget
from discretion.device.promise import over_rounds
from discretion.mechanism.law import LabelLaw
from discretion.plan import Plan

ROUNDS = 8
ANSWERS = 2  # different ones in a history


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

    def worst(self, rounds: int) -> Fraction | None:
        """Return the largest ratio over all pairs of histories of so many rounds."""
        histories = list(product(range(len(self.kept)), repeat=rounds))
        found = []
        for ones in range(rounds + 1):
            sent = [1] * ones + [0] * (rounds - ones)
            likely = [self.probability(history, sent) for history in histories]
            found.append((max(likely), min(likely)))
        return _largest(found)


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


def _found(plan: Plan, name: str, stratum: int) -> tuple[Fraction | None, str]:
    """Return the largest ratio of any two histories, and how it was found."""
    if not plan.again.repeats:
        answers = plan.again.answers(ROUNDS)
        ratio = exact_ratio(plan, name, stratum)
        how = f"an exact ratio for each of {answers} answers, drawn anew"
        return (None if ratio is None else ratio**answers), how
    law = plan.questions[name].law(stratum)
    if law.instant_ratio is None:
        return None, "a repeated report shows that an answer is the same"
    bits = bits_of(law)  # type: ignore[arg-type]
    ratios = [bit.worst(ROUNDS) for bit in bits]
    known = [ratio for ratio in ratios if ratio is not None]
    whole = None if len(known) < len(ratios) else _whole(law, known)  # type: ignore[arg-type]
    return whole, f"all pairs of histories of {ANSWERS} answers, bit by bit, each at its worst"


def bits_of(law: LabelLaw) -> tuple[Bit, Bit]:
    """Return a bit of the codeword of one of two answers, and one of neither, as the law has them.

    The coins of the second stage follow from how often bits are kept as ones, and sent as ones.
    """
    own, other = law.permanent.means  # type: ignore[attr-defined]
    sent, rest = law.means
    spread = (sent - rest) / (own - other)
    zero = sent - own * spread
    return Bit((own, other), zero + spread, zero), Bit((other, other), zero + spread, zero)


def _whole(law: LabelLaw, ratios: Sequence[Fraction]) -> Fraction:
    """Return the ratio of all bits: two answers have as many of their own as there are hashes."""
    encoding = law.encoding  # type: ignore[attr-defined]
    apart = min(2 * encoding.hashes, encoding.bits)
    return prod([ratios[0] ** apart, ratios[1] ** (encoding.bits - apart)], start=Fraction(1))
