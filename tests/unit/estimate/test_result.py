"""What an analyst gets to see: intervals, frames, text, tables, bars."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from scipy.stats import norm

from discretion.errors import EstimateError, TableError
from discretion.estimate import FrequencyEstimate, Homogeneity
from discretion.estimate.spread import Known
from discretion.labels import frequencies
from discretion.table.frame import to_arrow
from tests.builders import answered, disclosed

LABELS = ("car", "<b>bus</b>", "train & bike")
VALUE = np.array([0.72, 0.33, -0.05])
COVARIANCE = np.array([[0.04, -0.03, -0.01], [-0.03, 0.04, -0.01], [-0.01, -0.01, 0.02]])


def estimate(**changes: Any) -> FrequencyEstimate:
    fields: dict[str, Any] = {
        "attribute": "mode",
        "labels": LABELS,
        "value": VALUE,
        "spread": Known(COVARIANCE),
        "n": 1234,
        "method": "weighted",
        "target": "population",
        "homogeneity": Homogeneity(3.2, 4, 0.525),
    }
    return FrequencyEstimate(**(fields | changes))


def test_standard_errors_are_roots_of_the_diagonal() -> None:
    np.testing.assert_allclose(estimate().stderr, [0.2, 0.2, np.sqrt(0.02)])


def test_a_variance_that_rounding_made_negative_is_zero() -> None:
    assert estimate(spread=Known(np.diag([0.01, -1e-18, 0.0]))).stderr.tolist() == [0.1, 0.0, 0.0]


def test_intervals_keep_to_what_a_frequency_can_be() -> None:
    low, high = estimate().interval().T
    reach = 1.959964 * np.array([0.2, 0.2, np.sqrt(0.02)])
    np.testing.assert_allclose(low, [0.72 - reach[0], 0, 0], atol=1e-6)
    np.testing.assert_allclose(high, [1, 0.33 + reach[1], reach[2] - 0.05], atol=1e-6)


def test_an_estimate_outside_of_all_frequencies_does_not_read_as_certain() -> None:
    one = estimate(value=np.array([1.5, -0.5, 0.0]), spread=Known(0.01 * np.eye(3)))
    np.testing.assert_allclose(one.interval(0.5)[:2], [[0.9, 1], [0, 0.1]])


def test_more_confidence_is_a_wider_interval() -> None:
    low, high = estimate().interval(0.5).T
    assert high[1] - low[1] == pytest.approx(2 * norm.ppf(0.75) * 0.2)


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95, float("nan")])
def test_confidence_lies_between_zero_and_one(confidence: float) -> None:
    with pytest.raises(EstimateError, match="confidence must lie between 0 and 1, got"):
        estimate().interval(confidence)


def test_effective_n_by_hand() -> None:
    """On the simplex the value is (0.695, 0.305, 0); its answers have variance f(1 - f) each.

    Even answers about three values have a squared error of 2/3 each.
    """
    inside, even = 0.695 * 0.305 * 2, 2 / 3
    expected = even / (even / 1234 + 0.10 - inside / 1234)
    assert estimate().effective_n == pytest.approx(expected)
    around_owners = estimate(target="owners").effective_n
    assert around_owners == pytest.approx(even / (even / 1234 + 0.10))


def test_effective_n_of_unperturbed_answers_is_their_number() -> None:
    f = np.array([0.5, 0.3, 0.2])
    covariance = (np.diag(f) - np.outer(f, f)) / 1234
    assert estimate(value=f, spread=Known(covariance)).effective_n == pytest.approx(1234)
    nothing = Known(np.zeros((3, 3)))
    owners = estimate(value=f, spread=nothing, target="owners")
    assert owners.effective_n == pytest.approx(1234)


def test_an_estimate_without_noise_is_worth_as_many_answers_as_there_are_reports() -> None:
    certain = estimate(spread=Known(np.zeros((3, 3))))
    assert certain.effective_n == pytest.approx(1234)
    assert "worth 1,234 unperturbed answers" in str(certain)


def test_reports_of_owners_who_are_all_alike_are_worth_as_many_answers_as_others() -> None:
    """No unperturbed answers would err at all; the reports have the noise that they always have."""
    plan = disclosed("subset", 4, (0.5, 1.0, 2.0))
    even, alike = np.arange(3_000) % 4, np.zeros(3_000, np.int64)
    worth = [
        frequencies(answered(plan, codes, seed=3), "x", method).effective_n
        for codes in (even, alike)
        for method in ("weighted", "mle")
    ]
    assert 0.5 * worth[0] < min(worth)
    assert max(worth) < 2 * worth[0]
    assert 100 < worth[0] < 3_000


@pytest.mark.parametrize(
    "backend, kind", [("pyarrow", pa.Table), ("pandas", pd.DataFrame), ("polars", pl.DataFrame)]
)
def test_a_frame_has_the_labels_and_four_numbers(backend: str, kind: type) -> None:
    frame = estimate().to_frame(backend, confidence=0.5)
    assert isinstance(frame, kind)
    table = to_arrow(frame)
    assert table.column_names == ["mode", "value", "stderr", "low", "high"]
    assert table["mode"].to_pylist() == list(LABELS)
    low, high = estimate().interval(0.5).T
    numbers = np.column_stack([table[name] for name in table.column_names[1:]])
    np.testing.assert_allclose(numbers, np.column_stack([VALUE, estimate().stderr, low, high]))


def test_an_attribute_may_be_called_like_a_column() -> None:
    frame = estimate(attribute="value").to_frame()
    assert frame.num_columns == 5
    assert list(LABELS) in [column.to_pylist() for column in frame.columns]


def test_an_unknown_backend_is_refused() -> None:
    with pytest.raises(TableError, match="got 'spark'"):
        estimate().to_frame("spark")


def test_text_is_a_summary_and_a_line_a_code() -> None:
    assert repr(estimate()) == str(estimate())
    summary, head, *lines = str(estimate()).splitlines()
    assert summary == (
        "mode: weighted estimate for the population; "
        "1,234 reports worth 7 unperturbed answers; levels agree with p = 0.53"
    )
    assert head.split() == ["mode", "value", "stderr", "95", "%", "interval"]
    assert [line.split() for line in lines] == [
        ["car", "0.7200", "0.2000", "0.3280", "to", "1.0000"],
        ["<b>bus</b>", "0.3300", "0.2000", "0.0000", "to", "0.7220"],
        ["train", "&", "bike", "-0.0500", "0.1414", "0.0000", "to", "0.2272"],
    ]
    assert len({line.index("0.") for line in (lines[0], lines[1])}) == 1  # columns stand in line


def test_text_says_nothing_of_levels_that_were_not_compared() -> None:
    assert "levels agree" not in str(estimate(homogeneity=None))


def test_html_escapes_what_authors_wrote() -> None:
    html = estimate(attribute="<i>mode</i>")._repr_html_()
    assert "<b>" not in html
    assert "<i>" not in html
    assert "&lt;b&gt;bus&lt;/b&gt;" in html
    assert "train &amp; bike" in html
    assert html.count("<tr>") == 1 + len(LABELS)


def test_bars_are_drawn_one_a_label_without_pyplot() -> None:
    ax = estimate().plot()
    assert isinstance(ax.figure, Figure)
    widths = [bar.get_width() for bar in ax.patches if isinstance(bar, Rectangle)]
    np.testing.assert_allclose(widths, [0.72, 0.33, 0.0])  # a bar stays in its interval
    assert [label.get_text() for label in ax.get_yticklabels()] == list(LABELS)
    assert ax.get_title(loc="left") == "mode"
    assert ax.get_xlabel() == "frequency, with 95% intervals"
    assert pyplot.get_fignums() == []
    ax.figure.canvas.draw()


def test_bars_may_be_drawn_on_the_callers_axes() -> None:
    ax = Figure().add_subplot()
    assert estimate().plot(ax, confidence=0.5) is ax
    assert len(ax.patches) == 3
    assert ax.get_xlabel() == "frequency, with 50% intervals"
