"""The page: ratios, bars met and missed, marks and failures, from a small stored go."""

from pathlib import Path

import pytest

from benchmarks.bars import straight, verdict
from benchmarks.render import scaling, speed, write
from benchmarks.results import Results, slope
from benchmarks.tables import number
from experiments.page import write_section

TINY = Path(__file__).with_name("tiny.json")


@pytest.fixture(scope="module")
def results() -> Results:
    return Results.read(TINY)


def rows(text: str, first: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(f"| {first} |")]


def test_steps_have_times_ratios_and_bars(results: Results) -> None:
    client, count, server, *_ = rows(speed(results), "oue")
    bars = "**NumPy ≥ 3: missed**; peer ≥ 20: met"
    assert client == f"| oue | 128 | 0.1 | 0.2 | 3* | – | 2 | 30 | {bars} |"
    bars = "NumPy ≥ 5: met; peer ≥ 10: met"
    assert count == f"| oue | 128 | 0.05 | 0.3 | 1* | – | 6 | 20 | {bars} |"
    assert server == "| oue | 128 | 0.06 | 0.3 | 1* | – | 5 | 16.7 |  |"


def test_a_smaller_crowd_and_a_failure_are_told(results: Results) -> None:
    text = speed(results)
    assert "A star marks times of 100,000 owners, scaled by report." in text
    assert "- multi-freq-ldpy, compare, oue, 128 codes: MemoryError" in text


def test_the_machine_and_its_one_thread_are_told(results: Results) -> None:
    text = speed(results)
    assert "Abacus 2000, 2 cores, Linux x86_64, Python 3.11.7" in text
    assert "discretion 0.1.0, numpy 2.4.6, pure-ldp 1.2.0" in text
    assert "on 1 thread" in text


def test_large_tasks_are_held_against_their_bars(results: Results) -> None:
    text = speed(results)
    bars = "**< 1,000 MB: missed**"
    assert rows(text, "simulate") == [f"| simulate | 1,000,000 | 1024 | 1.5 | 1,234 | {bars} |"]
    bars = "< 1,000 MB: met; < 10 s: met"
    what = "mle, with standard errors"
    assert rows(text, what) == [f"| {what} | 1,000,000 | 128 | 7.5 | 800 | {bars} |"]


def test_slopes_are_held_against_a_straight_line(results: Results) -> None:
    text, along = scaling(results), "owners, 10,000 to 100,000"
    assert f"| simulate | {along} | 1.00 | 0.9 to 1.1: met |" in text
    assert f"| count | {along} | 0.30 | **0.9 to 1.1: missed, grows slower** |" in text
    assert f"| mle | {along} | 2.00 | **0.9 to 1.1: missed, grows faster** |" in text
    assert "| mle | codes, 16 to 64 | 1.00 | 0.9 to 1.1: met |" in text


def test_the_page_gets_two_sections_and_figures_that_do_not_change(
    results: Results, tmp_path: Path
) -> None:
    page = tmp_path / "results.md"
    write(results, page)
    first = {path.name: path.read_bytes() for path in tmp_path.rglob("*.*")}
    assert first.keys() == {"results.md", "scaling-n.svg", "scaling-k.svg"}
    headings = [line for line in page.read_text().splitlines() if line.startswith(("# ", "## "))]
    assert headings == ["# Results", "## Speed", "## Scaling"]
    write(results, page)
    assert {path.name: path.read_bytes() for path in tmp_path.rglob("*.*")} == first


def test_only_its_own_section_is_replaced(tmp_path: Path) -> None:
    page = tmp_path / "results.md"
    before, after = "# Results\n\nIntro.\n\n## A\n\n a \n\n\n", "## Speed of light\n\n### x\n\nc\n"
    page.write_text(f"{before}## Speed\n\nold\n\n### deeper\n\nold\n\n{after}")
    write_section("Speed", "new\n", page)
    assert page.read_text() == f"{before}## Speed\n\nnew\n\n{after}"


def test_a_new_section_is_appended_and_a_missing_page_begun(tmp_path: Path) -> None:
    page = tmp_path / "results.md"
    write_section("One", "1", page)
    write_section("Two", "2", page)
    write_section("Two", "two \\1", page)
    head, one, two = page.read_text().split("## ")
    assert head.startswith("# Results\n\n")
    assert (one, two) == ("One\n\n1\n\n", "Two\n\ntwo \\1\n")


def test_a_rival_that_could_not_be_measured_is_not_passed_over() -> None:
    assert verdict("client", "subset", 16, {"NumPy": 3.0}) == "**peer: not measured**"


def test_the_ends_of_the_bar_meet_it() -> None:
    assert straight("mle", 0.9).endswith(": met")
    assert straight("mle", 1.1).endswith(": met")


@pytest.mark.parametrize(
    "value, text", [(0.00123456, "0.00123"), (1.5, "1.5"), (99.96, "100"), (12345.6, "12,346")]
)
def test_numbers_have_three_digits_and_no_exponent(value: float, text: str) -> None:
    assert number(value) == text


def test_the_slope_is_that_of_a_power() -> None:
    assert slope([(10, 3.0), (20, 12.0), (40, 48.0)]) == pytest.approx(2)
