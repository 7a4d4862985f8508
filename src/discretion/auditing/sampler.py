"""What is drawn, by every choice that a sampler can make: it must be the law, and leak no more."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from discretion.auditing.enumeration import TooManyPaths, distribution
from discretion.auditing.measure import largest_ratio
from discretion.auditing.twins import starts_over, twin
from discretion.mechanism import Law
from discretion.randomness import ONE, Source

CODES = 5  # inputs that are enumerated; of more, some from the first to the last


@dataclass(frozen=True, slots=True)
class Drawn:
    """The distribution of what is drawn for some inputs, compared with the law."""

    law: Law  # that was enumerated: the audited one, or its small twin
    codes: tuple[int, ...]
    same: bool
    ratio: Fraction | None  # the largest of what is drawn; None: without a bound
    rows: Mapping[
        int, Mapping[int, Fraction]
    ]  # by input: the probability of each output that is drawn


def drawn(law: Law) -> Drawn | None:
    """Enumerate every choice of a law's sampler, or of its twin's; None if that is too long."""
    for each in dict.fromkeys((law, twin(law))):
        try:
            return _drawn(each)
        except TooManyPaths:
            continue
    return None


def _drawn(law: Law) -> Drawn:
    last = law.size - 1
    few = min(CODES, law.size)
    codes = tuple(sorted({i * last // (few - 1) for i in range(few)}))
    found = {code: _distribution(law, code) for code in codes}
    drawn = [(y, code, p) for code, row in found.items() for y, p in row.items()]
    same = all(law.probability(y, code) == p for y, code, p in drawn)  # they sum to one: no others
    seen = {y for row in found.values() for y in row}
    columns = [[row.get(y, Fraction()) for row in found.values()] for y in seen]
    return Drawn(law, codes, same, largest_ratio(columns), found)


def _distribution(law: Law, code: int) -> dict[int, Fraction]:
    if not starts_over(law):
        return distribution(partial(law.perturb, code))
    found = distribution(partial(_attempt, law, code))
    kept = 1 - found.pop(None, Fraction())
    return {y: probability / kept for y, probability in found.items() if y is not None}


def _attempt(law: Law, code: int, source: Source) -> int | None:
    """Draw once, or return None where the law starts over: then what it drew has no say."""
    try:
        return law.perturb(code, _Attempt(source))
    except _StartsOver:
        return None


class _StartsOver(Exception):
    pass


class _Attempt:
    """A source that stops at the second fair coin: the sign with which a law begins anew."""

    def __init__(self, source: Source) -> None:
        self._source, self._begun = source, False

    def below(self, n: int) -> int:
        return self._source.below(n)

    def coin(self, heads: int) -> bool:
        if heads == ONE // 2:
            if self._begun:
                raise _StartsOver
            self._begun = True
        return self._source.coin(heads)
