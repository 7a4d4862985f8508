"""A joint estimate as text and as HTML."""

import numpy as np

from discretion.joints.show import MOST_ROWS, most_frequent, summary, table
from tests.unit.joints.test_result import LABELS, NAMES, SHAPE, estimate


def test_the_summary_says_what_from_how_much() -> None:
    assert summary(estimate()) == (
        "home x mode x pet: mle estimate from 1,234 reports; 333 answer about all of them"
    )


def test_the_summary_of_a_part_does_not_depend_on_the_order() -> None:
    for names in (["pet", "home"], ["home", "pet"]):
        assert "500 answer about all of them" in summary(estimate().marginal(names))
    assert summary(estimate().marginal(["pet"])) == "pet: mle estimate from 1,234 reports"


def test_the_summary_names_conditions_the_basis_and_what_is_missing() -> None:
    one = estimate(method="map", holding={**estimate().holding, NAMES: 0})
    text = summary(one.condition({"pet": "no"}))
    assert text.startswith("home x mode given pet = no: map estimate")
    assert "intervals: mle" in text
    assert text.endswith("not in the data: interactions of home x mode x pet")


def test_text_is_a_summary_and_a_line_a_cell() -> None:
    one = estimate()
    first, head, *lines = str(one).splitlines()
    assert repr(one) == str(one)
    assert first == summary(one)
    assert head.split() == [*NAMES, "value", "stderr", "95", "%", "interval"]
    assert len(lines) == 12
    value, stderr = one.value[0, 0, 0], one.stderr[0, 0, 0]
    low, high = one.interval()[0, 0, 0]
    assert lines[0].split() == [
        "town", "car", "yes", f"{value:.4f}", f"{stderr:.4f}", f"{low:.4f}", "to", f"{high:.4f}",
    ]  # fmt: skip
    assert len({len(line) for line in (head, *lines)}) == 1  # columns stand in line


def large() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    f = np.arange(1.0, 41).reshape(8, 5)
    return f / f.sum()


def test_of_many_cells_the_most_frequent_are_shown() -> None:
    f = large()
    labels = (tuple(f"x{i}" for i in range(8)), tuple(f"y{i}" for i in range(5)))
    one = estimate(
        attributes=("x", "y"),
        labels=labels,
        value=f,
        centre=f,
        root=np.zeros((1, 8, 5)),
        holding={},
    )
    shown = table(one, most_frequent(one)).rows
    assert len(shown) == MOST_ROWS
    assert shown[0][:2] == ("x7", "y4")
    values = [float(row[2]) for row in shown]
    assert values == sorted(values, reverse=True)
    assert str(one).splitlines()[-1] == "and 10 cells that are less frequent"
    assert "and 10 cells that are less frequent" in one._repr_html_()


def test_html_escapes_what_authors_wrote() -> None:
    labels = (("<b>town</b>", "R&D"), *LABELS[1:])
    found = estimate(
        attributes=("<i>home</i>", *NAMES[1:]), labels=labels, holding={}
    )._repr_html_()
    assert "<b>" not in found
    assert "<i>" not in found
    assert "&lt;b&gt;town&lt;/b&gt;" in found
    assert "R&amp;D" in found
    assert found.count("<tr>") == 1 + int(np.prod(SHAPE))
