"""Who shares what: always part of what she has, and at random as asked."""

import numpy as np
import numpy.typing as npt
from scipy import stats

from discretion.crowd.sharing import shared
from tests.cases import for_each
from tests.significance import ALPHA

OWNERS, ATTRIBUTES, SEED = 20_000, 4, 11


def everything() -> npt.NDArray[np.bool_]:
    return np.ones((OWNERS, ATTRIBUTES), np.bool_)


def some() -> npt.NDArray[np.bool_]:
    return np.random.default_rng(SEED).random((OWNERS, ATTRIBUTES)) < 0.7


def rng() -> np.random.Generator:
    return np.random.default_rng(SEED)


@for_each("share", ["all", 2, (2, 4), 0.5])
@for_each("least", [1, 2])
def test_nothing_that_is_missing_is_shared_and_never_fewer_than_the_least(
    share: object, least: int
) -> None:
    present = some()
    mask = shared(present, share, least, rng())
    count, able = mask.sum(axis=1), present.sum(axis=1) >= least
    assert not (mask & ~present).any()
    assert (count[able] >= least).all()
    assert not count[~able].any()
    assert 0 < able.sum() < OWNERS


def test_all_is_all_that_she_has() -> None:
    present = some()
    assert (shared(present, "all", 1, rng()) == present).all()


def test_a_number_is_that_many_or_all_that_she_has() -> None:
    present = some()
    count = shared(present, 2, 1, rng()).sum(axis=1)
    assert (count == np.minimum(present.sum(axis=1), 2)).all()


def test_every_choice_of_so_many_attributes_is_equally_likely() -> None:
    mask = shared(everything(), 2, 1, rng())
    seen = np.unique(mask @ (1 << np.arange(ATTRIBUTES)), return_counts=True)[1]
    assert len(seen) == 6
    assert stats.chisquare(seen).pvalue > ALPHA, f"{seen} of {OWNERS}, seed {SEED}"


def test_a_pair_is_a_uniform_number() -> None:
    count = shared(everything(), (2, 4), 1, rng()).sum(axis=1)
    seen = np.bincount(count, minlength=5)
    assert seen[:2].tolist() == [0, 0]
    assert stats.chisquare(seen[2:]).pvalue > ALPHA, f"{seen} of {OWNERS}, seed {SEED}"


def test_a_probability_is_that_of_each_attribute_given_that_one_is_shared() -> None:
    count = shared(everything(), 0.3, 1, rng()).sum(axis=1)
    law = stats.binom.pmf(np.arange(1, 5), 4, 0.3)
    seen = np.bincount(count, minlength=5)
    assert seen[0] == 0
    p = stats.chisquare(seen[1:], OWNERS * law / law.sum()).pvalue
    assert p > ALPHA, f"p = {p}, {seen} of {OWNERS}, seed {SEED}"


def test_the_probability_one_is_all() -> None:
    present = some()
    assert (shared(present, 1.0, 1, rng()) == present).all()


def test_a_number_from_numpy_is_a_number() -> None:
    mask = shared(everything(), np.int64(1), 1, rng())
    assert (mask.sum(axis=1) == 1).all()
