"""Equal reports as one row: the same likelihood, and nothing is merged that differs."""

import numpy as np
import pytest

import discretion as ds
from discretion.crowd import simulate
from discretion.joints.build import distinct_rows, likelihood_of
from discretion.joints.likelihood import JointLikelihood
from discretion.joints.table_evidence import Evidence
from discretion.plan import Plan
from tests.unit.joints.crowds import crowd, dependent, plan_of

NAMES = ("a", "b")
SINGLE = 1e-5  # what single precision may differ by, summed in another order


def evidence(sizes: tuple[int, int] = (3, 4), n: int = 4_000) -> Evidence:
    plan = plan_of(sizes, ("grr", "oue"))
    return Evidence.of(crowd(plan, dependent(sizes), n, 5, missing=0.3), NAMES)


def every_row(own: Evidence, monkeypatch: pytest.MonkeyPatch) -> JointLikelihood:
    with monkeypatch.context() as patch:
        patch.setattr("discretion.joints.build.WORTH", 0)
        return likelihood_of(own)


def test_the_likelihood_is_that_of_all_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    own = evidence()
    few, every = likelihood_of(own), every_row(own, monkeypatch)
    assert few.rows < 0.5 * every.rows
    assert few.n == every.n == own.n
    f = np.random.default_rng(1).dirichlet(np.ones(12))
    value, slope = few.slope(f)
    expected, expected_slope = every.slope(f)
    assert value == pytest.approx(expected, rel=SINGLE)
    np.testing.assert_allclose(slope, expected_slope, rtol=SINGLE)
    np.testing.assert_allclose(few.information(f), every.information(f), rtol=SINGLE)


@pytest.mark.parametrize("secret", [False, True])
def test_rows_differ_by_bits_and_by_levels_or_by_what_was_shared(secret: bool) -> None:
    for group in evidence().groups:
        found = distinct_rows(group, secret=secret)
        bits = [part.bits for part in found.sets]
        levels = [part.which for part in found.sets]
        rows = np.column_stack([*bits, *([found.shared] if secret else levels)])
        assert len(np.unique(rows, axis=0)) == len(rows)
        assert found.times is not None
        assert found.reports == len(group)


def test_what_mostly_differs_is_left_as_it_is() -> None:
    for group in evidence((20, 20)).groups:
        if len(group.parts) == 2:
            assert distinct_rows(group, secret=False) is group


def test_longer_keys_than_an_integer_are_left_as_they_are() -> None:
    for group in evidence((50, 50), 300).groups:
        if len(group.parts) == 2:
            assert distinct_rows(group, secret=False) is group


def test_outputs_of_numbers_are_merged_too(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    age = {"name": "age", "kind": "numeric", "range": [0, 10], "step": 1}
    home = {"name": "home", "kind": "categorical", "values": ["town", "country"]}
    budget = {"levels": [0.5, 1, 2]}
    plan = Plan.of({"name": "x", "attributes": [age, home], "budget": budget})
    records = {"age": rng.integers(0, 11, 20_000), "home": rng.choice(["town", "country"], 20_000)}
    reports = simulate(plan, records, budgets="levels", share=(1, 2), seed=4)
    own = Evidence.of(reports, ("age", "home"), {"age": [0, 3, 6, 10]})
    few, every = likelihood_of(own), every_row(own, monkeypatch)
    assert few.rows < 0.5 * every.rows
    f = np.full(own.cells, 1 / own.cells)
    assert few.slope(f)[0] == pytest.approx(every.slope(f)[0], rel=SINGLE)


def test_keys_that_just_fit_in_an_integer_are_merged() -> None:
    """Of 16 values beside 15 others a view has 16^16 = 2^64 different counts."""
    asked = [
        {"name": name, "kind": "categorical", "values": [f"{name}{i}" for i in range(size)]}
        for name, size in (("a", 16), ("b", 15), ("c", 2))
    ]
    bundles = {"bundles": [["a", "b"], ["a", "c"]], "share": {"sample": 1}}
    plan = Plan.of({"name": "wide", "attributes": asked, **bundles, "budget": {"levels": [4]}})
    people = {
        name: [f"{name}{i % size}" for i in range(400)]
        for name, size in zip("abc", (16, 15, 2), strict=True)
    }
    reports = ds.simulate(plan, people, budgets="levels", seed=1)
    assert ds.joint(reports, ["a", "c"], method="mle").value.sum() == pytest.approx(1)
