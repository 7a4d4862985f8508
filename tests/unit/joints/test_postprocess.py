"""Post-processed estimates: what changes, what stays, and what they say of themselves."""

import json
import pickle

import numpy as np
import pytest

import discretion as ds
from discretion.aggregate import Aggregate
from discretion.errors import EstimateError
from discretion.estimate.noise import simplex
from discretion.labels.consistency import STEPS
from tests.builders import answered, crowd, disclosed, survey

BIASED = sorted(set(STEPS) - {"norm"})


def sparse() -> ds.FrequencyEstimate:
    """Return an estimate with negative values: unequal budgets, a tenth of the values missing."""
    codes = np.random.default_rng(1).choice(3, 1_500)
    reports = answered(disclosed("oue", 12), codes, seed=2)
    return ds.frequencies(reports, "x", "weighted")


def table() -> ds.JointEstimate:
    return ds.joint(crowd(survey(), 1_500, 3), ["mode", "pet"], "tensor")


def test_the_given_estimate_is_not_changed() -> None:
    given = sparse()
    before = given.value.copy()
    found = ds.postprocess(given, "norm-sub")
    np.testing.assert_array_equal(given.value, before)
    assert given.steps == ()
    assert given.unprocessed is None
    assert before.min() < 0
    np.testing.assert_array_equal(found.value, simplex(before))


def test_no_step_leaves_everything_as_it_is() -> None:
    given = sparse()
    assert ds.postprocess(given) is given


@pytest.mark.parametrize("step", BIASED)
def test_uncertainty_stays_that_of_what_was_given(step: str) -> None:
    given = sparse()
    found = ds.postprocess(given, step)
    np.testing.assert_array_equal(found.unprocessed, given.value)
    np.testing.assert_array_equal(found.covariance, given.covariance)
    assert found.effective_n == given.effective_n
    (low, high), (own_low, own_high) = given.interval().T, found.interval().T
    np.testing.assert_array_equal(own_low, np.minimum(low, found.value))
    np.testing.assert_array_equal(own_high, np.maximum(high, found.value))


def test_norm_moves_the_covariance_with_the_value() -> None:
    codes = np.random.default_rng(1).choice(3, 1_500)
    given = ds.frequencies(answered(disclosed("oue", 5), codes, seed=2), "x", "pldp")
    found = ds.postprocess(given, "norm")
    centre = np.eye(5) - 1 / 5
    assert given.value.sum() != pytest.approx(1)
    np.testing.assert_allclose(found.value, centre @ given.value + 1 / 5)
    np.testing.assert_allclose(found.covariance, centre @ given.covariance @ centre, atol=1e-15)
    assert found.unprocessed is None
    after = ds.postprocess(given, "base-pos", "norm")
    np.testing.assert_allclose(after.centre, found.value)
    np.testing.assert_allclose(after.stderr, found.stderr)


def test_steps_are_taken_in_their_order_at_once_or_one_by_one() -> None:
    given = sparse()
    found = ds.postprocess(given, "power", "norm-sub")
    one_by_one = ds.postprocess(ds.postprocess(given, "power"), "norm-sub")
    assert found.steps == one_by_one.steps == ("power", "norm-sub")
    np.testing.assert_array_equal(found.value, one_by_one.value)
    np.testing.assert_array_equal(found.value, simplex(ds.postprocess(given, "power").value))
    np.testing.assert_array_equal(found.unprocessed, given.value)


def test_a_late_step_is_refused_also_one_by_one() -> None:
    with pytest.raises(EstimateError, match="power must come first"):
        ds.postprocess(ds.postprocess(sparse(), "norm-sub"), "power")


def test_shares_of_items_are_shrunk_and_not_made_to_sum_to_one() -> None:
    basket = {"name": "x", "kind": "set", "items": [f"i{i}" for i in range(64)], "length": 2}
    plan = ds.Plan.of({"name": "p", "attributes": [basket], "budget": {"levels": [1, 2]}})
    sets = [["i0", f"i{i % 9}"] for i in range(3000)]
    given = ds.frequencies(ds.simulate(plan, {"x": sets}, budgets="levels", seed=3), "x")
    found = ds.postprocess(given, "power")
    truth = np.bincount([0] * 3000 + [i % 9 for i in range(3000)], minlength=64) / 3000
    truth[0] = 1
    errors = [((each.value - truth) ** 2).sum() for each in (found, given)]
    assert errors[0] < 0.5 * errors[1]
    assert found.value[0] > 0.9
    for step in ("norm", "norm-sub", "norm-mul", "norm-gls"):
        with pytest.raises(EstimateError, match="these need not: base-pos, base-cut, power"):
            ds.postprocess(given, step)


