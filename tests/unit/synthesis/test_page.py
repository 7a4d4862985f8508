"""The quality page: it stands alone, is well formed, escapes what authors write, has limits."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from discretion.render.theme import DARK, LIGHT
from discretion.synthesis.quality import Quality, quality
from tests.unit.synthesis.published import ODD, secret_town, town, town_records, wrong

SECTIONS = ["privacy", "agreement", "graph", "figures", "unlearnt", "utility"]


@pytest.fixture(scope="module")
def report() -> Quality:
    return town().quality(town_records())


@pytest.fixture(scope="module")
def page(report: Quality) -> str:
    return report.to_html()


class Reader(HTMLParser):
    """Tags in their order, attributes that lead elsewhere, and text."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value or "" for key, value in attrs if key in ("src", "href", "srcset")]

    def handle_data(self, data: str) -> None:
        self.said.append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    return reader


def test_it_needs_nothing_else(page: str) -> None:
    found = read(page)
    assert all(link.startswith("#") for link in found.links)
    assert not found.tags & {"script", "link", "img", "iframe", "object"}
    assert "http" not in page
    assert "url(" not in page
    assert "@import" not in page


def test_it_is_well_formed(page: str) -> None:
    root = ElementTree.fromstring(page.replace("<!DOCTYPE html>", ""))
    ids = [each.get("id") for each in root.iter("h2")]
    assert ids == SECTIONS
    assert all(each.get("aria-label") for each in root.iter("svg"))
    boxes = [each.get("viewBox") for each in root.iter("svg")]
    assert all(box and len(box.split()) == 4 for box in boxes)


def test_what_authors_write_is_escaped(page: str) -> None:
    assert ODD not in page
    assert "<small>" not in page
    said = "".join(read(page).said)
    assert ODD in said
    assert "a <small> town" in said
    assert "<b>" not in page


def test_the_verdict_comes_first_and_can_be_quoted(page: str, report: Quality) -> None:
    lead = re.search(r'<p class="lead">(.*?)</p>', page)
    assert lead is not None
    assert "4,000 owners reported, and spent" in lead[1]
    assert "The model of 5 attributes" in lead[1]
    assert "agrees with unbiased" in lead[1]
    assert "may have gone undetected" in lead[1]
    assert "true records" in page
    assert str(report).splitlines()[0] in lead[1].replace("\N{NO-BREAK SPACE}", " ")


def test_both_modes_have_their_colours(page: str) -> None:
    assert "prefers-color-scheme: dark" in page
    for colour in (LIGHT.paper, DARK.paper, LIGHT.second, DARK.second):
        assert colour in page


def test_every_pair_attribute_and_figure_is_there(page: str, report: Quality) -> None:
    said = "".join(read(page).said)
    for each in (*report.one_way, *report.two_way):
        assert " and ".join(each.attributes) in said
    for figure in report.figures:
        assert f"{figure.attribute}: {figure.label or figure.what}" in said
    assert page.count('class="edge') == len(report.dependence.edges)


def test_it_says_which_figures_assume_something(page: str, report: Quality) -> None:
    assert page.count("if spread evenly") == 2  # mean and median of hours, not those of pay
    assert "known only within bounds" in page
    assert "hours: 20 or more" in page
    assert "Where in its bin a number lies was not asked: hours" in page
    assert "unbiased</th>" not in page
    labels = tuple(figure for figure in report.figures if figure.assumes is None)
    assert "known only within bounds" not in replace(report, figures=labels).to_html()


def test_the_limits_are_stated(page: str) -> None:
    for words in ("implied by the pairs", "does not depend on her values", "Only "):
        assert words in page
    assert "pet: fish" in page


def test_a_wrong_model_is_marked() -> None:
    report = quality(wrong())
    page = report.to_html()
    assert page.count('class="shade marked"') == sum(each.misses for each in report.two_way)
    assert "Do not quote it there" in page
    assert 'class="card alert"' in page
    assert 'class="edge dashed"' in page
    assert "too large" in page


def test_secret_levels_stay_secret() -> None:
    page = secret_town().quality().to_html()
    assert "Levels are secret" in page
    assert page.count("<td>secret</td>") == 3 * 3
    assert "at most" in page


def test_without_the_truth_it_says_so(report: Quality) -> None:
    page = replace(report, utility=None).to_html()
    assert "as they never are outside a simulation" in page


def test_many_attributes_are_drawn_smaller_and_long_tables_folded(report: Quality) -> None:
    names = tuple(f"attribute {i}" for i in range(20))
    first = report.two_way[0]
    pairs = tuple(
        replace(first, attributes=(a, b), misses=(a, b) == names[:2])
        for i, a in enumerate(names)
        for b in names[i + 1 :]
    )
    many = replace(report, attributes=names, two_way=pairs)
    page = many.to_html()
    ElementTree.fromstring(page.replace("<!DOCTYPE html>", ""))
    assert page.count('class="shade') == len(pairs)
    assert "<details" in page
    assert page.count('class="cell marked">!<') == 1


def test_a_notebook_shows_the_verdict(report: Quality) -> None:
    html = report._repr_html_()
    assert html.startswith("<div><p>4,000 owners")
    assert repr(report) == str(report)
