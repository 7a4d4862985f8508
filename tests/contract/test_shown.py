"""Whatever Python shows of a public object fits a screen; results have pictures and frames."""

from collections.abc import Iterator
from typing import Any

import matplotlib
import numpy as np
import pytest

import discretion as ds
from discretion.estimate.entry import Indexed

MOST_LINES, MOST_LETTERS = 40, 4000
CODES = [f"code number {i}" for i in range(200)]


@pytest.fixture(scope="module")
def objects() -> list[Any]:
    """Many labels, many points, many groups: whatever could be long."""
    return [*made()]


def made() -> Iterator[Any]:
    plan = ds.Plan.of(
        {
            "name": "shown",
            "attributes": [
                {"name": "code", "kind": "categorical", "values": CODES},
                {"name": "work", "kind": "categorical", "values": ["employed", "student", "none"]},
                {"name": "pay", "kind": "numeric", "range": [0, 1000], "step": 1},
                {
                    "name": "age",
                    "kind": "numeric",
                    "range": [0, 127],
                    "step": 1,
                    "mechanism": "hierarchy",
                },
                *(
                    {"name": f"q{i}", "kind": "categorical", "values": ["a", "b"]}
                    for i in range(90)
                ),
            ],
            "budget": {"levels": [1, 2, 4]},
        }
    )
    rng, n = np.random.default_rng(6), 3000
    people = {
        "code": rng.choice(CODES, n).tolist(),
        "work": rng.choice(["employed", "student", "none"], n).tolist(),
        "pay": rng.integers(0, 1001, n).tolist(),
        "age": rng.integers(0, 128, n).tolist(),
        **{f"q{i}": rng.choice(["a", "b"], n).tolist() for i in range(90)},
    }
    reports = ds.simulate(plan, people, budgets="levels", seed=6)
    even = dict.fromkeys(plan.names, 1.0)
    yield from (plan, plan.questions, plan.questions["code"], reports, ds.Aggregate.of(reports))
    yield from (ds.Budget.of(plan, even), ds.Device(plan), next(reports.to_reports()))
    yield from (ds.frequencies(reports, "code"), ds.margin(reports, "code"))
    yield ds.joint(reports, ["work", "q0", "q1"])
    yield from (
        ds.frequencies(reports, "code", by="work"),
        ds.frequencies(reports, "work", by="code"),
    )
    yield from (ds.mean(reports, "pay"), ds.mean(reports, "pay", by="work"))
    yield from (ds.quantiles(reports, "pay"), ds.cdf(reports, "pay", range(0, 1000, 5)))
    yield from (ds.histogram(reports, "pay", 200), ds.maximum(reports, "pay"))
    yield ds.ranges(reports, "age", [(i, i + 9) for i in range(100)])
    yield from (ds.screen(reports, "work"), ds.dependence(reports, ["work", "q0", "q1"]))
    yield ds.fits(reports, "code", [1 / len(CODES)] * len(CODES))
    yield ds.adjust({str(i): 0.5 for i in range(200)})
    yield ds.calibrate(reports, {"q0": {"a": 0.4, "b": 0.6}})
    yield ds.needed(plan, "work", halfwidth=0.02)
    yield from (
        made := ds.publish(reports, 50, attributes=["work", "q0", "q1"], seed=1),
        made.model,
    )


def test_what_is_shown_fits_a_screen(objects: list[Any]) -> None:
    for each in objects:
        shown = repr(each)
        size = type(each).__name__, len(shown), shown.count("\n") + 1
        assert len(shown) <= MOST_LETTERS, size
        assert shown.count("\n") < MOST_LINES, size


def test_estimates_have_pictures_pages_and_frames(objects: list[Any]) -> None:
    estimates: list[Any] = [
        each for each in objects if isinstance(each, Indexed | ds.HistogramEstimate)
    ]
    assert len(estimates) > 8
    with matplotlib.rc_context({"backend": "agg"}):
        for each in estimates:
            assert len(each.to_frame()) > 0
            assert "<table>" in each._repr_html_()
            assert len(each._repr_html_()) < 20_000, type(each)
            if not isinstance(each, ds.JointEstimate):  # of three attributes: none
                assert each.plot().get_title(loc="left"), type(each)
