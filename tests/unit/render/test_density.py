"""The density of a number as a chart: what stands on its axis."""

import re
from itertools import pairwise

from discretion.estimate.legend import Legend
from discretion.plan import Plan
from discretion.render.bars import Interval
from discretion.render.density import WIDTH, density_chart
from discretion.schema import Date, Time
from tests.plans import MOVED, RISE, author

TICK = re.compile(r'<text x="([\d.]+)"[^>]*class="tick"[^>]*>([^<]+)<')


def test_dates_on_the_axis_do_not_run_into_each_other() -> None:
    edges = [float(Date.exact(f"{year}-01-01")) for year in (2000, 2009, 2018, 2027)]
    shares = [Interval(0.3, 0.2, 0.4)] * 3
    dates = TICK.findall(str(density_chart(edges, shares, "moved", write=Date.written)))
    assert len(dates) >= 2
    assert all(float(b) - float(a) >= 6.5 * len(word) for (a, word), (b, _) in pairwise(dates))
    numbers = TICK.findall(str(density_chart([0, 20, 40, 100], shares, "age")))
    assert [word for _, word in numbers] == ["0", "20", "40", "60", "80", "100"]


def test_ticks_of_dates_and_times_are_round() -> None:
    moved = Plan.of(author(attributes=[{**MOVED, "mechanism": "laplace"}, RISE]))
    legend = Legend.of(moved)
    for low, high in ((9, 40), (200, 300), (10_950, 11_500), (10_950, 20_595), (-30_000, 20_000)):
        ticks = legend.ticks("moved", low, high) or []
        assert 2 <= len(ticks) <= 7
        days = [Date.value_of(tick) for tick in ticks]
        assert all(day.day == 1 or (high - low < 50 and day.weekday() == 0) for day in days), days
    assert [Time.written(tick) for tick in legend.ticks("rise", 240, 1440) or []] == [
        "04:00",
        "08:00",
        "12:00",
        "16:00",
        "20:00",
        "24:00",
    ]
    assert legend.ticks("age", 0, 100) is None
    edges, shares = [10_950.0, 11_200.0, 11_500.0], [Interval(0.5, 0.4, 0.6)] * 2
    chart = density_chart(
        edges, shares, "moved", ticks=legend.ticks("moved", edges[0], edges[-1]), write=Date.written
    )
    assert {word[-5:] for _, word in TICK.findall(str(chart))} <= {
        "01-01",
        "04-01",
        "07-01",
        "10-01",
    }
    years = [float(Date.exact(day)) for day in ("2016-01-05", "2020-12-01", "2025-12-30")]
    marks = legend.ticks("moved", years[0], years[-1])
    wide = TICK.findall(str(density_chart(years, shares, "moved", ticks=marks, write=Date.written)))
    assert [word for _, word in wide] == ["2018-01-01", "2022-01-01"]
    assert all(float(b) - float(a) >= 6.5 * len(word) for (a, word), (b, _) in pairwise(wide))


def test_words_on_the_axis_are_inside_the_picture() -> None:
    first, last = (float(Date.exact(f"{year}-01-01")) for year in (2016, 2024))
    edges, shares = [first, first + 9, last], [Interval(0.5, 0.4, 0.6)] * 2
    chart = density_chart(edges, shares, "moved", ticks=[first, last], write=Date.written)
    (left, word), (right, _) = TICK.findall(str(chart))
    half = 3.0 * len(word)  # pixels of digits
    assert half <= float(left) < float(right) <= WIDTH - half
