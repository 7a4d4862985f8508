"""The dashboard's charts: their numbers are those of the documents, and long lists are short."""

import re
from datetime import date, timedelta
from typing import Any

import pytest

from discretion.estimate.legend import Legend
from discretion.render.bars import MOST_BARS, bar_chart, most_frequent
from discretion.render.formats import measured, percent
from discretion.render.heat import WRITTEN, HeatMap
from discretion.web.dashboard import Found
from discretion.web.dashboard.labels import bars_of, labels_card
from discretion.web.dashboard.levels import levels_view
from discretion.web.dashboard.numbers import chart, number_card
from discretion.web.dashboard.pair import Share, heat_map
from discretion.web.dashboard.reports import MOST, days_chart, spans
from discretion.web.dashboard.trends import DRAWN, trends_view
from tests.unit.web.dashboards import LONG, document, estimate, read

WIDEST = 400.0  # pixels of the widest chart's box


def followed(count: int) -> Any:
    """Return the document of labels over three rounds, of which the first one rises at last."""
    values = [[0.1, 0.1, 0.5], *([0.3, 0.3, 0.2] for _ in range(1, count))]
    ends = [
        (name, shift) for name in ("raw", "online", "smooth") for shift in ("", "_low", "_high")
    ]
    by = {"": 0.0, "_low": -0.05, "_high": 0.05}
    points = [
        {"round": round, "label": f"label {j}", "reports": 10}
        | {f"{name}{shift}": own[i] + by[shift] for name, shift in ends}
        for i, round in enumerate((2, 3, 7))
        for j, own in enumerate(values)
    ]
    shift = {"round": 7, "label": "label 0", "difference": 0.4, "p": 1e-9}
    labels = [f"label {j}" for j in range(count)]
    found = {"attribute": "mode", "labels": labels, "repeated": True, "shifts": [shift]}
    return {
        "name": "mode",
        "found": {**found, "points": points, "pvalues": []},
        "reason": "",
        "warnings": [],
    }


def test_a_curve_has_a_dot_for_each_round_and_a_mark_where_it_changed() -> None:
    view = trends_view({"trends": [followed(7)]}, "", Legend())
    page = read(view)
    assert page.said.count("round 7: something changed") == 1
    assert "label 0 from round 7 on (p < 0.0001)" in page.said
    assert "2 more in the table" in page.said
    assert view.count("<circle") == 3 * DRAWN
    assert all(0 <= float(x) <= WIDEST for x in re.findall(r' (?:cx|x1)="([^"]+)"', view))
    assert "bands and tests are bounds" in page.said
    rows = re.findall(r"<tr", view)
    assert len(rows) == 1 + 3 * 7


def test_what_cannot_be_followed_is_said() -> None:
    failed: Any = {**followed(2), "found": None, "reason": "there are no reports"}
    assert "No estimate: there are no reports." in trends_view({"trends": [failed]}, "", Legend())
    assert "Two rounds with reports" in trends_view({"trends": []}, "", Legend())
    assert "Two rounds" in trends_view({"trends": [followed(2)]}, "home", Legend())


def labelled(count: int) -> Any:
    """Return an attribute with so many labels, the later the more frequent."""
    tried = estimate(document("plain"), "mode")
    whole = count * (count + 1) / 2
    rows = [
        {"label": f"label {i}", "value": i / whole, "stderr": 0.01, "low": 0.0, "high": i / whole}
        for i in range(1, count + 1)
    ]
    bound = {"down": -0.01, "up": 0.02, "margin": 0.02}
    margins = [
        {**each, "margins": [{"what": row["label"], **bound} for row in rows]}
        for each in tried["found"]["margins"]
    ]
    return {**tried, "found": {**tried["found"], "frequencies": rows, "margins": margins}}


def drawn_map(rows: int, columns: int, value: float = 1e-4) -> HeatMap:
    shares = [
        Share(f"a{i}", f"b{j}", (1 + i * j) * value, None, None)
        for i in range(rows)
        for j in range(columns)
    ]
    return heat_map(["a", "b"], shares)


def test_every_bar_has_its_numbers_in_the_table() -> None:
    tried = estimate(document("plain"), "mode")
    shown = read(labels_card(tried, Legend(), whole=False))
    body = shown.table("mode: frequencies").body
    for row in tried["found"]["frequencies"]:
        answer = percent(row["value"])
        assert body[row["label"]][0] == answer
        assert any(title.startswith(f"{row['label']} {answer} (") for title in shown.titles)
    assert len(shown.titles) == len(body) == 5


def test_a_long_list_of_labels_is_drawn_in_part_and_written_whole() -> None:
    tried = labelled(200)
    shown = read(labels_card(tried, Legend(), whole=False))
    assert len(shown.titles) == MOST_BARS
    assert shown.titles[0].startswith("label 200 ")
    assert f"The {MOST_BARS} most frequent of 200 labels; the table has all." in shown.said
    assert len(shown.table("mode: frequencies").body) == 200
    assert len(read(labels_card(tried, Legend(), whole=True)).titles) == 200


