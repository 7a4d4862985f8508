"""The demonstration: what is printed, what is on the page, and that both say what the laws say."""

import json
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest
from rich.console import Console

import discretion as ds
from discretion.cli.demo import terminal, words
from discretion.cli.demo.number import Number, ask_number
from discretion.cli.demo.owner import CHOICE, Owner, pretty, take_part
from discretion.cli.demo.page import bars_of, page
from discretion.cli.demo.pair import PAIR, Pair, compare_pair
from discretion.cli.demo.survey import VARIANTS, Comparison, Rows, ask, compare, coverage, draw_rows
from discretion.cli.main import main
from discretion.plan import Family
from discretion.render.bars import deviation_chart
from discretion.render.theme import DARK, LIGHT, Palette
from tests.cases import for_each

RECORD = {"age": "30-44", "travel": "bike", "income": 41_300.0}
DRAWN = re.compile(r'^  "id":|^    "\w+": \{"level"|the set sent is')  # by the operating system


class Story(NamedTuple):
    owner: Owner
    comparisons: list[Comparison]
    pair: Pair
    number: Number
    rows: Rows
    html: str
    root: ElementTree.Element


@pytest.fixture(scope="module")
def story() -> Story:
    """Return a small demonstration, and its page as a reader of XML sees it."""
    owner = take_part(ds.census_plan(), RECORD)
    crowd = ask(ds.census(3_000, seed=5), seed=5)
    comparisons, pair = compare(crowd), compare_pair(crowd)
    number = ask_number(ds.census(3_000, seed=5), seed=5)
    rows = draw_rows(crowd, ds.census(3_000, seed=5), seed=5)
    html = page(owner, comparisons, pair, number, rows, "quality.html", seed=5)
    return Story(owner, comparisons, pair, number, rows, html, ElementTree.fromstring(html))


def printed(story: Story, width: int, *, colours: bool = False) -> str:
    out = Console(
        file=StringIO(),
        width=width,
        highlight=False,
        force_terminal=colours,
        color_system="standard" if colours else None,
    )
    terminal.introduce(out, seed=5)
    terminal.show_owner(out, story.owner)
    terminal.show_crowd(out, story.comparisons)
    terminal.conclude(out, story.comparisons)
    terminal.show_pair(out, story.pair)
    terminal.show_number(out, story.number)
    terminal.show_rows(out, story.rows)
    assert isinstance(out.file, StringIO)
    return out.file.getvalue()


def flat(text: str) -> str:
    """Return text in one line, however it was broken."""
    return " ".join(text.split())


def said(element: ElementTree.Element) -> str:
    return flat("".join(element.itertext()))


def section(story: Story, name: str) -> ElementTree.Element:
    (found,) = (e for e in story.root.iter("section") if e.get("aria-labelledby") == name)
    return found


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["discretion", "demo", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0)


# ---- the command