@pytest.mark.parametrize("step", ["norm-sub", "norm-mul", "norm-gls", "base-pos"])
def test_the_most_likely_frequencies_are_frequencies_already(step: str) -> None:
    reports = answered(disclosed("subset", 5), np.arange(600) % 3, seed=4)
    given = ds.frequencies(reports, "x", "mle")
    np.testing.assert_allclose(ds.postprocess(given, step).value, given.value, atol=1e-9)


def test_aggregates_and_owners_are_processed_alike() -> None:
    reports = answered(disclosed("subset", 8), np.arange(600) % 2, seed=4)
    whole = ds.frequencies(Aggregate.of(reports), "x", target="owners")
    for step in STEPS:
        found = ds.postprocess(whole, step)
        assert (found.target, found.method) == ("owners", "weighted")
        assert np.isfinite(found.interval()).all()


def test_it_says_what_was_done() -> None:
    found = ds.postprocess(sparse(), "power", "norm-sub")
    first, *_ = str(found).splitlines()
    assert first.startswith("x: weighted estimate for the population, then power, then norm-sub; ")
    assert first.endswith("; standard errors and intervals: unprocessed")
    assert "then power, then norm-sub" in found._repr_html_()
    assert found.to_frame().column_names == ["x", "value", "stderr", "low", "high", "unprocessed"]
    words = [text.get_text() for text in found.plot().texts]
    assert f"weighted, then power, then norm-sub, {found.n:,} reports" in words


def test_norm_alone_has_intervals_of_its_own() -> None:
    found = ds.postprocess(sparse(), "norm")
    assert "unprocessed" not in str(found)
    assert "unprocessed" not in found.to_frame().column_names


def test_machines_read_the_steps_and_what_was_given() -> None:
    given = sparse()
    found = json.loads(json.dumps(ds.postprocess(given, "base-cut").document()))
    assert found["post"] == ["base-cut"]
    assert [row["unprocessed"] for row in found["frequencies"]] == given.value.tolist()
    assert "post" not in given.document()


def test_a_copy_carries_its_covariance() -> None:
    found = ds.postprocess(sparse(), "norm", "norm-sub")
    copy = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(copy.covariance, found.covariance)
    assert copy.steps == found.steps


@pytest.mark.parametrize("step", sorted(STEPS))
def test_tables_are_processed_as_their_cells(step: str) -> None:
    given = table()
    found = ds.postprocess(given, step)
    assert found.steps == (step,)
    assert found.value.shape == given.value.shape
    low, high = np.moveaxis(found.interval(), -1, 0)
    assert ((low <= found.value.clip(0, 1)) & (found.value.clip(0, 1) <= high)).all()
    if step != "norm":
        np.testing.assert_array_equal(found.centre, given.centre)
        np.testing.assert_array_equal(found.root, given.root)
        assert "then " + step in str(found)
        assert str(found).splitlines()[0].endswith("standard errors and intervals: unprocessed")
    assert found.document()["post"] == [step]
    assert "post" not in given.document()


def test_marginals_of_a_processed_table_are_sums_of_it() -> None:
    found = ds.postprocess(table(), "norm-gls")
    assert found.value.sum() == pytest.approx(1)
    assert found.value.min() >= 0
    own = found.marginal(["mode"])
    np.testing.assert_allclose(own.value, found.value.sum(axis=1))
    assert own.steps == ("norm-gls",)


def test_norm_of_a_table_moves_its_deviations() -> None:
    given = table()
    found = ds.postprocess(given, "norm")
    assert found.root.sum(axis=(1, 2)) == pytest.approx(0)
    assert found.value.sum() == pytest.approx(1)
    assert "unprocessed" not in str(found)
