"""What an analyst may ask of a table: parts of it, conditions, events, frames."""

import itertools
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from discretion.errors import EstimateError, TableError, UnknownAttribute
from discretion.estimate.estimate import between
from discretion.joints import JointEstimate, joint
from discretion.joints.information import MutualInformation
from discretion.labels import frequencies
from discretion.table.frame import to_arrow
from tests.cases import for_each
from tests.unit.joints.crowds import crowd, dependent, plan_of

SHAPE = (2, 3, 2)
NAMES = ("home", "mode", "pet")
LABELS = (("town", "country"), ("car", "bus", "walk"), ("yes", "no"))


def estimate(**changes: Any) -> JointEstimate:
    """Return a table with correlated deviations that sum to nothing."""
    rng = np.random.default_rng(1)
    root = 0.02 * rng.standard_normal((7, *SHAPE))
    fields: dict[str, Any] = {
        "attributes": NAMES,
        "labels": LABELS,
        "value": rng.dirichlet(np.full(12, 5.0)).reshape(SHAPE),
        "root": root - root.mean(axis=(1, 2, 3), keepdims=True),
        "n": 1234,
        "method": "mle",
        "basis": "mle",
        "holding": {s: 1000 // len(s) for r in (1, 2, 3) for s in itertools.combinations(NAMES, r)},
        "given": {},
    }
    fields["centre"] = fields["value"]
    return JointEstimate(**(fields | changes))


def test_a_marginal_sums_values_and_deviations() -> None:
    one = estimate()
    pair = one.marginal(["pet", "home"])
    assert pair.attributes == ("pet", "home")
    assert pair.labels == (LABELS[2], LABELS[0])
    np.testing.assert_allclose(pair.value, one.value.sum(axis=1).T)
    np.testing.assert_allclose(pair.centre, one.centre.sum(axis=1).T)
    np.testing.assert_allclose(pair.root, one.root.sum(axis=2).transpose(0, 2, 1))
    assert pair.n == 1234
    assert dict(pair.holding) == {("home",): 1000, ("pet",): 1000, ("pet", "home"): 500}


@pytest.mark.parametrize("order", list(itertools.permutations(NAMES)))
def test_a_marginal_of_all_is_the_table_in_another_order(order: tuple[str, ...]) -> None:
    one, axes = estimate(), [NAMES.index(name) for name in order]
    turned = one.marginal(order)
    np.testing.assert_array_equal(turned.value, one.value.transpose(axes))
    np.testing.assert_array_equal(turned.stderr, one.stderr.transpose(axes))
    np.testing.assert_array_equal(turned.marginal(NAMES).value, one.value)


def test_a_marginal_of_a_marginal_is_the_marginal() -> None:
    one = estimate()
    steps, at_once = one.marginal(["pet", "mode"]).marginal(["mode"]), one.marginal(["mode"])
    np.testing.assert_allclose(steps.value, at_once.value)
    np.testing.assert_allclose(steps.stderr, at_once.stderr)
    assert steps.holding == at_once.holding


def test_an_event_is_a_sum_of_cells() -> None:
    one = estimate()
    event = one.event({"mode": ["car", "walk"], "home": "country"})
    cells = np.ix_([1], [0, 2], [0, 1])
    assert event.value == pytest.approx(one.value[cells].sum())
    deviations = [row[cells].sum() for row in one.root]
    assert event.stderr == pytest.approx(np.linalg.norm(deviations))
    again = one.event({"home": ["country", "country"], "mode": ("walk", "car", "car")})
    assert again.value == pytest.approx(event.value)  # twice the same label is that label


def test_events_marginals_and_cells_agree() -> None:
    one, mode = estimate(), estimate().marginal(["mode"])
    for code, label in enumerate(LABELS[1]):
        event = one.event({"mode": label})
        assert event.value == pytest.approx(mode.value[code])
        assert event.stderr == pytest.approx(mode.stderr[code])
        assert event.interval() == pytest.approx(tuple(mode.interval()[code]))
    cell = one.event({"home": "town", "mode": "bus", "pet": "no"})
    assert cell.value == pytest.approx(one.value[0, 1, 1])
    assert cell.stderr == pytest.approx(one.stderr[0, 1, 1])


def test_the_event_of_all_cells_is_certain() -> None:
    everything = estimate().event({"mode": LABELS[1]})
    assert everything.value == pytest.approx(1)
    assert everything.stderr < 1e-12


def test_a_condition_is_a_ratio_of_events() -> None:
    one = estimate()
    given = one.condition({"mode": "bus"})
    assert given.attributes == ("home", "pet")
    assert given.value.sum() == pytest.approx(1)
    whole = one.event({"mode": "bus"}).value
    part = one.event({"mode": "bus", "home": "town", "pet": "no"}).value
    assert given.value[0, 1] == pytest.approx(part / whole)
    assert dict(given.given) == {"mode": "bus"}


def test_deviations_of_a_condition_are_those_of_the_ratio() -> None:
    """By finite differences along each deviation."""
    one, step = estimate(), 1e-5

    def ratio(table: Any) -> Any:
        part = table[:, 1]
        return part / part.sum()

    moved = [
        (ratio(one.centre + step * row) - ratio(one.centre - step * row)) / (2 * step)
        for row in one.root
    ]
    given = one.condition({"mode": "bus"})
    np.testing.assert_allclose(given.root, np.array(moved), atol=1e-7)
    assert given.event({"home": LABELS[0]}).stderr < 1e-12


def test_the_centre_of_a_condition_is_to_first_order_the_ratio() -> None:
    one = estimate()
    small = estimate(centre=one.value + 1e-4 * one.root[0]).condition({"mode": "bus"})
    bus = (one.value + 1e-4 * one.root[0])[:, 1]
    np.testing.assert_allclose(small.centre, bus / bus.sum(), atol=1e-9)
    assert not np.allclose(small.centre, small.value, atol=1e-7, rtol=0)
    assert small.centre.sum() == pytest.approx(1)


def test_a_centre_below_zero_is_a_condition_all_the_same() -> None:
    one = estimate()
    centre = one.value.copy()
    centre[:, 1] -= 2 * one.value[:, 1]
    given = estimate(centre=centre).condition({"mode": "bus"})
    np.testing.assert_allclose(given.value, one.condition({"mode": "bus"}).value)
    assert np.isfinite(given.interval()).all()


def test_conditions_one_after_another_are_one() -> None:
    one = estimate(centre=np.full(SHAPE, 1 / 12))
    steps = one.condition({"mode": "bus"}).condition({"pet": "no"})
    at_once = one.condition({"pet": "no", "mode": "bus"})
    np.testing.assert_allclose(steps.value, at_once.value)
    np.testing.assert_allclose(steps.centre, at_once.centre, atol=1e-12)
    np.testing.assert_allclose(steps.root, at_once.root, atol=1e-15)
    assert dict(steps.given) == dict(at_once.given) == {"mode": "bus", "pet": "no"}


def test_a_label_that_nobody_has_is_no_condition() -> None:
    value = np.zeros(SHAPE)
    value[0] = 1 / 6
    with pytest.raises(EstimateError, match="home = country: nobody, as far as these reports show"):
        estimate(value=value, centre=value).condition({"home": "country"})


def test_what_no_report_holds_is_named_by_its_smallest_sets() -> None:
    holding = dict(estimate().holding) | {("mode", "pet"): 0, NAMES: 0}
    one = estimate(holding=holding)
    assert one.unidentified == (("mode", "pet"),)
    assert one.marginal(["home", "pet"]).unidentified == ()
    assert one.marginal(["pet", "mode"]).unidentified == (("pet", "mode"),)
    assert estimate().unidentified == ()


def test_a_condition_remembers_that_it_is_not_in_the_data() -> None:
    """Nobody reported all three, so how two of them hang together given the third is a guess."""
    one = estimate(holding=dict(estimate().holding) | {NAMES: 0})
    given = one.condition({"pet": "no"})
    assert given.unidentified == (("home", "mode", "pet"),)
    assert given.marginal(["home"]).unidentified == ()


def test_mutual_information_is_that_of_the_pair() -> None:
    one = estimate()
    table = one.marginal(["home", "mode"])
    own = MutualInformation.of(table.centre, table.root)
    value, stderr = own.value, own.stderr
    for found in (one.mutual_information("home", "mode"), table.mutual_information()):
        assert (found.value, found.stderr) == pytest.approx((value, stderr))
        assert found.most == pytest.approx(np.log(2))
    assert one.mutual_information("mode", "home").value == pytest.approx(value)


def test_the_interval_of_an_event_keeps_to_what_a_probability_can_be() -> None:
    assert between(0.5, 0.5, 0.1, 0.95) == pytest.approx((0.304, 0.696), abs=1e-4)
    assert between(0.01, 0.01, 0.1, 0.95)[0] == 0
    assert between(0.3, 0.3, 50.0, 0.95) == pytest.approx((0, 1))
    inside = between(-0.4, -0.4, 0.1, 0.95)
    assert inside == pytest.approx((0, 0.1))  # by a standard error: not certain of zero
    with pytest.raises(EstimateError, match="confidence must lie between 0 and 1, got 95"):
        between(0.5, 0.5, 0.1, 95)


def test_intervals_are_around_the_centre() -> None:
    shifted = estimate(centre=np.full(SHAPE, 1 / 12), method="map")
    low, high = np.moveaxis(shifted.interval(0.5), -1, 0)
    middle, outside = (low + high) / 2, (shifted.value <= low) | (shifted.value >= high)
    np.testing.assert_allclose(middle[~outside], 1 / 12, atol=1e-12)
    ends = np.where(shifted.value > 1 / 12, high, low)
    assert 0 < outside.sum() < outside.size
    np.testing.assert_array_equal(ends[outside], shifted.value[outside])


def test_the_interval_of_an_event_holds_its_value_too() -> None:
    assert between(0.3, 0.5, 0.05, 0.95) == pytest.approx((0.3, 0.598), abs=1e-4)
    assert between(0.7, 0.5, 0.05, 0.95) == pytest.approx((0.402, 0.7), abs=1e-4)
    assert between(-0.1, 0.1, 0.01, 0.95)[0] == 0


@pytest.mark.parametrize(
    "backend, kind", [("pyarrow", pa.Table), ("pandas", pd.DataFrame), ("polars", pl.DataFrame)]
)
def test_a_frame_has_a_row_a_cell(backend: str, kind: type) -> None:
    one = estimate()
    frame = one.to_frame(backend, confidence=0.5)
    assert isinstance(frame, kind)
    table = to_arrow(frame)
    assert table.column_names == [*NAMES, "value", "stderr", "low", "high"]
    cells = list(zip(*(table[name].to_pylist() for name in NAMES), strict=True))
    assert cells == list(itertools.product(*LABELS))
    np.testing.assert_allclose(table["value"], one.value.ravel())
    np.testing.assert_allclose(table["stderr"], one.stderr.ravel())
    np.testing.assert_allclose(
        np.column_stack([table["low"], table["high"]]), one.interval(0.5).reshape(-1, 2)
    )


def test_attributes_may_be_called_like_columns() -> None:
    frame = estimate(attributes=("value", "low", "pet")).to_frame()
    assert frame.column_names == [
        "value_label",
        "low_label",
        "pet",
        "value",
        "stderr",
        "low",
        "high",
    ]
    assert frame["value_label"].to_pylist() == [LABELS[0][i] for i in np.indices(SHAPE)[0].ravel()]


def test_an_unknown_backend_is_refused() -> None:
    with pytest.raises(TableError, match="got 'spark'"):
        estimate().to_frame("spark")


@for_each(
    "ask, error, message",
    [
        (lambda e: e.marginal(["shoe"]), UnknownAttribute, "'shoe'; it has home, mode, pet"),
        (lambda e: e.marginal("mode"), EstimateError, "in a list, got 'mode'"),
        (lambda e: e.marginal([]), EstimateError, "in a list, got"),
        (lambda e: e.marginal(["pet", "pet"]), EstimateError, "different attributes"),
        (lambda e: e.event({}), EstimateError, "at least one attribute"),
        (lambda e: e.event({"shoe": "big"}), UnknownAttribute, "'shoe'"),
        (lambda e: e.event({"mode": "boat"}), EstimateError, "mode has car, bus, walk, not 'boat'"),
        (lambda e: e.condition({"mode": "boat"}), EstimateError, "not 'boat'"),
        (lambda e: e.condition({"mode": ["car"]}), EstimateError, "one label of each"),
        (lambda e: e.condition({}), EstimateError, "at least one attribute"),
        (
            lambda e: e.condition({"home": "town", "mode": "car", "pet": "no"}),
            EstimateError,
            "not on all of them",
        ),
        (lambda e: e.mutual_information(), EstimateError, "of two attributes: name them"),
        (lambda e: e.mutual_information("home"), EstimateError, "of two attributes"),
        (lambda e: e.interval(0), EstimateError, "confidence must lie between 0 and 1, got 0"),
    ],
)
def test_what_cannot_be_answered_is_refused(ask: Any, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        ask(estimate())


def test_many_labels_are_not_all_listed() -> None:
    labels = tuple(f"v{i}" for i in range(12))
    one = estimate(
        attributes=("x", "y"),
        labels=(labels, ("yes", "no")),
        value=np.full((12, 2), 1 / 24),
        centre=np.full((12, 2), 1 / 24),
        root=np.zeros((1, 12, 2)),
    )
    with pytest.raises(EstimateError, match=r"x has v0, .*, v7, \.\.\., not 'v99'"):
        one.event({"x": "v99"})


@pytest.mark.parametrize("method", ["mle", "tensor", "map", "independent"])
def test_marginals_are_the_frequencies_of_each_attribute(method: str) -> None:
    """Not the same estimator, but of the same thing: they differ by little of their error."""
    plan = plan_of((3, 4), ("subset", "oue"))
    reports = crowd(plan, dependent((3, 4)), 10_000, 3)
    whole = joint(reports, ("b", "a"), method)
    for name in "ab":
        own = whole.marginal([name])
        alone = frequencies(reports, name, "weighted" if method == "tensor" else "mle")
        assert np.abs(own.centre - alone.value).max() < 0.5 * alone.stderr.max()  # b knows of a
        np.testing.assert_allclose(own.stderr, alone.stderr, rtol=0.15)
        assert own.labels == (alone.labels,)
