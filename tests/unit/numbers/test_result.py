"""What analysts hold: intervals, frames in their library, text, and charts without pyplot."""

from io import BytesIO
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

import discretion as ds
from discretion.errors import EstimateError
from discretion.numbers.result import NumberEstimate
from discretion.render.formats import number
from tests.cases import for_each
from tests.unit.numbers.crowds import numbers, skewed

BACKENDS = ("pyarrow", "pandas", "polars")


def results() -> dict[str, Any]:
    reports = skewed("sw")
    return {
        "mean": ds.mean(reports, "x"),
        "sum": ds.sum(reports, "x"),
        "variance": ds.variance(reports, "x"),
        "quantiles": ds.quantiles(reports, "x"),
        "cdf": ds.cdf(reports, "x", [1, 2, 5]),
        "histogram": ds.histogram(reports, "x", bins=5),
    }


COLUMNS = {
    "mean": ["attribute", "what", "value", "stderr", "low", "high"],
    "sum": ["attribute", "what", "value", "stderr", "low", "high"],
    "variance": ["attribute", "what", "value", "stderr", "low", "high"],
    "quantiles": ["level", "value", "low", "high"],
    "cdf": ["x", "value", "low", "high"],
    "histogram": ["from", "to", "value", "low", "high"],
}


@for_each("name", COLUMNS)
@for_each("backend", BACKENDS)
def test_frames_have_the_same_columns_and_rows_in_every_library(name: str, backend: str) -> None:
    result = results()[name]
    frame = result.to_frame(backend, confidence=0.8)
    assert type(frame).__module__.split(".")[0] == backend
    columns = frame.column_names if backend == "pyarrow" else list(frame.columns)
    assert columns == COLUMNS[name]
    values = np.asarray(frame["value"])
    np.testing.assert_array_equal(values, np.atleast_1d(result.value))
    ends = np.column_stack([np.asarray(frame["low"]), np.asarray(frame["high"])])
    np.testing.assert_array_equal(ends, np.atleast_2d(result.interval(0.8)))


def test_an_unknown_library_is_refused() -> None:
    with pytest.raises(
        ds.DiscretionError, match="a frame must be one of pyarrow, pandas, polars, got 'excel'"
    ):
        results()["mean"].to_frame("excel")


@for_each("name", COLUMNS)
@for_each("confidence", [0.0, 1.0, -0.5, 2.0, float("nan")])
def test_a_confidence_that_is_no_probability_is_refused(name: str, confidence: float) -> None:
    result = results()[name]
    for ask in (result.interval, lambda c: result.to_frame(confidence=c)):
        with pytest.raises(EstimateError, match="confidence must lie between 0 and 1, got"):
            ask(confidence)


def test_an_interval_is_so_many_standard_errors_to_each_side() -> None:
    found = NumberEstimate("x", "mean", 5.0, 2.0, 10, "weighted")
    assert found.interval() == pytest.approx((5 - 1.959964 * 2, 5 + 1.959964 * 2))
    assert found.interval(0.5) == pytest.approx((5 - 0.67449 * 2, 5 + 0.67449 * 2))
    assert float(found) == 5.0
    least = NumberEstimate("x", "variance", 1.0, 2.0, 10, "likelihood", least=0.0)
    assert least.interval() == pytest.approx((0.0, 1 + 1.959964 * 2))
    both = NumberEstimate("x", "mean", 1.0, 2.0, 10, "likelihood", least=0.0, most=3.0)
    assert both.interval() == pytest.approx((0.0, 3.0))


