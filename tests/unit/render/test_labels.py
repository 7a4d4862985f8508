"""Labels in lines: where they break, what is cut, and in which direction they are written."""

from discretion.render.bars import Bar, Interval, bar_chart
from discretion.render.heat import Cell, HeatMap
from discretion.render.labels import END, ISOLATE, Label, cells, isolated, wrapped
from tests.cases import for_each
from tests.unit.web.dashboards import read

GERMAN = "Mit dem eigenen Personenkraftwagen, auch als Mitfahrer"
ARABIC = "بالسيارة الخاصة (كسائق أو كراكب)"


def test_a_label_that_fits_is_one_line_as_it_is() -> None:
    assert wrapped("a  b", 4) == ("a  b",)
    assert (
        Label.of("car", 22).draw(1, 2, "label") == '<text x="1.0" y="2.0" class="label">car</text>'
    )


@for_each("label", [GERMAN, ARABIC, "x" * 100, "駅" * 40, "é" * 70, "a\nb " * 30])
@for_each("longest, most", [(4, 2), (12, 1), (20, 2), (22, 3)])
def test_no_line_is_longer_and_no_label_has_more_lines(label: str, longest: int, most: int) -> None:
    lines = wrapped(label, longest, most)
    assert 1 <= len(lines) <= most
    assert all(cells(line) <= longest for line in lines)


def test_words_stay_whole_until_one_is_longer_than_a_line() -> None:
    assert wrapped(GERMAN, 22, 3) == (
        "Mit dem eigenen",
        "Personenkraftwagen,",
        "auch als Mitfahrer",
    )
    assert wrapped("abcdefgh ij", 5, 3) == ("abcde", "fgh", "ij")


def test_what_does_not_fit_ends_with_an_ellipsis_and_is_said_in_full() -> None:
    label = Label.of(GERMAN, 22)
    assert label.lines[-1] == "Personenkraftwagen,…"
    assert read(label.draw(0, 0, "label")).titles == [GERMAN]


def test_marks_stay_with_their_letter() -> None:
    assert wrapped("e\u0301" * 4, 2, 2) == ("e\u0301" * 2, "e\u0301" * 2)


def test_right_to_left_lines_are_isolated_each_by_itself() -> None:
    assert isolated("car") == "car"
    assert isolated(isolated(ARABIC)) == isolated(ARABIC) == f"{ISOLATE}{ARABIC}{END}"
    lines = wrapped(isolated(ARABIC), 20, 3)
    assert len(lines) == 2
    assert all(line[0] == ISOLATE and line[-1] == END and line.count(END) == 1 for line in lines)


def test_rows_are_as_high_as_their_labels() -> None:
    bars = [Bar(label, (Interval(0.5, 0.4, 0.6),)) for label in (GERMAN, "Zu Fuß")]
    drawn = read(bar_chart(bars, "travel"))
    tops = [float(at["y"] or 0) for tag, at in drawn.elements if at.get("class") == "bar"]
    spans = [float(at["y"] or 0) for tag, at in drawn.elements if tag == "tspan"]
    assert len(spans) == 3
    assert spans == sorted(spans)
    assert tops[1] > spans[-1]  # the second row begins below the last line of the first


def test_names_of_columns_are_slanted_in_several_lines() -> None:
    cells_ = [Cell(0, 0, 0.5, "both")]
    drawn = read(HeatMap(["a"], [GERMAN], cells_).draw("map"))
    spans = [at for tag, at in drawn.elements if tag == "tspan"]
    assert len(spans) == 3
    assert GERMAN in drawn.titles
