"""Maps by one key out of all: PrivKV, PrivKVM and PrivKVM+ (Ye et al. 2019), mended.

An owner draws a key without regard to her map, and sends nothing, or one end of the range: whether
she has the key by a coin with budget e1, and the end by another with e2. Who has it not and says so
nevertheless sends a fair end. These cancel, so (high - low) / (n a (2 b - 1)) is unbiased for f m
in any round; what is printed divides by high + low, and more rounds were to mend that.

PrivKVM has c rounds of new keys: e1 is spent in the first one, and e2 in equal parts. PrivKVM+ goes
on while means still change by more than a round is worth. Its parts are halved from round to round,
so that they never add up to more than was stated.

What is printed spends e1 = e2 = epsilon / 2. A round of these two spends

    max(e2, e1 + ln(2 / (1 + exp(-e2))))

exactly, and rounds add up, as different keys may be drawn. So `mended` states as much to each coin
as makes the whole epsilon.
"""

from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

import numpy as np

from papers.sets.owners import Owners, Vector

Found = tuple[Vector, Vector]  # shares, products
ROUNDS, MOST_ROUNDS = 6, 6  # of PrivKVM, and of PrivKVM+ at most
WORTH = 0.1  # of a round of PrivKVM+: how much means must change, on average
HALVINGS = 60  # of the interval in which a budget is sought


class Round(NamedTuple):
    """The coins of a round: whether the key is there, and which end it is sent with."""

    e1: float
    e2: float

    @property
    def there(self) -> float:
        return _right(self.e1)

    @property
    def side(self) -> float:
        return _right(self.e2)

    @property
    def level(self) -> float:
        """What it spends exactly, of any two maps."""
        return max(self.e2, self.e1 + log(2 / (1 + exp(-self.e2))))

    def rows(self) -> Vector:
        """Return how often nothing, low and high are sent: by no key, a low and a high one."""
        a, b = self.there, self.side
        none = [a, (1 - a) / 2, (1 - a) / 2]
        return np.array([none, [1 - a, a * b, a * (1 - b)], [1 - a, a * (1 - b), a * b]])


def printed(half: float, count: int) -> list[Round]:
    """Return the rounds of PrivKVM in which both keys and numbers have so much."""
    return [Round(0.0 if i else half, half / count) for i in range(count)]


def halving(half: float, count: int) -> list[Round]:
    """Return those of PrivKVM+: of what numbers have, half is left to the later rounds."""
    return [Round(0.0 if i else half, half / 2 ** (i + 1)) for i in range(count)]


def spent(rounds: Sequence[Round]) -> float:
    """Return the exact level of some rounds with keys that are drawn anew."""
    return sum(each.level for each in rounds)


def privkv(owners: Owners, epsilon: float, rng: np.random.Generator) -> Found:
    """Take one round."""
    return _together(owners, [mended(epsilon, 1)[0]], rng)


def privkvm(owners: Owners, epsilon: float, rng: np.random.Generator) -> Found:
    """Take as many rounds as the paper does."""
    return _together(owners, mended(epsilon, ROUNDS), rng)


def privkvm_plus(owners: Owners, epsilon: float, rng: np.random.Generator) -> Found:
    """Take rounds while they pay."""
    return _together(owners, mended(epsilon, MOST_ROUNDS, plus=True), rng, WORTH)


def mended(epsilon: float, count: int, *, plus: bool = False) -> list[Round]:
    """Return the rounds that spend the level, keys and numbers stated alike."""
    schedule = halving if plus else printed
    low, high = 0.0, epsilon
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if spent(schedule(middle, count)) < epsilon else (low, middle)
    return schedule(low, count)


def _together(
    owners: Owners, rounds: Sequence[Round], rng: np.random.Generator, worth: float = 0.0
) -> Found:
    """Pool the products of all rounds by their noise at a rare key; shares are of the first."""
    total, weights = np.zeros(owners.size), 0.0
    share = before = np.zeros(owners.size)
    for number, each in enumerate(rounds):
        there, product = _asked(owners, each, rng)
        if not number:
            share = there
        weight = (each.there * (2 * each.side - 1)) ** 2 / (1 - each.there)
        total, weights = total + weight * product, weights + weight
        mean = np.clip(total / weights / np.maximum(share, 1 / owners.n), -1, 1)
        if number and np.abs(mean - before).mean() < worth:
            break
        before = mean
    return share, total / weights


def _asked(owners: Owners, each: Round, rng: np.random.Generator) -> Found:
    """Let all owners draw a key and send a report."""
    a, b = each.there, each.side
    asked = rng.integers(0, owners.size, owners.n)
    hit = owners.items == asked[:, None]
    held = hit.any(axis=1)
    value = np.where(held, (owners.numbers * hit).sum(axis=1), 0.0)
    side = np.where(rng.random(owners.n) < (1 + value) / 2, 1, -1)
    there = rng.random(owners.n) < np.where(held, a, 1 - a)
    sent = np.where(held & (rng.random(owners.n) >= b), -side, side) * there
    n = np.maximum(np.bincount(asked, minlength=owners.size), 1)
    up, down = (np.bincount(asked[sent == s], minlength=owners.size) for s in (1, -1))
    gap = 2 * a - 1
    share = ((up + down) / n - (1 - a)) / gap if gap else np.zeros(owners.size)
    return share, (up - down) / n / (a * (2 * b - 1))


def _right(budget: float) -> float:
    return exp(budget) / (exp(budget) + 1)
