"""Charts: what is drawn, what is written, and that they need neither pyplot nor a display."""

import subprocess
import sys
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.patches import Rectangle

import discretion as ds
from discretion.errors import EstimateError
from discretion.estimate.spread import Known
from discretion.render.bars import MOST_BARS

ONE_PIXEL = 1.0  # by which drawn lengths may differ where they should be equal


def estimate(value: Any, attribute: str = "mode", labels: Any = None) -> ds.FrequencyEstimate:
    """Return an estimate with a standard error of 0.01 for every value."""
    f = np.asarray(value, np.float64)
    names = tuple(labels or (f"value {code}" for code in range(len(f))))
    spread = Known(1e-4 * np.eye(len(f)))
    return ds.FrequencyEstimate(attribute, names, f, spread, 1234, "weighted", "population", None)


def bars(ax: Axes) -> list[Rectangle]:
    return [patch for patch in ax.patches if isinstance(patch, Rectangle)]


def marks(ax: Axes) -> list[float]:
    """Return where the truth is marked."""
    (lines,) = [
        c for c in ax.collections if isinstance(c, LineCollection) and c.get_label() == "truth"
    ]
    return [float(segment[0, 0]) for segment in lines.get_segments()]


def ticks(ax: Axes) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def many(size: int) -> ds.FrequencyEstimate:
    """Return an estimate of so many values, the last ones the most frequent."""
    f = np.arange(1.0, size + 1)
    return estimate(f / f.sum())


def test_a_truth_is_marked_once_a_bar() -> None:
    ax = estimate([0.5, 0.3, 0.2]).plot(truth=[0.49, 0.35, 0.16])
    assert len(bars(ax)) == 3
    assert marks(ax) == [0.49, 0.35, 0.16]
    assert ax.get_xlabel() == "frequency, with 95% intervals; dark line: truth"


def test_without_a_truth_none_is_marked() -> None:
    ax = estimate([0.5, 0.3, 0.2]).plot()
    assert ax.get_xlabel() == "frequency, with 95% intervals"
    assert not [c for c in ax.collections if c.get_label() == "truth"]


def test_a_truth_beyond_all_intervals_is_still_in_the_picture() -> None:
    ax = estimate([0.2, 0.2]).plot(truth=[0.9, 0.1])
    assert ax.get_xlim()[1] > 0.9


def test_intervals_reach_as_far_as_those_of_the_estimate() -> None:
    one = estimate([0.5, 0.3, -0.2])
    ax = one.plot(confidence=0.5)
    (lines,) = [c for c in ax.collections if isinstance(c, LineCollection)]
    drawn = [[segment[0, 0], segment[1, 0]] for segment in lines.get_segments()]
    np.testing.assert_allclose(drawn, one.interval(0.5), atol=1e-12)


@pytest.mark.parametrize("confidence, said", [(0.95, "95%"), (0.999, "99.9%")])
def test_the_confidence_is_written(confidence: float, said: str) -> None:
    assert said in estimate([0.5, 0.5]).plot(confidence=confidence).get_xlabel()


def test_of_many_values_the_most_frequent_are_drawn_and_the_others_counted() -> None:
    one = many(80)
    ax = one.plot(truth=one.value)
    assert len(bars(ax)) == len(marks(ax)) == MOST_BARS
    assert ticks(ax)[:2] == ["value 79", "value 78"]
    rest = one.value[: 80 - MOST_BARS].sum()
    assert ax.get_xlabel().endswith(f"the 25 most frequent of 80; the others sum to {rest:.3f}")


def test_as_many_as_fit_are_drawn_in_their_own_order() -> None:
    ax = many(MOST_BARS).plot()
    assert ticks(ax) == [f"value {code}" for code in range(MOST_BARS)]
    assert "most frequent" not in ax.get_xlabel()


def test_long_labels_are_wrapped() -> None:
    labels = [f"a country with a very long name, number {i}" for i in (1, 2)]
    shown = ticks(estimate([0.5, 0.5], labels=labels).plot())
    assert shown == [f"a country with a very long name,\nnumber {i}" for i in (1, 2)]


def test_authors_words_are_not_taken_for_formulas() -> None:
    """A label with two dollar signs would otherwise be mathematics, and a lone backslash fail."""
    ax = estimate([0.5, 0.5], "$x_1$", ["$\\frac$", "$5 to $10"]).plot()
    assert isinstance(ax.figure, Figure)
    ax.figure.draw_without_rendering()
    assert ticks(ax) == ["$\\frac$", "$5 to $10"]


@pytest.mark.parametrize("truth", [[0.5], [0.1, 0.2, 0.3], [[0.5, 0.5]]])
def test_a_truth_of_another_shape_is_refused(truth: Any) -> None:
    with pytest.raises(EstimateError, match="mode: truth must be one frequency for each of 2"):
        estimate([0.5, 0.5]).plot(truth=truth)


