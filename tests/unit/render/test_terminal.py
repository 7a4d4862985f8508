"""Tables fit the terminal, whatever its width and encoding, and drawings tell the numbers."""

import io

from rich.cells import cell_len
from rich.console import Console

from discretion.render.bars import Interval
from discretion.render.tables import Scale, Table
from discretion.render.terminal import broken, cut, whisker
from tests.cases import for_each


def table(*values: float, labels: tuple[str, ...] = (), error: float = 0.02) -> Table:
    names = labels or tuple(f"label {i}" for i in range(len(values)))
    ends = [Interval(v, max(v - 1.96 * error, 0.0), v + 1.96 * error) for v in values]
    rows = [
        (name, f"{own.value:.4f}", f"{error:.4f}", f"{own.low:.4f} to {own.high:.4f}")
        for name, own in zip(names, ends, strict=True)
    ]
    heads, elastic = ("pet", "value", "stderr", "95 % interval"), frozenset({0})
    return Table(heads, rows, elastic=elastic, scale=Scale.of_shares(ends))


def printed(thing: object, width: int = 80, encoding: str = "utf-8") -> list[str]:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    Console(file=file, width=width).print(thing)
    file.seek(0)
    return file.read().splitlines()


@for_each(
    "low, value, high, drawn",
    [
        (0.2, 0.5, 0.8, "  ├──●──┤"),
        (0.4, 0.5, 0.6, "    ├●┤"),
        (0.49, 0.5, 0.51, "     ●"),
        (0.0, 0.0, 0.2, "●─┤"),
        (0.0, 0.1, 0.3, "├●─┤"),
        (0.8, 1.0, 1.0, "        ├─●"),
        (0.0, -0.1, 0.0, "●"),
        (0.0, -0.1, 0.3, "●──┤"),
        (0.0, 1.0, 1.0, "├─────────●"),
    ],
)
def test_an_interval_is_drawn_where_it_lies(
    low: float, value: float, high: float, drawn: str
) -> None:
    assert whisker(low, value, high, 11) == drawn
    assert whisker(low, value, high, 11, ascii=True) == drawn.translate(
        str.maketrans("├─●┤", "|-o|")
    )


def test_the_scale_is_common_and_ends_above_the_largest_interval() -> None:
    lines = printed(table(0.1, 0.41))
    assert lines[0].endswith("0.45")
    assert len(lines[0]) == 80
    assert lines[2].index("●") > lines[1].index("●") + 20


@for_each("width", [40, 60, 80, 120, 200])
@for_each("longest", [3, 20, 60, 150])
def test_a_table_fits_the_terminal_with_one_line_a_row(width: int, longest: int) -> None:
    labels = ("a" * longest, "b" * (longest // 2))
    lines = printed(table(0.3, 0.7, labels=labels), width)
    assert len(lines) == 3
    assert max(map(len, lines)) <= width
    assert all(words in lines[1] for words in ("0.3000", "0.0200", "0.2608"))
    if width >= 60 or longest == 3:
        assert "0.2608 to 0.3392" in lines[1]
    assert ("●" in lines[1]) == (width >= 80 or (width == 60 and longest == 3))


def test_wide_characters_are_counted_as_wide() -> None:
    lines = printed(table(0.3, 0.7, labels=("日本語", "abc")))
    starts = [cell_len(line[: line.index("0.")]) for line in lines[1:]]
    assert starts[0] == starts[1]


def test_nothing_outside_ascii_is_drawn_where_it_cannot_be_shown() -> None:
    lines = printed(table(0.3, 0.7, labels=("a" * 90, "b")), encoding="ascii")
    assert "|o|" in lines[1]
    assert "aaa..." in lines[1]
    assert all(line.isascii() for line in lines)


def test_an_estimate_of_nothing_but_zeros_is_drawn() -> None:
    assert "●" in printed(table(0.0, 0.0, error=0.0))[1]


def test_meaning_does_not_need_colour() -> None:
    file = io.StringIO()
    console = Console(file=file, width=80, force_terminal=True, color_system="truecolor")
    console.print(table(0.3, 0.7))
    codes = {part.split("m")[0] for part in file.getvalue().split("\x1b[")[1:]}
    assert codes == {"1", "0"}  # bold headings, and their end


def test_columns_cut_what_may_be_cut_and_leave_no_blanks_at_the_end() -> None:
    rows = [("x" * 60, "12"), ("y", "3")]
    lines = printed(Table(("a", "b"), rows, elastic=frozenset({0})), 40)
    assert [len(line) for line in lines] == [40, 40, 40]
    assert lines[1] == f"{'x' * 35}…  12"
    assert lines[2] == f"y{' ' * 38}3"


def test_text_is_cut_to_cells() -> None:
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdef", 5) == "abcd…"
    assert cut("abcdef", 5, ascii=True) == "ab..."
    assert cell_len(cut("日本語", 5)) <= 5


def test_a_sentence_is_broken_where_it_pauses() -> None:
    sentence = "age: an estimate; 48 reports; all agree"
    assert broken(sentence, 80) == sentence
    assert broken(sentence, 30) == "age: an estimate; 48 reports;\n  all agree"
    assert broken(sentence, 5) == "age: an estimate;\n  48 reports;\n  all agree"


def test_a_head_may_have_several_lines() -> None:
    shown = printed(Table(("a", "[0,\n20)"), [("x", "1.5")]))
    assert shown == ["   [0,", "a  20)", "x  1.5"]


def test_what_is_left_out_is_said_below() -> None:
    assert printed(Table(("a", "b"), [("x", "1")], note="and 3 more"))[-1] == "and 3 more"
