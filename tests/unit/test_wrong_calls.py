"""Calls that go wrong in common ways get a message of ours, which says what to do."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import discretion as ds
from discretion.errors import DiscretionError, meant
from discretion.table import ReportTable

PLAN = ds.census_plan()


@pytest.fixture(scope="module")
def reports() -> ReportTable:
    return ds.simulate(PLAN, ds.census(200, seed=1), budgets="dirichlet", share=2, seed=1)


def crowd() -> ReportTable:
    return ds.simulate(PLAN, ds.census(200, seed=2), budgets="dirichlet", share=2, seed=2)


CALLS: list[tuple[Callable[[Any], object], str]] = [
    (lambda r: ds.frequencies(r, "travle"), r"did you mean 'travel'\?"),
    (lambda r: ds.frequencies(r, ["travel"]), "must be one name in quotes"),  # type: ignore[call-overload]
    (lambda r: ds.mean(r, ["income"]), "must be one name in quotes"),  # type: ignore[call-overload]
    (lambda r: ds.margin(r, {"travel"}, 0.05), "must be one name in quotes"),  # type: ignore[arg-type]
    (lambda r: ds.screen(r, ["travel"]), "must be one name in quotes"),  # type: ignore[arg-type]
    (lambda r: ds.frequencies(r, "travel", "wieghted"), r"did you mean 'weighted'\?"),
    (lambda r: ds.frequencies(r, "travel").interval(95), "write 95 % as 0.95"),
    (lambda r: ds.frequencies(r, "travel").interval("95%"), "between 0 and 1, got '95%'"),  # type: ignore[arg-type]
    (lambda r: ds.frequencies("travel", r), "need reports"),  # type: ignore[call-overload]
    (lambda r: ds.joint(r, 3), "two attributes or more in a list"),  # type: ignore[arg-type]
    (lambda r: ds.joint(r, "travel"), "two attributes or more in a list"),
    (lambda _: ds.Budget.of(PLAN, 3), "must map attributes to epsilons"),  # type: ignore[arg-type]
    (lambda _: ds.Budget.of(PLAN, ["travel"]), "must map attributes to epsilons"),  # type: ignore[arg-type]
    (lambda _: ds.simulate(PLAN, ds.census(5, seed=1), budgets=2), "even, dirichlet, levels"),
    (lambda r: ds.frequencies(r, "travel", by=["age"]), "by must name one attribute"),  # type: ignore[call-overload]
    (lambda r: ds.frequencies(r, "travel", by="age", bins=3), "bins must map numbers to"),  # type: ignore[call-overload]
    (lambda r: ds.joint(r, ["travel", "age"], bins="income=3"), "bins must map numbers to"),  # type: ignore[arg-type]
    (lambda r: ds.compare("travel", r, r), "compare needs reports .* got str"),  # type: ignore[arg-type]
    (lambda r: ds.calibrate(r, {"age": 0.5}), "must be a mapping from its labels"),
    (lambda r: ds.frequencies(r, "travel", weights={"age": {}}), "must come from calibrate"),  # type: ignore[call-overload]
    (lambda r: ds.needed(r, "travel", halfwidth=0.1), "needed is asked of a plan"),
    (lambda _: ds.needed(PLAN, "travel", halfwidth="0.1"), "must be a number above 0, got '0.1'"),  # type: ignore[arg-type]
    (lambda _: ds.needed(PLAN, "travel", effect=0.1, power=80), "power must lie between 0 and 1"),
    (lambda _: ds.adjust([0.1, 0.2]), "tests must be a mapping"),  # type: ignore[arg-type]
    (lambda r: ds.adjust({"a": ds.margin(r, "travel")}), "from 0 to 1, got Manipulation"),  # type: ignore[dict-item]
    (lambda r: ds.frequencies(r, "travel", "weighted", cap="a"), "cap must be 1 at most"),  # type: ignore[call-overload]
    (lambda r: ds.margin(r, "travel", "5 %"), "share must lie between 0 and 1"),  # type: ignore[arg-type]
    (lambda r: ds.postprocess(r, "norm"), "for frequencies and joint tables, got ReportTable"),
    (lambda r: ds.fits(r, "travel", [40, 20, 15, 15, 10]), "write 40 % as 0.4"),
    (lambda r: ds.compare(r, crowd(), "travel", weights=[1, 2]), "must come from calibrate"),  # type: ignore[list-item]
    (lambda r: ds.compare(r, crowd(), "travel", weights=3), "weights must be a pair"),  # type: ignore[arg-type]
    (lambda _: ds.calibrate(ds.census(9, seed=1), {}), "need reports, .* nor records"),
    (lambda _: ds.census(-5), "owners: must be a whole number from 0 up"),
    (lambda _: ds.census("10"), "owners: must be a whole number from 0 up"),  # type: ignore[arg-type]
    (lambda _: ds.census(5, seed="x"), "seed: must be a whole number from 0 up"),  # type: ignore[arg-type]
    (lambda _: ds.simulate(PLAN, ds.census(5), seed=-1), "seed: must be a whole number from 0 up"),
    (lambda _: ds.Plan.of("plan.yaml"), "Plan.load reads a file"),
    (
        lambda _: ds.Device(PLAN).report(["car"], ds.Budget.of(PLAN, {"travel": 2})),  # type: ignore[arg-type]
        "must map attributes to values",
    ),
]


@pytest.mark.parametrize("call, message", CALLS)
def test_a_wrong_call_is_explained(
    call: Callable[[Any], object], message: str, reports: ReportTable
) -> None:
    with pytest.raises(DiscretionError, match=message):
        call(reports)


def test_records_in_the_place_of_reports_are_recognised(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("travel\ncar\n")
    with pytest.raises(
        DiscretionError, match="records, such as CSV, go into `discretion simulate`"
    ):
        ReportTable.read(path)
    path.write_bytes(b"PAR1 and then nothing")
    with pytest.raises(DiscretionError, match="must be a whole Parquet file"):
        ReportTable.read(path)


def test_only_what_is_alike_is_offered() -> None:
    assert meant("incme", ["income", "age"]) == " (did you mean 'income'?)"
    assert meant("shoes", ["income", "age"]) == meant(3, ["3"]) == ""
