"""A heat map of two attributes."""

from io import BytesIO
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure
from matplotlib.image import imread

from discretion.errors import EstimateError
from discretion.joints import JointEstimate
from discretion.joints.show import MOST_LABELS, MOST_WRITTEN
from tests.unit.joints.test_result import estimate

ONE_PIXEL = 1.0


def pair(shape: tuple[int, int] = (2, 3), **changes: Any) -> JointEstimate:
    f = np.arange(1.0, 1 + shape[0] * shape[1]).reshape(shape)
    fields: dict[str, Any] = {
        "attributes": ("home", "mode"),
        "labels": tuple(
            tuple(f"{x}{i}" for i in range(k)) for x, k in zip("xy", shape, strict=True)
        ),
        "value": f / f.sum(),
        "centre": f / f.sum(),
        "root": np.full((1, *shape), 0.01),
        "holding": {},
    }
    return estimate(**(fields | changes))


def test_the_first_attribute_goes_down_and_the_second_across() -> None:
    one = pair()
    ax = one.plot()
    np.testing.assert_allclose(np.asarray(ax.images[0].get_array()), one.value)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["x0", "x1"]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["y0", "y1", "y2"]
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("home", "mode")
    assert ax.get_title(loc="left") == "home x mode"
    assert pyplot.get_fignums() == []


def test_cells_say_their_value_and_their_interval() -> None:
    estimate = pair()
    texts = [t.get_text() for t in estimate.plot().texts]
    assert len(texts) == 6
    low, high = 100 * estimate.interval()[1, 2]
    assert texts[5] == f"{100 * 6 / 21:.1f}\n{low:.1f}–{high:.1f}"
    assert not pair((2, MOST_WRITTEN + 1)).plot().texts


def test_a_value_below_zero_is_drawn_as_none() -> None:
    value = np.array([[0.7, -0.1], [0.2, 0.2]])
    ax = pair((2, 2), value=value, centre=value).plot()
    assert ax.images[0].get_clim() == (0, 0.7)
    assert isinstance(ax.figure, Figure)
    ax.figure.draw_without_rendering()


def test_it_may_be_drawn_on_the_callers_axes() -> None:
    ax = Figure().add_subplot()
    assert pair().plot(ax) is ax
    assert len(ax.images) == 1


def test_authors_words_are_not_taken_for_formulas() -> None:
    labels = (("$\\frac$", "$5 to $10"), ("$x_$", "y", "z"))
    ax = pair(attributes=("$a_1$", "\\b$$"), labels=labels).plot()
    assert isinstance(ax.figure, Figure)
    ax.figure.draw_without_rendering()
    assert [t.get_text() for t in ax.get_yticklabels()] == ["$\\frac$", "$5 to $10"]


def test_long_labels_are_wrapped() -> None:
    labels = tuple(f"a country with a very long name, number {i}" for i in (1, 2))
    ax = pair(labels=(labels, ("a", "b", "c"))).plot()
    shown = [t.get_text() for t in ax.get_yticklabels()]
    assert shown == [f"a country with a\nvery long name,\nnumber {i}" for i in (1, 2)]


def test_a_notebook_shows_it_and_reads_what_it_is() -> None:
    ax = pair().plot()
    png, metadata = ax._repr_png_()  # type: ignore[attr-defined]
    height, width, _ = imread(BytesIO(png)).shape
    assert abs(width - 2 * metadata["width"]) <= ONE_PIXEL
    assert abs(height - 2 * metadata["height"]) <= ONE_PIXEL
    assert metadata["alt"] == "Heat map: the probabilities of home x mode"


@pytest.mark.parametrize(
    "one, message",
    [
        (estimate(), r"two attributes: take marginal\(\) first \(home, mode, pet\)"),
        (estimate().marginal(["pet"]), r"two attributes: take marginal\(\) first \(pet\)"),
        (pair((2, MOST_LABELS + 1)), f"at most {MOST_LABELS} values"),
    ],
)
def test_what_cannot_be_drawn_is_refused(one: JointEstimate, message: str) -> None:
    with pytest.raises(EstimateError, match=message):
        one.plot()
