"""The density of a number as a chart: what stands on its axis."""

import re
from itertools import pairwise

from discretion.render.bars import Interval
from discretion.render.density import density_chart
from discretion.schema import Date

TICK = re.compile(r'<text x="([\d.]+)"[^>]*class="tick"[^>]*>([^<]+)<')


def test_dates_on_the_axis_do_not_run_into_each_other() -> None:
    edges = [float(Date.exact(f"{year}-01-01")) for year in (2000, 2009, 2018, 2027)]
    shares = [Interval(0.3, 0.2, 0.4)] * 3
    dates = TICK.findall(str(density_chart(edges, shares, "moved", write=Date.written)))
    assert len(dates) >= 2
    assert all(float(b) - float(a) >= 6.5 * len(word) for (a, word), (b, _) in pairwise(dates))
    numbers = TICK.findall(str(density_chart([0, 20, 40, 100], shares, "age")))
    assert [word for _, word in numbers] == ["0", "20", "40", "60", "80", "100"]
