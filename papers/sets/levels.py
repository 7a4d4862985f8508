"""The exact level of each method: the largest ratio of two rows of its law, on a small domain.

Rows are what an owner may have, columns what her report may be. Sets have two of four items, and
maps two of four keys, each at an end of the range; what is checked does not depend on how many
there are. Several reports are drawn independently given the row, so that their ratios multiply.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations, product
from math import exp

import numpy as np

from papers.sets.conditional import STATES, channel
from papers.sets.owners import Vector
from papers.sets.rounds import MOST_ROUNDS, ROUNDS, Round, halving, printed

ITEMS, LENGTH = 4, 2
SETS = tuple(combinations(range(ITEMS), LENGTH))
MAPS = tuple((keys, ends) for keys in SETS for ends in product((0, 1), repeat=LENGTH))


def level(*reports: Vector) -> float:
    """Return by how much any two rows are distinguished, by one report or several."""
    return float(np.sum([apart(rows) for rows in reports], axis=0).max())


def apart(rows: Vector) -> Vector:
    """Return by how much each row is distinguished from each other one."""
    logs = np.log(rows)
    return np.array([(own - logs).max(axis=1) for own in logs])


def direct(size: int, odds: float) -> Vector:
    """Return the law of a direct answer: (size, size)."""
    return (np.ones((size, size)) + (odds - 1) * np.eye(size)) / (odds + size - 1)


def hashed(size: int, epsilon: float) -> Vector:
    """Return that of OLH; functions differ for it only by which items they put together."""
    buckets = round(exp(epsilon)) + 1
    answers = direct(buckets, exp(epsilon))
    functions = list(product(range(min(buckets, size)), repeat=size))
    return np.hstack([answers[list(each)] for each in functions]) / len(functions)


def sampled(law: Vector) -> Vector:
    """Return the rows of sets of which one item is drawn."""
    return np.array([law[list(own)].mean(axis=0) for own in SETS])


def sampled_pairs(law: Vector) -> Vector:
    """Return the rows of maps of which one key is drawn; its symbol is 2 key + end."""
    symbols = [[2 * k + end for k, end in zip(*own, strict=True)] for own in MAPS]
    return np.array([law[own].mean(axis=0) for own in symbols])


def asked(each: Round) -> Vector:
    """Return the rows of maps of a key that is drawn out of all."""
    states = [_states(own) for own in MAPS]
    return np.array([np.concatenate([each.rows()[s] for s in own]) for own in states]) / ITEMS


def of_pckv_ue(epsilon: float) -> Vector:
    """Return the rows of maps of which a pair is sent by unary encoding in three states."""
    e, q = exp(epsilon), 2 / (exp(epsilon) + 3)
    right = e / (e + 1)
    silent, low = [1 - q, q / 2, q / 2], [0.5, 0.5 * right, 0.5 * (1 - right)]
    high = [low[0], low[2], low[1]]
    law = []
    for symbol in range(2 * ITEMS):
        each = [silent] * ITEMS
        each[symbol // 2] = high if symbol % 2 else low
        law.append(_product(np.array([own]) for own in each)[0])
    return sampled_pairs(np.array(law))


def of_pair(law: Vector) -> Vector:
    """Return the rows of maps of which the states of two keys are sent, out of all such."""
    rows = []
    for own in map(_states, MAPS):
        pairs = combinations(own, 2)
        rows.append(np.concatenate([law[:, STATES * u + v] for u, v in pairs]))
    return np.array(rows) / len(SETS)


def of_bits(epsilon: float, other: float | None = None) -> Vector:
    """Return the rows of all sets that answer yes or no for each item; some at another level."""
    levels = [epsilon, epsilon if other is None else other] * (ITEMS // 2)
    each = [direct(2, exp(own)) for own in levels]
    return _product(each)


def of_oue_bits(epsilon: float) -> Vector:
    """Return those of OUE's bits, which answer yes with 1/2 where it is so."""
    q = 1 / (exp(epsilon) + 1)
    return _product([np.array([[1 - q, q], [0.5, 0.5]])] * ITEMS)


def item_level(rows: Vector) -> float:
    """Return by how much sets are distinguished of which one has one item more."""
    return max(
        level(rows[[own, own | 1 << item]]) for own in range(len(rows)) for item in range(ITEMS)
    )


OF_SETS: Mapping[str, Callable[[float], float]] = {
    "PSFO, GRR": lambda e: level(sampled(direct(ITEMS, exp(e)))),
    "SVIM, GRR": lambda e: level(sampled(direct(ITEMS, LENGTH * (exp(e) - 1) + 1))),
    "SVIM, OLH": lambda e: level(sampled(hashed(ITEMS, e))),
    "LDPMiner": lambda e: level(*[sampled(hashed(ITEMS, e / 2))] * 2),
}
OF_MAPS: Mapping[str, Callable[[float], float]] = {
    "PCKV-UE": lambda e: level(of_pckv_ue(e)),
    "PCKV-GRR": lambda e: level(
        sampled_pairs(direct(2 * (ITEMS + LENGTH), LENGTH * (exp(e) - 1) + 1))
    ),
    "PrivKV, as printed": lambda e: level(asked(printed(e / 2, 1)[0])),
    "PrivKVM, six rounds, as printed": lambda e: level(*map(asked, printed(e / 2, ROUNDS))),
    "PrivKVM+, six rounds": lambda e: level(*map(asked, halving(e / 2, MOST_ROUNDS))),
    "CondiFre, two parts": lambda e: level(of_pair(channel(e / 2, whole=False))),
    "CondiFre, nine states": lambda e: level(of_pair(channel(e, whole=True))),
}
OF_ITEMS: Mapping[str, Callable[[float], tuple[float, float]]] = {
    "bits": lambda e: (item_level(of_bits(e)), level(of_bits(e))),
    "personalised bits, every other item at ε / 2": lambda e: (
        item_level(of_bits(e, e / 2)),
        level(of_bits(e, e / 2)),
    ),
    "LDPart, OUE's bits as printed": lambda e: (
        item_level(of_oue_bits(e)),
        level(of_oue_bits(e)),
    ),
}


def _product(laws: Iterable[Vector]) -> Vector:
    """Return the law of all of several answers."""
    found = np.ones((1, 1))
    for law in laws:
        found = np.asarray(np.kron(found, law), np.float64)
    return found


def _states(own: tuple[tuple[int, ...], tuple[int, ...]]) -> list[int]:
    """Return the state of every key of a map: 0 not there, 1 low, 2 high."""
    found = dict(zip(*own, strict=True))
    return [1 + found[key] if key in found else 0 for key in range(ITEMS)]
