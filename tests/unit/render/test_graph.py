"""The graph as a picture: every name, every link, nothing on top of another."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure

from discretion.render.figures import Picture, plot_graph
from discretion.render.graph import WIDEST, Graph
from discretion.render.theme import DARK, LIGHT, Palette
from discretion.synthesis.dependence import Dependence, Pair

LONG = "a name of a question that nobody would read"


def graph_of(count: int, linked: int | None = None, seed: int = 0) -> Graph:
    """So many names, the first of which are linked with strengths of their own."""
    rng = np.random.default_rng(seed)
    names = (*(f"attribute {i}" for i in range(count - 1)), LONG)
    linked = count if linked is None else linked
    links = {
        (names[i], names[j]): float(rng.gamma(1.0, 0.1))
        for i, j in combinations(range(count), 2)
        if j < linked and (rng.random() < 0.3 or j == i + 1)
    }
    return Graph(names, links)


def plotted(graph: Graph, palette: Palette = LIGHT) -> Picture:
    return plot_graph(graph, "some depend", "what it shows", palette)


def names_in(figure: Figure) -> dict[str, str]:
    return {t.get_text(): str(t.get_color()) for t in figure.axes[0].texts}


@pytest.mark.parametrize("count", [2, 5, 9, 24])
def test_no_name_overlaps_another_or_leaves_the_picture(count: int) -> None:
    figure = plotted(graph_of(count))
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


def test_every_link_is_a_line_and_the_strongest_is_widest() -> None:
    graph = graph_of(7)
    lines = plotted(graph).axes[0].lines
    assert len(lines) == len(graph.links)
    order = sorted(graph.links, key=lambda link: -graph.links[link])
    wide = [graph.widths[link] for link in order]
    assert wide[0] == pytest.approx(WIDEST)
    assert wide == sorted(wide, reverse=True)
    assert sorted(line.get_linewidth() for line in lines) == pytest.approx(sorted(wide))


def test_names_without_any_link_are_grey() -> None:
    graph = graph_of(6, linked=4)
    colours = names_in(plotted(graph))
    assert len(graph.linked) == 4
    assert sum(colour == LIGHT.muted for colour in colours.values()) == 2
    assert graph.draw("").count("alone") == 2 * 2  # a dot and a name each
    assert len(plotted(graph_of(3, linked=0)).axes[0].lines) == 0


def test_no_line_meets_a_third_name() -> None:
    graph = graph_of(24)
    where = {name: np.array(place) for name, place in graph.positions.items()}
    for link in graph.links:
        a, b = (where[name] for name in link)
        for name in set(graph.names) - set(link):
            along = (b - a) / np.linalg.norm(b - a)
            away = where[name] - a
            assert abs(along[0] * away[1] - along[1] * away[0]) > 1e-3


def test_the_strongest_links_are_followed_first() -> None:
    links = {("a", "b"): 0.1, ("b", "c"): 0.9, ("a", "c"): 0.5, ("d", "e"): 0.2}
    assert list(Graph(("f", "a", "b", "c", "d", "e"), links).positions) == [
        "c",
        "b",
        "a",
        "d",
        "e",
        "f",
    ]


def test_dark_pages_have_their_colours() -> None:
    figure = plotted(graph_of(4), DARK)
    assert figure.get_facecolor() != plotted(graph_of(4)).get_facecolor()
    assert set(names_in(figure).values()) == {DARK.ink}


def test_a_dependence_shows_itself_in_a_notebook_and_leaves_pyplot_alone() -> None:
    pairs = tuple(
        Pair(*names, 30.0, 4, p, p, 0.1, 1000)
        for names, p in ((("x", "y"), 1e-9), (("x", "z"), 0.8), (("y", "z"), 1e-9))
    )
    found = Dependence(("x", "y", "z"), pairs, 0.05)
    png, metadata = found.plot()._repr_png_()  # type: ignore[attr-defined]
    assert png.startswith(b"\x89PNG")
    assert metadata["alt"] == "Dependence of 3 attributes: 2 of 3 pairs depend"
    assert pyplot.get_fignums() == []
    assert found._repr_html_().count("<tr>") == 1 + len(found.edges)


def test_names_are_no_formulas() -> None:
    names = ("$x", "y$_{")
    figure = plotted(Graph(names, {}))
    figure.draw_without_rendering()
    written = {text.get_text().replace("\\", "") for text in figure.axes[0].texts}
    assert set(names) <= written