def test_labels_that_are_equally_frequent_leave_room_for_no_more() -> None:
    tried = labelled(60)
    for row in tried["found"]["frequencies"]:
        row["value"] = 1 / 60
    assert len(most_frequent(bars_of(tried["found"], Legend()))) == MOST_BARS


def test_long_labels_are_wrapped_in_the_picture_and_whole_in_the_table() -> None:
    tried = estimate(document("hostile"), "<script>alert(1)</script>")
    shown = read(labels_card(tried, Legend(), whole=False))
    assert LONG in shown.table("<script>").body
    assert "long long long long" * 2 + "long long long long…" in shown.said
    assert LONG in shown.titles
    sides = [float(text["x"] or 0) for text in shown.all("text")]
    assert 0 <= min(sides) <= max(sides) <= WIDEST


def test_intervals_and_bounds_without_limit_are_said_not_drawn() -> None:
    tried = estimate(document("plain"), "mode")
    for row in tried["found"]["frequencies"]:
        row |= {"low": None, "high": None}
    for each in tried["found"]["margins"]:
        for row in each["margins"]:
            row |= {"down": None, "up": None, "margin": None}
    shown = read(labels_card(tried, Legend(), whole=False))
    assert shown.table("mode: ").body["car"][1:] == ["unknown", "without limit", "without limit"]
    assert "bound" not in {rect["class"] for rect in shown.all("rect")}
    assert "1 % by without limit" in shown.said
    assert all("false reports: anything" in title for title in shown.titles)


def test_estimates_below_zero_stay_in_the_picture() -> None:
    tried = estimate(document("plain"), "mode")
    for row in tried["found"]["frequencies"]:
        row["value"] = -0.3
    drawn = read(bar_chart(bars_of(tried["found"], Legend()), "mode"))
    assert all(float(rect["width"] or 0) > 0 for rect in drawn.all("rect"))
    assert all(0 <= float(rect["x"] or -1) <= WIDEST for rect in drawn.all("rect"))


def test_a_number_has_its_mean_its_shares_and_its_quantiles_in_words() -> None:
    tried, curves = estimate(document("plain"), "income", "number"), document("plain", "curves")
    shown = read(number_card(tried, Found(curves), Legend(), whole=True, attacked=None))
    mean, density = tried["found"]["mean"], tried["found"]["density"]
    write = measured(mean["stderr"])
    assert f"Mean {write(mean['value'])} (95 % interval {write(mean['low'])} to" in shown.said
    shares = [row[2] for row in shown.table("income: shares").rows[1:]]
    assert shares == [percent(value) for value in density["value"]]
    quantiles = shown.table("income: quantiles").rows[1:]
    assert [float(row[1]) for row in quantiles] == [
        row["value"] for row in curves["curves"][0]["found"]["quantiles"]
    ]


def test_a_mean_without_an_interval_is_drawn_as_a_line() -> None:
    tried = estimate(document("plain"), "income", "number")["found"]
    tried["mean"] |= {"stderr": None, "low": None, "high": None}
    drawn = read(chart("income", tried, Legend()))
    assert drawn.all("rect") == []
    assert "mean" in {line["class"] for line in drawn.all("line")}


def test_a_large_pair_is_drawn_in_part() -> None:
    heat = drawn_map(40, 40)
    assert (len(heat.rows), len(heat.columns)) == (MOST_BARS, MOST_BARS)
    assert heat.rows[0] == "a15"
    assert heat.size != WRITTEN


def test_a_pair_that_has_no_people_can_be_drawn() -> None:
    drawn = drawn_map(2, 3, -0.01).draw("")
    assert {rect["fill-opacity"] for rect in read(drawn).all("rect")} == {"0.000"}


def test_levels_of_every_attribute_add_up_to_its_answers() -> None:
    levels = document("plain")["levels"]
    shown = read(levels_view(levels))
    table = shown.table("Answers by level")
    assert table.rows[0][2:4] == ["0.25 to 0.5", "0.5 to 1"]
    for name, (whole, *groups) in table.body.items():
        own = next(row for row in levels["rows"] if row["name"] == name)["groups"]
        assert int(whole) == sum(int(group.split()[0]) for group in groups)
        assert groups == [f"{g['reports']} ({percent(g['share'])})" for g in own]


def test_many_days_are_drawn_a_few_together_and_none_is_lost() -> None:
    first = date(2025, 1, 1)
    days = {first + timedelta(days=i): i for i in range(0, 400, 3)}
    found = spans(days)
    assert len(found) <= MOST
    assert sum(span.reports for span in found) == sum(days.values())
    assert (found[0].first, found[-1].last) == (first, max(days))
    assert len(read(days_chart(found)).titles) == len(found)


@pytest.mark.parametrize("reports", [0, 1, 7, 10**9])
def test_a_single_day_can_be_drawn(reports: int) -> None:
    drawn = read(days_chart(spans({date(2026, 1, 1): reports})))
    assert f"{reports:,}" in drawn.titles[0]