def test_a_value_outside_its_range_is_shown_at_the_end_and_kept() -> None:
    """However far outside it is, the interval reaches into the range by a standard error."""
    far = NumberEstimate("x", "mean", 31.0, 2.0, 10, "weighted", least=0.0, most=10.0)
    assert (far.value, far.unclipped, float(far)) == (10.0, 31.0, 10.0)
    assert far.interval() == pytest.approx((8.0, 10.0))
    assert far.document()["mean"] == {
        "value": 10.0,
        "stderr": 2.0,
        "low": 8.0,
        "high": 10.0,
        "unclipped": 31.0,
    }
    assert far.to_frame()["unclipped"].to_pylist() == [31.0]
    assert "mean of x: 10, 31 unclipped (stderr 2, 95 % interval 8 to 10" in str(far)
    inside = NumberEstimate("x", "mean", 9.5, 2.0, 10, "weighted", least=0.0, most=10.0)
    assert inside.interval() == pytest.approx((9.5 - 1.959964 * 2, 10.0))
    assert "unclipped" not in inside.document()["mean"]


@pytest.mark.parametrize(
    "value, written",
    [(0.0, "0"), (3.14159, "3.142"), (999.96, "1000"), (1234.5, "1,234"), (-1e6, "-1,000,000")],
)
def test_numbers_are_written_for_people(value: float, written: str) -> None:
    assert number(value) == written


def test_results_are_text_in_a_session() -> None:
    found = results()
    line = str(found["mean"])
    assert line.startswith("mean of x: 2.")
    assert "95 % interval" in line
    assert line.endswith(f"weighted estimate, {found['mean'].n:,} reports)")
    assert repr(found["mean"]) == line
    assert str(found["sum"]).startswith("sum of x: 10,")
    for name, head in (
        ("quantiles", "level  quantile  95 % interval"),
        ("cdf", "x   share     95 % interval"),
        ("histogram", "x   share     95 % interval"),
    ):
        lines = str(found[name]).splitlines()
        assert lines[0] == f"x: {found[name].n:,} reports"
        assert lines[1].split() == head.split()
        assert len(lines) == 2 + len(found[name].value)
        assert len({len(each) for each in lines[1:]}) == 1
    assert str(found["histogram"]).splitlines()[2].lstrip().startswith("0 to 2  0.")


# Charts


def steps(ax: Any) -> list[Any]:
    """Return the heights of what is drawn as steps."""
    return [patch.get_data().values for patch in ax.patches]


def band(ax: Any) -> Any:
    """Return the corners of the band, (k, 2)."""
    (drawn,) = ax.collections
    return drawn.get_paths()[0].vertices


def test_a_density_is_drawn_with_its_band_in_the_numbers_units() -> None:
    found = ds.histogram(skewed("sw"), "x", bins=5)
    ax = found.plot()
    (drawn,) = steps(ax)
    np.testing.assert_allclose(drawn, found.value / 2)
    tops = band(ax)[:, 1]
    assert tops.max() == pytest.approx(found.interval()[:, 1].max() / 2)
    assert ax.get_xlim() == (0, 10)
    assert ax.get_ylim()[0] == 0
    assert ax.get_title(loc="left") == "x"
    assert ax.get_xlabel() == f"density with 95% intervals, {found.n:,} reports"
    narrow = found.plot(confidence=0.5)
    assert "50% intervals" in narrow.get_xlabel()
    assert band(narrow)[:, 1].max() < tops.max()


def test_a_truth_is_drawn_as_the_density_of_its_numbers() -> None:
    found, x = ds.histogram(skewed("sw"), "x", bins=5), numbers(4_000, seed=5)
    ax = found.plot(truth=x)
    _, truth = steps(ax)
    np.testing.assert_allclose(truth, np.histogram(x, found.edges, density=True)[0])
    assert ax.get_xlabel().endswith("; dark: the truth")
    assert ax.get_ylim()[1] >= max(truth)


def test_it_is_drawn_where_it_is_asked_for_and_can_be_saved() -> None:
    figure = Figure()
    ax = figure.add_subplot()
    assert ds.histogram(skewed("sw"), "x").plot(ax) is ax
    file = BytesIO()
    own = ds.histogram(skewed("sw"), "x", bins=1).plot().figure
    assert isinstance(own, Figure)
    own.savefig(file, format="png")
    assert len(file.getvalue()) > 1_000