def test_the_command_shows_both_variants_and_repeats_all_but_what_a_device_draws(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("discretion.cli.demo.OWNERS", 1_500)
    monkeypatch.setattr("discretion.cli.demo.survey.OWNERS", 1_500)
    outputs, pages = [], []
    for name in ("discretion-demo.html", "other.html"):
        options = () if name.startswith("discretion") else ("--page", name)
        assert run(monkeypatch, "--seed", "7", *options) == 0
        outputs.append(capsys.readouterr().out)
        pages.append(Path(name).read_text(encoding="utf-8"))
    one, two = ([li for li in o.splitlines() if not DRAWN.search(li)] for o in outputs)
    assert one[:-2] == two[:-2]
    for lines, name in ((one, "discretion-demo"), (two, "other")):
        assert lines[-2] == f"The same with charts, for a browser: {name}.html"
        assert lines[-1] == f"How good the synthetic rows are: {name}-quality.html"
        assert Path(f"{name}-quality.html").exists()
    assert len(one) == len(outputs[0].splitlines()) - 7  # an id, three answers, three sets
    assert outputs[0] != outputs[1]
    tails = [page.partition('<h2 id="crowd">')[2] for page in pages]
    crowds = {re.sub('href="[^"]*"', "", tail) for tail in tails}
    assert len(crowds) == 1
    for variant in VARIANTS:
        assert re.search(rf"^{variant.capitalize()} +\d+ of 23 intervals cover", outputs[0], re.M)


def test_a_page_that_cannot_be_written_is_one_line_on_stderr(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("discretion.cli.demo.OWNERS", 500)
    path = tmp_path / "none" / "page.html"
    assert run(monkeypatch, "--seed", "7", "--page", str(path)) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"discretion: {path}: must be a file that can be written")
    assert error.count("\n") == 1


# ---- the crowd


def test_the_same_people_with_the_same_budgets_are_asked_twice() -> None:
    """Secret levels are not in the table, so those who share, and how many, must do."""
    people = ds.census(500, seed=3)
    plans = [ds.census_plan(variant) for variant in VARIANTS]
    one, two = (
        ds.simulate(plan, people, budgets="dirichlet", share=(1, 5), seed=3) for plan in plans
    )
    for name in plans[0].names:
        assert one.data[f"{name}.y"].is_valid() == two.data[f"{name}.y"].is_valid()
    assert [plan.secret for plan in plans] == [False, True]
    assert {question.mechanism for question in plans[1].questions.values()} == {"oue"}


def test_the_truth_is_that_of_those_who_shared_the_attribute(story: Story) -> None:
    plan, people = ds.census_plan(), ds.census(3_000, seed=5)
    reports = ds.simulate(plan, people, budgets="dirichlet", share=(1, 5), seed=5)
    for comparison in story.comparisons:
        attribute = plan.questions[comparison.attribute].attribute
        shared = np.asarray(reports.data[f"{attribute.name}.y"].is_valid())
        values = people[attribute.name].filter(shared).to_pylist()
        codes = [attribute.code(value) for value in values]
        expected = np.bincount(codes, minlength=attribute.size) / len(codes)
        np.testing.assert_allclose(comparison.truth, expected, atol=1e-15)
        assert {e.n for e in comparison.estimates.values()} == {len(codes)}
        assert {e.target for e in comparison.estimates.values()} == {"owners"}


def test_coverage_counts_the_intervals_that_hold_the_truth(story: Story) -> None:
    for variant in VARIANTS:
        held = 0
        for comparison in story.comparisons:
            low, high = comparison.estimates[variant].interval().T
            held += int(((low <= comparison.truth) & (comparison.truth <= high)).sum())
        assert coverage(story.comparisons, variant) == (held, 23)


# ---- two attributes at once


def test_the_truth_of_a_pair_is_that_of_those_whose_reports_count(story: Story) -> None:
    plan, people = ds.census_plan(), ds.census(3_000, seed=5)
    reports = ds.simulate(plan, people, budgets="dirichlet", share=(1, 5), seed=5)
    one, other = (np.asarray(reports.data[f"{name}.y"].is_valid()) for name in PAIR)
    shared = people.filter(one | other)
    cells = [
        ", ".join(
            plan.questions[n].attribute.labels[plan.questions[n].attribute.code(row[n])]
            for n in PAIR
        )
        for row in shared.to_pylist()
    ]
    expected = [cells.count(label) / len(cells) for label in story.pair.labels]
    np.testing.assert_allclose(story.pair.truth, expected, atol=1e-15)
    assert {e.n for e in story.pair.estimates.values()} == {len(cells)}
    assert story.pair.both == (one & other).sum()


def test_a_pair_is_estimated_from_the_reports_of_its_variant(story: Story) -> None:
    crowd = ask(ds.census(3_000, seed=5), seed=5)
    assert {v: e.method for v, e in story.pair.estimates.items()} == {
        "disclosed": "adaptive",
        "secret": "blind",
    }
    for variant, estimate in story.pair.estimates.items():
        again = ds.joint(crowd.reports[variant], PAIR)
        np.testing.assert_array_equal(estimate.value, again.value)
        for code, (low, high) in enumerate(again.interval().reshape(-1, 2)):
            holds = bool(low <= story.pair.truth[code] <= high)
            assert story.pair.reading(variant, code) == (again.value.flat[code], low, high, holds)


def test_distances_and_dependence_of_a_pair_are_those_of_its_tables(story: Story) -> None:
    truth = story.pair.truth.reshape(4, 5)
    product = truth.sum(axis=1, keepdims=True) * truth.sum(axis=0)
    assert story.pair.unrelated == pytest.approx(np.maximum(truth - product, 0).sum())
    for variant, estimate in story.pair.estimates.items():
        moved = np.maximum(truth - estimate.value, 0).sum()  # as many leave cells as enter others
        assert story.pair.distance(variant) == pytest.approx(moved)
    some = truth > 0
    nats = (truth[some] * np.log(truth[some] / product[some])).sum()
    assert story.pair.true_dependence == pytest.approx(nats)


def test_a_crowd_as_large_as_the_command_asks_shows_that_the_pair_depends() -> None:
    """Off by much less than the table that takes them as unrelated, and surely not unrelated."""
    pair = compare_pair(ask(ds.census(50_000, seed=7), seed=7))
    assert pair.unrelated > 0.15
    assert pair.distance("disclosed") < pair.distance("secret") < pair.unrelated / 2
    assert abs(pair.dependence.value - pair.true_dependence) < 3 * pair.dependence.stderr
    assert pair.dependence.value > 5 * pair.dependence.stderr
    assert coverage([pair], "disclosed")[0] >= 17


# ---- the owner


def test_the_report_is_one_that_a_device_sends(story: Story) -> None:
    plan, data = ds.census_plan(), story.owner.report.to_bytes()
    assert len(ds.ReportTable.from_reports(plan, [data])) == 1
    assert json.loads(pretty(story.owner.report)) == json.loads(data)
    assert max(map(len, pretty(story.owner.report).splitlines())) <= 80


def test_what_is_said_of_each_answer_is_what_its_law_says(story: Story) -> None:
    plan = ds.census_plan()
    assert [a.attribute for a in story.owner.answers] == ["age", "travel", "income"]
    for answer in story.owner.answers:
        law = plan.questions[answer.attribute].law(answer.level, Family.SETS)
        labels = plan.questions[answer.attribute].attribute.labels
        assert answer.level == 1000 * CHOICE[answer.attribute]
        y = int.from_bytes(story.owner.report.answers[answer.attribute].y, "little")
        probability = {label: law.probability(y, code) for code, label in enumerate(labels)}
        likely = max(probability.values())
        assert answer.sent == tuple(label for label in labels if probability[label] == likely)
        assert likely / min(probability.values()) == law.ratio
    assert [a.true for a in story.owner.answers] == ["30-44", "bike", "[40000, 60000)"]


@for_each("level", [250, 500, 2000, 3500, 6000])
@for_each("name", ["age", "travel"])
def test_the_worst_case_is_that_of_the_law_and_never_understated(name: str, level: int) -> None:
    """Whoever thought it 50:50 between two values sees the report that moves her most."""
    law = ds.census_plan().questions[name].law(level, Family.SETS)
    sure = max(
        law.probability(y, 0) / (law.probability(y, 0) + law.probability(y, 1))
        for y in law.outputs()
    )
    assert words.belief(law.ratio) == sure
    found = re.fullmatch(
        r"The odds grow at most ([\d.,]+) times: someone who thought it 50:50 before can be "
        r"at most ([\d.]+) % sure after\.",
        words.worst_case(law.ratio),
    )
    assert found
    times, percent = (Fraction(number.replace(",", "")) for number in found.groups())
    assert law.ratio <= times < law.ratio + Fraction(1, 10)
    assert 100 * sure <= percent < 100 * sure + Fraction(1, 10)


def test_level_two_is_said_as_people_say_it() -> None:
    law = ds.census_plan().questions["age"].law(2000, Family.SETS)
    assert "can be at most 88.1 % sure after" in words.worst_case(law.ratio)


def test_all_answers_together_multiply_their_odds(story: Story) -> None:
    product = Fraction(1)
    for answer in story.owner.answers:
        product *= answer.law.ratio
    assert story.owner.ratio == product
    text = words.together(story.owner)
    assert text.startswith("All three together: the levels add up to 6.")
    assert "at most 403.5 times: 50:50 before is at most 99.8 % after" in text


# ---- the terminal


@pytest.mark.parametrize("width", [80, 100, 200])
def test_nothing_is_cut_or_too_wide(story: Story, width: int) -> None:
    text = printed(story, width)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    for comparison in story.comparisons:
        for code, label in enumerate(comparison.labels):
            cells = [label, f"{100 * comparison.truth[code]:.2f}"]
            for variant in VARIANTS:
                value, low, high, holds = comparison.reading(variant, code)
                cells += [f"{100 * value:.2f}", f"{100 * low:.2f}-{100 * high:.2f}"]
                cells += [] if holds else ["miss"]
            assert " ".join(cells) in map(flat, text.splitlines())


def test_what_can_be_learnt_is_printed(story: Story) -> None:
    text = flat(printed(story, 80))
    for answer in story.owner.answers:
        assert f"{words.kept(answer)} {words.worst_case(answer.law.ratio)}" in text
    assert words.together(story.owner) in text
    assert f"{len(story.owner.report.to_bytes())} bytes" in text


def test_a_miss_is_marked_in_its_row() -> None:
    """Of 230 intervals that are to hold with 95 %, some do not."""
    marked = missed = 0
    for seed in range(5):
        comparisons = compare(ask(ds.census(400, seed=seed), seed=seed))
        out = Console(file=StringIO(), width=80, highlight=False)
        terminal.show_crowd(out, comparisons)
        assert isinstance(out.file, StringIO)
        marked += out.file.getvalue().count(" miss ") + out.file.getvalue().count(" miss\n")
        missed += sum(np.subtract(*coverage(comparisons, variant)[::-1]) for variant in VARIANTS)
    assert marked == missed > 0


def test_the_cells_of_a_pair_are_printed_in_few_lines(story: Story) -> None:
    text = printed(story, 80).partition("Two attributes at once\n")[2]
    lines = [flat(line) for line in text.splitlines()]
    start = next(i for i, line in enumerate(lines) if line.startswith("age income"))
    end = next(i for i, line in enumerate(lines) if line.endswith("cover the true value."))
    assert end - start <= 20
    for row, label in enumerate(story.pair.sides[0]):
        codes = range(5 * row, 5 * row + 5)
        readings = [story.pair.reading("disclosed", code) for code in codes]
        at = lines.index(
            " ".join([label, "truth", *[f"{100 * story.pair.truth[code]:.2f}" for code in codes]])
        )
        values = [f"{100 * r.value:.2f}" for r in readings]
        intervals = [f"{100 * r.low:.2f}-{100 * r.high:.2f}" for r in readings]
        assert lines[at + 1] == " ".join(["estimate", *values])
        assert lines[at + 2] == " ".join(["interval", *intervals])
        assert lines[at + 3] == " ".join("miss" for r in readings if not r.holds)


def test_terminal_and_page_say_the_same_of_a_pair(story: Story) -> None:
    text, html = flat(printed(story, 80)), said(section(story, "pair"))
    for sentence in (words.pairs, words.moved, words.dependence, words.held):
        assert sentence(story.pair) in text
        assert sentence(story.pair) in html
    assert words.moved_secret(story.pair) in text
    cards = [said(e) for e in section(story, "pair").iter("strong")]
    shares = [story.pair.unrelated, *[story.pair.distance(v) for v in VARIANTS]]
    assert cards == [f"{100 * share:.1f} %" for share in shares]
    for share in shares:
        assert f"off by {100 * share:.1f} %" in text


def test_only_bold_and_dim_are_used_so_that_any_background_will_do(story: Story) -> None:
    codes = re.findall(r"\x1b\[([\d;]*)m", printed(story, 80, colours=True))
    assert set(codes) == {"0", "1", "2"}


def test_lines_stay_readable_in_a_wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert terminal.readable_console().width == terminal.WIDEST == 100
    monkeypatch.setenv("COLUMNS", "72")
    assert terminal.readable_console().width == 72


# ---- the page


def test_the_page_is_well_formed_and_fetches_nothing(story: Story) -> None:
    assert story.html.startswith("<!DOCTYPE html>\n<html lang=")
    assert not re.search(r"https?:|//\w|<script|<link|url\(|@import|\bsrc=", story.html)
    elsewhere = re.findall(r'\bhref="([^#]\S*)"', story.html)
    assert elsewhere == ["quality.html"]
    sections = re.findall(r'<h2 id="(\S+)"', story.html)
    assert re.findall(r'\bhref="#(\S+)"', story.html) == sections
    assert not [e.tag for e in story.root.iter() if any(k.startswith("on") for k in e.attrib)]
    assert "$" not in story.html  # nothing was left to fill in


def test_void_elements_are_closed_and_no_others_are(story: Story) -> None:
    """So that a reader of HTML sees the same elements as a reader of XML."""
    closed = set(re.findall(r"<(\w+)[^>]*/>", story.html))
    assert closed == {"meta"}


def test_the_page_has_both_modes_and_fits_a_phone(story: Story) -> None:
    style = next(story.root.iter("style")).text or ""
    light, dark = style.split("@media (prefers-color-scheme: dark)")
    assert f"--ink: {LIGHT.ink};" in light
    assert f"--ink: {DARK.ink};" in dark
    named = set(re.findall(r"var\((--[\w-]+)\)", style))
    assert named <= set(re.findall(r"(--[\w-]+):", light))
    assert 'name="viewport" content="width=device-width' in story.html


def test_the_page_is_described_to_those_who_do_not_see_it(story: Story) -> None:
    headings = [int(e.tag[1]) for e in story.root.iter() if re.fullmatch("h[1-6]", e.tag)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(headings))
    for picture in story.root.iter("svg"):
        named = picture.get("role") == "img" and picture.get("aria-label")
        assert named or picture.get("aria-hidden") == "true"
    ids = [e.attrib["id"] for e in story.root.iter() if "id" in e.attrib]
    assert len(ids) == len(set(ids))
    assert {e.attrib["aria-labelledby"] for e in story.root.iter("section")} <= set(ids)
    assert all(e.get("scope") for e in story.root.iter("th"))


def test_the_tables_hold_the_numbers_of_the_estimates(story: Story) -> None:
    tables = list(story.root.iter("table"))
    assert len(tables) == len(story.comparisons) + 3 == 8
    for table, comparison in zip(tables, story.comparisons, strict=False):
        assert rows_of(table) == list(expected_rows(comparison))


def test_the_table_of_a_pair_holds_the_numbers_of_its_cells(story: Story) -> None:
    (table,) = section(story, "pair").iter("table")
    rows = rows_of(table)
    assert len(rows) == 20
    assert rows[0][0] == "16-29, [0, 20000)"
    for code, row in enumerate(rows):
        expected = [story.pair.labels[code], f"{100 * story.pair.truth[code]:.2f}"]
        for variant in VARIANTS:
            value, low, high, holds = story.pair.reading(variant, code)
            expected += [f"{100 * value:.2f}", f"{100 * low:.2f} to {100 * high:.2f}"]
            expected.append("yes" if holds else "no")
        assert row == expected


def test_heat_maps_are_shaded_and_labelled_in_proportion(story: Story) -> None:
    """Both on one scale, so the fullest colour of the two is the most frequent pair."""
    figures = list(section(story, "pair").iter("figure"))
    tables = [story.pair.truth, story.pair.estimates["disclosed"].value.ravel()]
    top = max(map(max, tables))
    for figure, table in zip(figures, tables, strict=True):
        shades = [float(e.attrib["fill-opacity"]) for e in figure.iter("rect")]
        np.testing.assert_allclose(shades, np.maximum(table, 0) / top, atol=0.0006)
        cells = [said(e) for e in figure.iter("text") if e.get("class") == "cell"]
        assert cells == [f"{100 * share:.1f}" for share in table]
        (picture,) = figure.iter("svg")
        box = [float(side) for side in picture.attrib["viewBox"].split()]
        corners = {(float(e.attrib["x"]), float(e.attrib["y"])) for e in figure.iter("rect")}
        assert len(corners) == len(table)
        assert max(x for x, _ in corners) < box[2]
        assert max(y for _, y in corners) < box[3]
    readings = [story.pair.reading("disclosed", code) for code in range(20)]
    second = [said(e) for e in figures[1].iter("text") if "beside" in e.attrib["class"]]
    expected = []
    for r in readings:
        expected += [f"±{50 * (r.high - r.low):.1f}", *([] if r.holds else ["miss"])]
    assert second == expected


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_the_fullest_colours_leave_their_labels_readable(palette: Palette) -> None:
    for soft in (palette.first_soft, palette.second_soft):
        assert contrast(soft, palette.ink) >= 4.5  # WCAG 2.2, 1.4.3


def contrast(*colours: str) -> float:
    one, other = sorted(luminance(channels(colour)) for colour in colours)
    return (other + 0.05) / (one + 0.05)


def channels(colour: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])


