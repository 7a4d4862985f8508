"""One table in every form: as text, as an element of a page, as Markdown."""

from discretion.render.markup import text
from discretion.render.tables import Table

EVIL = "<b>&"
TABLE = Table(("name", "share"), [("one", "0.1"), (EVIL, "12.34")], "Shares", "and 3 more")


def test_text_has_names_to_the_left_and_numbers_to_the_right() -> None:
    assert str(TABLE).splitlines() == [
        "Shares",
        "name  share",
        "one     0.1",
        "<b>&  12.34",
        "and 3 more",
    ]


def test_a_page_has_heads_and_names_as_such_and_escapes_what_authors_wrote() -> None:
    html = TABLE.html()
    assert "<caption>Shares; and 3 more</caption>" in html
    assert html.count('scope="col"') == html.count('scope="row"') == 2
    assert '<th scope="row">&lt;b&gt;&amp;</th><td>12.34</td>' in html
    assert EVIL not in html


def test_cells_of_markup_stay_what_they_are() -> None:
    html = Table(("", "mark"), [("x", text("i", EVIL))]).html()
    assert "<td><i>&lt;b&gt;&amp;</i></td>" in html


def test_columns_of_words_are_named_for_the_style_sheet() -> None:
    html = Table(("a", "b", "c"), [("1", "2", "3")], left=frozenset({0, 1}), elastic=frozenset({2}))
    assert '<td class="left">2</td><td class="long">3</td>' in html.html()


def test_markdown_keeps_bars_apart() -> None:
    table = Table(("a|b", "n"), [("x", "1")])
    assert table.markdown() == "| a\\|b | n |\n| --- | ---: |\n| x | 1 |"
