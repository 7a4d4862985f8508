"""The squared error to expect of a table before anybody is asked.

At the uniform distribution the information about a table falls apart into components, one for each
set S of its attributes. An owner who answers the questions Q, each with Fisher's eigenvalue λ,
adds to the component of S the product of λ / (sizes of Q without S) over those that meet S, and
nothing where an attribute of S is in none: a report about a cell knows all contrasts of its cells
equally well, and those of a part of Q are sums over the rest. With i(S) from all owners together

    squared error, summed over cells = sum over S of prod_S (l - 1) / (i(S) prod_not-S l),

which is the Cramér-Rao bound and what the most likely table reaches, unless cells are so uncertain
that the simplex holds them back: then it does better. See docs/proofs/joints.md, section 5.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import inf, prod

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

from discretion.estimate.noise import Vector
from discretion.mechanism import SupportLaw


@dataclass(frozen=True)
class Answer:
    """A report about one attribute, or about several as one cell."""

    attributes: tuple[str, ...]
    law: SupportLaw


@dataclass(frozen=True)
class Owners:
    """So many owners who answer the same questions alike; no attribute is in two of them."""

    number: float
    answers: tuple[Answer, ...]


def squared_error(table: Mapping[str, int], crowd: Sequence[Owners]) -> float:
    """Return the squared error to expect, summed over the cells of attributes with these sizes.

    Reports about a part of the table count too.
    """
    error = 0.0
    for kept in _subsets(tuple(table)):
        known = sum(owners.number * _informed(table, owners, kept) for owners in crowd)
        spread = prod(size for name, size in table.items() if name not in kept)
        error += prod(table[name] - 1 for name in kept) / (known * spread) if known else inf
    return error


@cache
def eigenvalue(law: SupportLaw) -> float:
    """Return the Fisher information about a contrast in one report, at the uniform distribution.

    A report that speaks for s of l codes has l s (l - s)(r - 1)^2 / ((l - 1)(s r + l - s)^2), with
    r the ratio of the law; where s is random it is the mean. An unperturbed answer has l.
    """
    size, lift = law.size, float(law.lift) - 1
    ones, probability = _support_sizes(law)
    information = size * ones * (size - ones) * lift**2 / (size + ones * lift) ** 2
    return float(probability @ information) / (size - 1)


def _informed(table: Mapping[str, int], owners: Owners, kept: frozenset[str]) -> float:
    """Return one owner's information about the interaction of the kept attributes."""
    about = [answer for answer in owners.answers if not kept.isdisjoint(answer.attributes)]
    if kept.difference(*(answer.attributes for answer in about)):
        return 0.0
    information = 1.0
    for answer in about:
        inside = prod(table[name] for name in answer.attributes if name in kept)
        information *= eigenvalue(answer.law) * inside / answer.law.size
    return information


def _support_sizes(law: SupportLaw) -> tuple[Vector, Vector]:
    """Return how many codes a report may speak for, and how probable that is for any true code."""
    if law.support_size is not None:
        return np.full(1, float(law.support_size)), np.ones(1)
    own, other = map(float, law.means)
    others = _binomial(law.size - 1, other)
    ones = np.arange(law.size + 1.0)
    return ones, own * np.append(0.0, others) + (1 - own) * np.append(others, 0.0)


def _binomial(trials: int, q: float) -> Vector:
    """Return the probabilities of 0 to ``trials`` ones."""
    ones = np.arange(trials + 1.0)
    ways = gammaln(trials + 1.0) - gammaln(ones + 1) - gammaln(trials - ones + 1)
    return np.asarray(np.exp(ways + xlogy(ones, q) + xlog1py(trials - ones, -q)))


def _subsets(names: tuple[str, ...]) -> Iterator[frozenset[str]]:
    for r in range(1, len(names) + 1):
        yield from map(frozenset, combinations(names, r))
