"""What liars do to each code: those of one level, with the most harmful report that there is.

Formulas and their derivation: ``estimate.margin``, and docs/proofs/frequencies.md, section 13.
"""

import numpy as np

from discretion.estimate.bits import PooledBits, Spectrum, spectra
from discretion.estimate.blind import moment
from discretion.estimate.columns import PooledOutputs, channel
from discretion.estimate.evidence import Evidence
from discretion.estimate.linear import capped, debiased, pooled, weights_of
from discretion.estimate.noise import Matrix, Noise, Vector
from discretion.mechanism import (
    Bloom,
    Choice,
    CodedLaw,
    Hashed,
    Histogram,
    Parities,
    Polynomials,
    Subset,
    SupportLaw,
    Unary,
)
from discretion.plan import Family, Plan
from discretion.robustness.assigned import Chance

CODED_LEVELS = 64  # at which words, or columns, are looked at, of a menu that has more


def extremes(law: SupportLaw | Bloom | Histogram) -> tuple[float, float]:
    """Return the largest and the smallest score of a code in a report that the law can make.

    With s codes in the support it is ([code in it] - s / size) / (p - q) + 1 / size. Of hashed
    reports it is a bound: whoever draws the function draws a harmful one, but there may be none
    that puts just the wanted codes together. Of coded ones it is where each code has a place of its
    own.
    """
    match law:
        case Choice():
            held, lacked = 1, 1
        case Subset():
            held, lacked = law.count, law.count
        case Unary() | Bloom() | Histogram():
            held, lacked = 1, law.size - 1
        case Hashed(hashing=Polynomials()):  # which may put all others together
            held, lacked = 1, law.size - 1
        case Hashed(hashing=Parities(bits=bits, rows=rows)):  # codes that are not there may be any
            held = max(1, (1 << max(bits - rows, 0)) - (1 << bits) + law.size)
            lacked = min(law.size - 1, 1 << bits - 1)
        case _:
            raise TypeError(f"no extreme reports of {law!r}")
    if isinstance(law, Bloom | Histogram):
        own, other = law.means
    else:
        own, other = law.inclusion.own, law.inclusion.other
    size, gap = law.size, float(own - other)
    return (1 - held / size) / gap + 1 / size, -lacked / size / gap + 1 / size


def of_sets(
    evidence: Evidence, share: float, cap: float | None
) -> tuple[tuple[int, ...], Matrix, Matrix]:
    """Return the menu, and how far each of its levels moves each code up and down."""
    plan, levels = evidence.plan, evidence.sets
    menu = plan.questions[evidence.attribute].menu
    laws = [plan.questions[evidence.attribute].law(level, Family.SETS) for level in menu]
    chances = [
        Chance.of(law)
        if plan.questions[evidence.attribute].assigned and isinstance(law, Hashed)
        else None
        for law in laws
    ]
    f = pooled(levels, cap).value
    if cap is not None:
        ends = [_ends(law, chance) for law, chance in zip(laws, chances, strict=True)]
        moved = np.array(
            [_capped(evidence, share, cap, *each) for each in zip(menu, laws, ends, strict=True)]
        )
        return menu, moved[:, 0] - f, moved[:, 1] - f
    lies, kept = share * evidence.everyone, (1 - share) * weights_of(levels).sum()
    odds = [lies * Noise.of(law).precision(law.size) / kept for law in laws]
    moved = np.array([_moved(*each, f) for each in zip(laws, chances, odds, strict=True)])
    return menu, moved[:, 0], moved[:, 1]


def _moved(law: SupportLaw, chance: Chance | None, odds: float, f: Vector) -> list[Vector]:
    """Return how far liars of one level, with these odds of weights, move each code."""
    up, down = (odds / (1 + odds) * (end - f) for end in extremes(law))
    if chance is None:
        return [up, down]
    above = f - 1 / law.size
    return [
        np.minimum(up, chance.up.change(-above, odds)),
        np.maximum(down, -chance.down.change(above, odds)),
    ]


def _ends(law: SupportLaw, chance: Chance | None) -> tuple[float, float]:
    """Return the extreme scores, or those to be expected of functions that come by chance."""
    up, down = extremes(law)
    if chance is None:
        return up, down
    return min(up, 1 / law.size + chance.up.most), max(down, 1 / law.size - chance.down.most)


