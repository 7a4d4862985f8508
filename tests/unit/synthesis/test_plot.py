"""The graph of dependences as a picture: every name, every edge, nothing on top of another."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure

from discretion.estimate.look import DARK, LIGHT
from discretion.synthesis.dependence import Dependence, Pair
from discretion.synthesis.layout import WIDEST, places, widths
from discretion.synthesis.plot import plot_dependence

LONG = "a name of a question that nobody would read"


def graph_of(count: int, linked: int | None = None, seed: int = 0) -> Dependence:
    """So many attributes, the first of which depend on each other with personal strengths."""
    rng = np.random.default_rng(seed)
    names = (*(f"attribute {i}" for i in range(count - 1)), LONG)
    linked = count if linked is None else linked
    pairs = []
    for i, j in combinations(range(count), 2):
        edge = j < linked and (rng.random() < 0.3 or j == i + 1)
        strength = float(rng.gamma(1.0, 0.1)) if edge else 0.0
        p = 1e-9 if edge else 0.8
        pairs.append(Pair(names[i], names[j], 30.0, 4, p, p, strength, 1000))
    return Dependence(names, tuple(pairs), 0.05)


def names_in(figure: Figure) -> dict[str, str]:
    return {t.get_text(): str(t.get_color()) for t in figure.axes[0].texts}


@pytest.mark.parametrize("count", [2, 5, 9, 24])
def test_no_name_overlaps_another_or_leaves_the_picture(count: int) -> None:
    figure = graph_of(count).plot()
    figure.draw_without_rendering()
    boxes = [t.get_window_extent() for t in figure.axes[0].texts]
    assert len(boxes) == count
    assert not [1 for a, b in combinations(boxes, 2) if a.overlaps(b)]
    width, height = figure.get_size_inches() * figure.dpi
    for box in boxes:
        assert box.x0 >= 0
        assert box.x1 <= width
        assert box.y0 >= 0
        assert box.y1 <= height


def test_every_edge_is_a_line_and_the_strongest_is_widest() -> None:
    found = graph_of(7)
    lines = plot_dependence(found).axes[0].lines
    assert len(lines) == len(found.edges)
    wide = widths(found)
    assert wide[found.edges[0].names] == pytest.approx(WIDEST)
    order = [wide[pair.names] for pair in found.edges]
    assert order == sorted(order, reverse=True)
    assert sorted(line.get_linewidth() for line in lines) == pytest.approx(sorted(order))


def test_attributes_without_any_dependence_are_grey() -> None:
    found = graph_of(6, linked=4)
    figure = found.plot()
    colours = names_in(figure)
    alone = [name for name in found.attributes if not found.graph[name]]
    assert len(alone) == 2
    assert [text for text, colour in colours.items() if colour == LIGHT.muted] != []
    assert sum(colour == LIGHT.muted for colour in colours.values()) == 2
    assert not graph_of(3, linked=0).edges
    assert len(graph_of(3, linked=0).plot().axes[0].lines) == 0


def test_no_line_meets_a_third_attribute() -> None:
    found = graph_of(24)
    where = {name: np.array([p.x, p.y]) for name, p in places(found).items()}
    for pair in found.edges:
        a, b = where[pair.one], where[pair.other]
        for name in set(found.attributes) - set(pair.names):
            along = (b - a) / np.linalg.norm(b - a)
            away = where[name] - a
            assert abs(along[0] * away[1] - along[1] * away[0]) > 1e-3


def test_dark_pages_have_their_colours() -> None:
    figure = plot_dependence(graph_of(4), DARK)
    assert figure.get_facecolor() != plot_dependence(graph_of(4)).get_facecolor()
    assert set(names_in(figure).values()) == {DARK.ink}


def test_it_shows_itself_in_a_notebook_and_leaves_pyplot_alone() -> None:
    found = graph_of(5)
    png, metadata = found.plot()._repr_png_()  # type: ignore[attr-defined]
    assert png.startswith(b"\x89PNG")
    assert metadata["alt"] == (f"Dependence of 5 attributes: {len(found.edges)} of 10 pairs depend")
    assert pyplot.get_fignums() == []
    html = found._repr_html_()
    assert html.count("<tr>") == 1 + len(found.edges)


def test_names_are_no_formulas() -> None:
    names = ("$x", "y$_{")
    found = Dependence(names, (Pair(*names, 9.0, 1, 0.5, 0.5, 0.0, 10),), 0.05)
    figure = found.plot()
    figure.draw_without_rendering()
    written = {text.get_text().replace("\\", "") for text in figure.axes[0].texts}
    assert set(names) <= written