def test_several_estimates_are_charts_of_one_figure() -> None:
    several = [estimate(np.full(k, 1 / k), f"a{k}") for k in (2, 5, 3, 4)]
    figure = ds.plot_frequencies(several, truth={"a3": [0.4, 0.3, 0.3]})
    assert isinstance(figure, Figure)
    assert [len(bars(ax)) for ax in figure.axes] == [2, 5, 3, 4]
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["a2", "a5", "a3", "a4"]
    assert marks(figure.axes[2]) == [0.4, 0.3, 0.3]
    assert figure.get_supxlabel() == "frequency, with 95% intervals; dark line: truth"
    assert pyplot.get_fignums() == []


def test_all_bars_of_a_row_are_of_one_thickness() -> None:
    figure = ds.plot_frequencies([many(3), many(7)])
    figure.draw_without_rendering()
    heights = [bar.get_window_extent().height for ax in figure.axes for bar in bars(ax)]
    assert max(heights) - min(heights) < ONE_PIXEL


def test_charts_have_one_scale_unless_each_should_have_its_own() -> None:
    several = [estimate([0.9, 0.1]), estimate([0.02, 0.01])]
    one, own = ds.plot_frequencies(several), ds.plot_frequencies(several, same_scale=False)
    assert len({ax.get_xlim() for ax in one.axes}) == 1
    assert own.axes[1].get_xlim()[1] < 0.1 < own.axes[0].get_xlim()[1]


@pytest.mark.parametrize("columns, rows", [(1, 4), (2, 2), (3, 2), (9, 1)])
def test_charts_stand_in_so_many_columns(columns: int, rows: int) -> None:
    figure = ds.plot_frequencies([many(3)] * 4, columns=columns)
    figure.draw_without_rendering()
    assert len({round(ax.get_position().y0, 3) for ax in figure.axes}) == rows


@pytest.mark.parametrize(
    "several, options, message",
    [
        ([], {}, "at least one estimate"),
        ([many(3)], {"columns": 0}, "got 1 estimates in 0 columns"),
        ([many(3)], {"truth": {"shoe": [1]}}, "truth must be about what is plotted, got shoe"),
    ],
)
def test_what_cannot_be_plotted_is_refused(several: Any, options: Any, message: str) -> None:
    with pytest.raises(EstimateError, match=message):
        ds.plot_frequencies(several, **options)


def test_nothing_drawn_overlaps_or_leaves_the_figure() -> None:
    labels = [f"a country with a very long name, number {i}" for i in range(40)]
    wide = estimate(np.full(40, 1 / 40), labels=labels)
    figure = ds.plot_frequencies([many(4), wide, many(3)], same_scale=False)
    figure.draw_without_rendering()
    boxes = [ax.get_tightbbox() for ax in figure.axes]
    assert all(box is not None for box in boxes)
    left, right = 0, figure.bbox.width
    for box in filter(None, boxes):
        assert left <= box.x0 <= box.x1 <= right + ONE_PIXEL
        left = box.x1 - ONE_PIXEL


def test_a_notebook_shows_axes_and_figure() -> None:
    ax, figure = many(3).plot(), ds.plot_frequencies([many(3)])
    for shown in (ax, figure):
        png, metadata = shown._repr_png_()  # type: ignore[union-attr]
        height, width, _ = imread(BytesIO(png)).shape
        assert abs(width - 2 * metadata["width"]) <= ONE_PIXEL
        assert abs(height - 2 * metadata["height"]) <= ONE_PIXEL
        assert metadata["alt"] == "Bars with intervals: the frequencies of mode"


def test_no_display_and_no_pyplot_are_needed() -> None:
    """By any chart: one process draws all kinds."""
    program = """
import sys
from io import BytesIO
import numpy as np
import discretion as ds
from tests.unit.estimate.test_plot import many
from tests.unit.joints.test_plot import pair
sys.modules.pop("matplotlib.pyplot")
intervals = lambda _: np.array([[0.2, 0.4], [0.6, 0.8]])
edges, shares = np.array([0.0, 1, 2]), np.array([0.3, 0.7])
histogram = ds.HistogramEstimate("x", edges, shares, 9, intervals)
for chart in (many(3).plot(), pair().plot(), histogram.plot(truth=[0.5, 1.5, 1.7])):
    drawn = BytesIO()
    chart.figure.savefig(drawn, format="png")
    assert drawn.getvalue().startswith(b"\\x89PNG")
    assert "matplotlib.pyplot" not in sys.modules
"""
    environment = {"PYTHONPATH": ".", "MPLBACKEND": "tkagg", "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