def _capped(
    evidence: Evidence,
    share: float,
    cap: float,
    level: int,
    law: SupportLaw,
    ends: tuple[float, float],
) -> list[Vector]:
    """Return the capped estimates with the share of liars at one level, at either end."""
    levels, kept = evidence.sets, 1 - share
    values, n = debiased(levels), kept * np.array([tally.n for _, tally in levels])
    each = kept * weights_of(levels) / n
    if level in evidence.tallies:
        place = list(evidence.tallies).index(level)
    else:
        place, values = len(n), np.vstack([values, np.zeros(law.size)])
        n, each = np.append(n, 0.0), np.append(each, Noise.of(law).precision(law.size))
    before, lies = n[place], share * evidence.everyone
    n[place] += lies
    shares = capped(n * each, cap)
    found = []
    for end in ends:
        row = (before * values[place] + lies * end) / n[place]
        found.append(shares @ values + shares[place] * (row - values[place]))
    return found


def of_bits(evidence: Evidence, share: float) -> tuple[tuple[int, ...], Matrix, Matrix]:
    """Return levels, and how far liars at each, in the worst cohort, move each code."""
    plan, name = evidence.plan, evidence.attribute
    pool, added = PooledBits(evidence.coded_levels), share * evidence.everyone
    menu = _some(plan, name)
    laws = [plan.questions[name].law(level, Family.WORDS) for level in menu]
    moved = np.array(
        [[_words(pool, law, own, share, added) for own in spectra(law.coding)] for law in laws]
    )
    return menu, moved[:, :, 0].max(axis=1), moved[:, :, 1].min(axis=1)


def of_columns(evidence: Evidence, share: float) -> tuple[tuple[int, ...], Matrix, Matrix]:
    """Return levels, and how far liars at each, all with one output, move each code."""
    plan, name = evidence.plan, evidence.attribute
    pool, added, menu = (
        PooledOutputs(evidence.matrix_levels),
        share * evidence.everyone,
        _some(plan, name),
    )
    moved = []
    for level in menu:
        own = channel(plan.questions[name].law(level, Family.COLUMNS))
        whole = (1 - share) * pool.information + added * own.information
        told = (1 - share) * pool.score[:, None] + added * own.scores
        moved.append(np.linalg.solve(whole, told) - pool.value[:, None])
    return menu, np.max(moved, axis=2), np.min(moved, axis=2)


def _some(plan: Plan, name: str) -> tuple[int, ...]:
    menu = plan.questions[name].menu
    at = np.unique(np.linspace(0, len(menu) - 1, CODED_LEVELS).astype(np.int64))
    return tuple(menu[i] for i in at)


def _words(
    pool: PooledBits, law: CodedLaw, own: Spectrum, share: float, added: float
) -> tuple[Vector, Vector]:
    """Return the changes by the worst words of one level and cohort, information and all.

    The estimate is linear in the bits that are added: each is set as the sign of its part says.
    """
    size, weights = law.size, own.weights(law)
    more = (own.vectors * (weights * own.values)) @ own.vectors.T
    inverse = np.linalg.inv((1 - share) * pool.information + added * more + 1 / size) - 1 / size
    rest = (1 - share) * inverse @ pool.score + 1 / size - pool.value
    slopes = added * inverse @ ((own.vectors * weights) @ (own.vectors.T @ own.words))
    chance, other = map(float, law.means)
    one, none = (1 - other) / (chance - other) - own.mean, -other / (chance - other) - own.mean
    parts = slopes * one, slopes * none
    return rest + np.maximum(*parts).sum(axis=1), rest + np.minimum(*parts).sum(axis=1)


def of_moments(evidence: Evidence, share: float) -> tuple[Vector, Vector]:
    """Return how far the moment estimate moves: it falls or rises with the ones, to either end."""
    evidence.require_oue()
    total, size = evidence.total, evidence.size
    f, _ = moment(total)
    lies, kept = share * evidence.everyone, (1 - share) * total.n
    part = lies / (kept + lies)  # of what then tells about the attribute
    told = (1 - part) * total.supports / total.n
    changes = []
    for held, ones in ((1, 1), (1, size), (0, 0), (0, size - 1)):
        q = (told.sum() + part * ones - 0.5) / (size - 1)
        if q >= 0.5:
            return np.full(size, np.inf), np.full(size, -np.inf)
        changes.append((told + part * held - q) / (0.5 - q) - f)
    return np.max(changes, axis=0), np.min(changes, axis=0)
