"""docs/results.md: sections are replaced one by one, and nothing else is touched."""

from pathlib import Path

from experiments.page import write_section


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
