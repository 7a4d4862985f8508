"""What is measured in one run: the same owners report by every method."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import discretion as ds
from discretion.aggregate import Evidence
from discretion.labels.powerlaw import shrunk
from papers.sets import conditional
from papers.sets.baskets import Baskets
from papers.sets.conditional import condifre, nine_states
from papers.sets.itemwise import bits, ldpart, personal_bits
from papers.sets.miners import cover, ldpminer, svim
from papers.sets.owners import STEPS, Owners, Vector
from papers.sets.pairs import Found, pckv_grr, pckv_ue
from papers.sets.rounds import privkv, privkvm, privkvm_plus
from papers.sets.samplers import amplified_grr, sampled_grr, sampled_olh, stderr_olh, wheel
from papers.study import Measurement, mean

NAME = "i{}"  # of an item, or a key
OURS, CALIBRATED = "cover", "SVIM, OLH"  # the oracle that Calibrate is appended to
OF_SETS: Mapping[str, Callable[[Owners, float, np.random.Generator], Vector]] = {
    "PSFO, GRR": sampled_grr,
    "SVIM, GRR": amplified_grr,
    "SVIM, OLH": sampled_olh,
    "wheel": wheel,
}
OF_MAPS: Mapping[str, Callable[[Owners, float, np.random.Generator], Found]] = {
    "PCKV-UE": pckv_ue,
    "PCKV-GRR": pckv_grr,
    "PrivKV": privkv,
    "PrivKVM": privkvm,
    "PrivKVM+": privkvm_plus,
}
OF_PAIRS: Mapping[str, Callable[[Owners, float, int, np.random.Generator], Found]] = {
    "CondiFre, two parts": condifre,
    "CondiFre, nine states": nine_states,
}
OF_ITEMS: Mapping[str, Callable[[Owners, float, np.random.Generator], Vector]] = {
    "bits": bits,
    "personalised bits": personal_bits,
    "LDPart": ldpart,
}
OF_BASKETS: Mapping[str, Callable[[Baskets, float, np.random.Generator], Vector]] = {
    "SVIM": svim,
    "LDPMiner": ldpminer,
}


@dataclass(frozen=True)
class Setting:
    """Items, items of each owner, owners, and the epsilon of all; several where levels differ."""

    size: int
    length: int
    n: int
    levels: tuple[float, ...]

    def __str__(self) -> str:
        level = ", ".join(f"{each:g}" for each in self.levels)
        return f"{self.length} of {self.size:,}, ε = {level}"


def sets(setting: Setting, seed: int) -> Iterator[Measurement]:
    """Let the same owners report their sets by every method."""
    owners, rng = _owners(setting, seed)
    own = ds.frequencies(reports(owners, setting.levels, seed), "x")
    found = {OURS: own.value}
    found |= {name: method(owners, setting.levels[0], rng) for name, method in OF_SETS.items()}
    for name, shares in found.items():
        yield ("sets", setting, name), _error(shares, owners.shares, owners.n)
    error = np.full(owners.size, stderr_olh(owners, setting.levels[0]))
    calibrated = {
        OURS: ds.postprocess(own, "power").value,
        CALIBRATED: shrunk(found[CALIBRATED], error, owners.n),
    }
    for name, shares in calibrated.items():
        yield ("calibrated", setting, name), _error(shares, owners.shares, owners.n)


def maps(setting: Setting, seed: int) -> Iterator[Measurement]:
    """Let the same owners report their maps by every method: shares, products, and their sum."""
    owners, rng = _owners(setting, seed)
    own = ds.means(reports(owners, setting.levels, seed, numbers=True), "x")
    found: dict[str, Found] = {OURS: (own.shares.value, own.products.value)}
    found |= {name: method(owners, setting.levels[0], rng) for name, method in OF_MAPS.items()}
    for name, (shares, products) in found.items():
        errors = (
            _error(shares, owners.shares, owners.n),
            _error(products, owners.products, owners.n),
        )
        yield ("shares", setting, name), errors[0]
        yield ("products", setting, name), errors[1]
        yield ("maps", setting, name), sum(errors)


def pairs(setting: Setting, seed: int) -> Iterator[Measurement]:
    """Let the same owners report their maps, to learn about those who have the first key."""
    owners, rng = _owners(setting, seed)
    others = np.arange(1, owners.size)
    truth = conditional.truth(owners, 0)
    own = ds.means(reports(owners, setting.levels, seed, numbers=True), "x", given=NAME.format(0))
    yield ("pairs", setting, OURS), _both(own.shares.value, own.products.value, owners, truth)
    for name, method in OF_PAIRS.items():
        shares, products = method(owners, setting.levels[0], 0, rng)
        yield ("pairs", setting, name), _both(shares[others], products[others], owners, truth)


def items(setting: Setting, seed: int) -> Iterator[Measurement]:
    """Let the same owners report their sets by methods for item-level privacy."""
    owners, rng = _owners(setting, seed)
    for name, method in OF_ITEMS.items():
        found = method(owners, setting.levels[0], rng)
        yield ("items", setting, name), _error(found, owners.shares, owners.n)


def retail(baskets: Baskets, epsilon: float, seed: int) -> Iterator[Measurement]:
    """Let the same owners report their baskets by every method."""
    rng = np.random.default_rng([seed, round(1000 * epsilon)])
    found = {OURS: cover(baskets, epsilon, seed).value}
    found |= {name: method(baskets, epsilon, rng) for name, method in OF_BASKETS.items()}
    for name, shares in found.items():
        yield ("f1", epsilon, name), baskets.f1(shares)
        yield ("found", epsilon, name), baskets.error(shares)


def several(setting: Setting, seed: int) -> Iterator[Measurement]:
    """Compare weights with none where levels differ, and see what intervals cover."""
    owners, _ = _owners(setting, seed)
    table = reports(owners, setting.levels, seed, numbers=True)
    shares, means = ds.frequencies(table, "x", target="owners"), ds.means(table, "x")
    evidence = Evidence.of(table, "x")
    each = [
        (evidence.reports_by_level[level], ds.frequencies(evidence.only({level}), "x").value)
        for level in evidence.reports_by_level
    ]
    unweighted = np.sum([n * value for n, value in each], axis=0) / evidence.n
    yield ("mixed", "weighted"), _error(shares.value, owners.shares, owners.n)
    yield ("mixed", "unweighted"), _error(unweighted, owners.shares, owners.n)
    yield ("covered", "shares"), _covered(shares.interval(), owners.shares)
    learnt = means.learnt
    if learnt.any():
        truth = owners.products[learnt] / owners.shares[learnt]
        yield ("covered", "means"), _covered(means.interval()[learnt], truth)


def reports(
    owners: Owners, levels: Sequence[float], seed: int, *, numbers: bool = False
) -> ds.ReportTable:
    """Return reports through the library's own crowd."""
    names = np.array([NAME.format(i) for i in range(owners.size)])
    asked: dict[str, object] = {"name": "x", "length": owners.length}
    column: object
    if numbers:
        asked |= {"kind": "map", "keys": names.tolist(), "range": [-1, 1], "step": 1 / STEPS}
        pairs = zip(names[owners.items].tolist(), owners.numbers.tolist(), strict=True)
        column = [dict(zip(keys, values, strict=True)) for keys, values in pairs]
    else:
        asked |= {"kind": "set", "items": names.tolist()}
        column = names[owners.items].tolist()
    document = {"name": "sets", "attributes": [asked], "budget": {"levels": list(levels)}}
    return ds.simulate(ds.Plan.of(document), {"x": column}, budgets="levels", seed=seed)


def _owners(setting: Setting, seed: int) -> tuple[Owners, np.random.Generator]:
    rng = np.random.default_rng(
        [seed, setting.size, setting.length, round(1000 * setting.levels[0])]
    )
    return Owners.of(setting.size, setting.length, setting.n, rng), rng


def _error(found: Vector, truth: Vector, n: int) -> float:
    return n * mean((found - truth) ** 2)


def _both(shares: Vector, products: Vector, owners: Owners, truth: Found) -> float:
    """Return both squared errors, about all keys but the first."""
    errors = zip((shares, products), truth, strict=True)
    return sum(_error(found, true[1:], owners.n) for found, true in errors)


def _covered(interval: Vector, truth: Vector) -> float:
    return float(((interval[:, 0] <= truth) & (truth <= interval[:, 1])).mean())