def luminance(colour: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def rows_of(table: ElementTree.Element) -> list[list[str]]:
    return [[said(cell) for cell in row] for body in table.iter("tbody") for row in body]


def expected_rows(comparison: Comparison) -> Iterator[list[str]]:
    for code, label in enumerate(comparison.labels):
        row = [label, f"{100 * comparison.truth[code]:.2f}"]
        for estimate in comparison.estimates.values():
            low, high = estimate.interval()[code]
            held = low <= comparison.truth[code] <= high
            row += [f"{100 * estimate.value[code]:.2f}", f"{100 * low:.2f} to {100 * high:.2f}"]
            row.append("yes" if held else "no")
        yield row


def test_bars_are_as_long_as_the_estimates(story: Story) -> None:
    """All frequency charts have one scale, so lengths are in one proportion to the values."""
    lengths, values = [], []
    figures = list(section(story, "crowd").iter("figure"))[::2]
    for figure, comparison in zip(figures, story.comparisons, strict=True):
        for variant, kind in zip(VARIANTS, ("bar", "bar second"), strict=True):
            bars = [e for e in figure.iter("rect") if e.get("class") == kind]
            assert len(bars) == len(comparison.labels)
            lengths += [float(bar.attrib["width"]) for bar in bars]
            values += list(comparison.estimates[variant].value)
    scale = max(lengths) / max(values)
    np.testing.assert_allclose(lengths, np.array(values) * scale, atol=0.6)  # of 180 units


@pytest.mark.parametrize("reach", [1, 3, 4, 5, 9, 40])
def test_the_ticks_of_distances_have_room_and_stand_around_the_truth(
    story: Story, reach: int
) -> None:
    bars = bars_of(story.comparisons[0])
    chart = ElementTree.fromstring(deviation_chart(bars, "", series=VARIANTS, most=reach))
    ticks = [e for e in chart.iter("text") if e.get("class") == "tick"]
    places = [float(tick.attrib["x"]) for tick in ticks]
    assert min(b - a for a, b in pairwise(places)) >= 22  # the width of the word truth, and more
    assert 3 <= len(ticks) == 2 * [said(tick) for tick in ticks].index("truth") + 1


def test_a_miss_is_written_beside_its_interval(story: Story) -> None:
    misses = [e for e in section(story, "crowd").iter("text") if e.get("class") == "miss"]
    missed = sum(np.subtract(*coverage(story.comparisons, v)[::-1]) for v in VARIANTS)
    assert len(misses) == missed


def test_the_page_says_what_can_be_learnt(story: Story) -> None:
    text = said(story.root)
    for answer in story.owner.answers:
        assert words.kept(answer) in text
        assert words.worst_case(answer.law.ratio) in text
    assert words.together(story.owner) in text
    kept = [e for e in story.root.iter("circle") if e.get("class") == "kept"]
    own = [a.law.inclusion.own for a in story.owner.answers]
    assert len(kept) == sum(round(100 * share) for share in own)
    (code,) = story.root.iter("pre")
    assert json.loads("".join(code.itertext())) == json.loads(story.owner.report.to_bytes())


def test_the_page_does_not_speak_of_lies(story: Story) -> None:
    assert not re.search(r"\blie|\blying|false|fake", said(story.root), re.IGNORECASE)


def test_a_number_is_shown_with_its_truth_and_intervals(story: Story) -> None:
    rows = list(story.number.rows())
    assert [row.what for row in rows][:2] == ["mean", "10% have less"]
    text, html = printed(story, 100), "".join(story.root.itertext())
    for row in rows:
        assert row.low <= row.value <= row.high
        assert f"{row.truth:,.0f}" in text
        assert f"{row.truth:,.0f}" in html
    assert sum(row.holds for row in rows) >= 4
    assert words.held_of(story.number) in text


def test_the_density_of_the_number_is_drawn_with_its_truth(story: Story) -> None:
    (chart,) = [e for e in story.root.iter("svg") if e.get("class") == "density"]
    kinds = [line.get("class") for line in chart.iter("polyline")]
    assert kinds == ["estimate", "estimate truth"]
    assert len(list(chart.iter("polygon"))) == 1
    assert story.number.shares.sum() == pytest.approx(1)


def test_synthetic_rows_are_shown_with_how_far_they_are_off(story: Story) -> None:
    text = " ".join("".join(story.root.itertext()).replace("\N{NO-BREAK SPACE}", " ").split())
    assert words.rows_of(story.rows) in text
    assert words.rows_off(story.rows) in text
    assert story.rows.publication.rows.num_rows == 50_000
    for row in story.rows.first:
        assert " ".join(row).split()[0] in text
    singles, pairs, triples = (distance.mean for distance in story.rows.distances)
    assert 0 < singles < pairs < triples < 1
