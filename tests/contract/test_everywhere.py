"""A table, a folder, a Dask cluster and a server give the same answers."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.plan import Plan
from discretion.table import ReportFolder, ReportTable
from tests.clusters import cluster
from tests.collector.crowds import reports_of, send_all
from tests.collector.serving import Server
from tests.folders import in_folder

OWNERS, SEED, SHARD = 3_000, 5, 800
AGES, MODES = ["young", "middle", "old"], ["car", "bus", "bike", "walk"]
PLAN = Plan.of(
    {
        "name": "everywhere",
        "attributes": [
            {"name": "age", "kind": "categorical", "values": AGES},
            {"name": "mode", "kind": "categorical", "values": MODES},
            {"name": "pay", "kind": "numeric", "range": [0, 100], "step": 1},
            {"name": "km", "kind": "numeric", "range": [0, 40], "step": 1, "bins": [0, 5, 15, 40]},
            {"name": "word", "kind": "text", "mechanism": "hcms"},
        ],
        "budget": {"levels": [1, 2, 4, 6]},
    }
)
MARGINS = {"age": {"young": 0.4, "middle": 0.35, "old": 0.25}}
BINS = {"pay": [0, 30, 60, 100]}
WORDS = ["tram", "rain"]
EXACT = ("value", "row", "column", "total")
ROUNDED = 1e-4  # maxima end where nothing is left to be gained that anybody would see
PARTS, PARTS_OF_SHARE = 0.2, 0.01  # four standard errors of what 256 parts say
Ask = Callable[[Any], Any]


def crowd(seed: int) -> ReportTable:
    """Return reports of people whose answers depend on each other, some of which lack."""
    rng = np.random.default_rng(seed)
    age = rng.choice(3, OWNERS, p=[0.2, 0.3, 0.5])
    mode = (age + rng.choice(4, OWNERS, p=[0.5, 0.2, 0.2, 0.1])) % 4
    columns: dict[str, Any] = {
        "age": np.array(AGES)[age],
        "mode": np.array(MODES)[mode],
        "pay": np.clip(rng.normal(30 + 15 * age, 12), 0, 100).round(),
        "km": rng.integers(0, 40, OWNERS),
        "word": rng.choice([*WORDS, "fog"], OWNERS),
    }
    records = {name: pa.array(own, mask=rng.random(OWNERS) < 0.1) for name, own in columns.items()}
    return ds.simulate(PLAN, records, budgets="levels", seed=seed)


@cache
def later() -> ReportTable:
    """Return reports of other people in the next round."""
    data = crowd(SEED + 1).data
    rounds = pa.array(np.ones(len(data), np.int32))
    return ReportTable(PLAN, data.set_column(data.column_names.index("round"), "round", rounds))


@dataclass(frozen=True)
class Asked:
    """A question in Python, and the same over HTTP."""

    ask: Ask
    path: str
    parameters: Mapping[str, Any]


def weighted(function: Callable[..., Any], *names: Any, **more: Any) -> Ask:
    return lambda data: function(data, *names, weights=ds.calibrate(data, MARGINS), **more)


def plainly(function: Callable[..., Any], *names: Any, **more: Any) -> Ask:
    return lambda data: function(data, *names, **more)


KNOWN = {"calibrate": json.dumps(MARGINS)}
ROUNDS = {"round": 0, "other_round": 1, "different_owners": "true"}
EDGES = {"bins": "pay=0,30,60,100"}
SHARES = [0.4, 0.3, 0.2, 0.1]
QUESTIONS = {
    "frequencies": Asked(
        plainly(ds.frequencies, "mode", "weighted"), "frequencies", {"attribute": "mode"}
    ),
    "by": Asked(
        plainly(ds.frequencies, "mode", by="age"), "frequencies", {"attribute": "mode", "by": "age"}
    ),
    "given": Asked(
        plainly(ds.frequencies, "mode", given={"age": "old"}),
        "frequencies",
        {"attribute": "mode", "given": "age=old"},
    ),
    "by a number": Asked(
        plainly(ds.frequencies, "mode", by="pay", bins=BINS),
        "frequencies",
        {"attribute": "mode", "by": "pay", **EDGES},
    ),
    "by a number without bins": Asked(
        plainly(ds.frequencies, "mode", by="pay"), "frequencies", {"attribute": "mode", "by": "pay"}
    ),
    "texts by": Asked(
        plainly(ds.frequencies, "word", candidates=WORDS, by="age"),
        "frequencies",
        {"attribute": "word", "candidates": WORDS, "by": "age"},
    ),
    "mean": Asked(plainly(ds.mean, "pay"), "means", {"attribute": "pay"}),
    "mean by": Asked(plainly(ds.mean, "pay", by="age"), "means", {"attribute": "pay", "by": "age"}),
    "quantiles": Asked(
        plainly(ds.quantiles, "pay", [0.25, 0.5]),
        "quantiles",
        {"attribute": "pay", "at": [0.25, 0.5]},
    ),
    "quantiles by": Asked(
        plainly(ds.quantiles, "pay", [0.25, 0.5], by="age"),
        "quantiles",
        {"attribute": "pay", "at": [0.25, 0.5], "by": "age"},
    ),
    "binned": Asked(plainly(ds.binned, "km", method="weighted"), "binned", {"attribute": "km"}),
    "joint": Asked(plainly(ds.joint, ["age", "pay"]), "joints", {"attributes": ["age", "pay"]}),
    "joint with bins": Asked(
        plainly(ds.joint, ["age", "pay"], bins=BINS),
        "joints",
        {"attributes": ["age", "pay"], **EDGES},
    ),
    "fits": Asked(
        plainly(ds.fits, "mode", SHARES), "fits", {"attribute": "mode", "shares": SHARES}
    ),
    "compare": Asked(
        lambda data: ds.compare(data, later(), "mode", different_owners=True),
        "comparisons",
        {"attribute": "mode", **ROUNDS},
    ),
    "compare means": Asked(
        lambda data: ds.compare(data, later(), "pay", different_owners=True),
        "comparisons",
        {"attribute": "pay", **ROUNDS},
    ),
    "change": Asked(
        lambda data: ds.change([data, later()], "mode", 0, 1),
        "changes",
        {"attribute": "mode", "later": 1},
    ),
    "series": Asked(lambda data: ds.series([data, later()], "pay"), "series", {"attribute": "pay"}),
    "weighted frequencies": Asked(
        weighted(ds.frequencies, "mode"), "frequencies", {"attribute": "mode", **KNOWN}
    ),
    "weighted mean": Asked(weighted(ds.mean, "pay"), "means", {"attribute": "pay", **KNOWN}),
    "weighted joint": Asked(
        weighted(ds.joint, ["mode", "age"]), "joints", {"attributes": ["mode", "age"], **KNOWN}
    ),
    "weighted by": Asked(
        weighted(ds.frequencies, "mode", by="km"),
        "frequencies",
        {"attribute": "mode", "by": "km", **KNOWN},
    ),
    "weighted joint with bins": Asked(
        weighted(ds.joint, ["mode", "pay"], bins=BINS),
        "joints",
        {"attributes": ["mode", "pay"], **EDGES, **KNOWN},
    ),
    "weighted cdf": Asked(
        weighted(ds.cdf, "pay", [40]), "cdf", {"attribute": "pay", "points": 40, **KNOWN}
    ),
    "weighted histogram": Asked(
        weighted(ds.histogram, "pay", 2), "histograms", {"attribute": "pay", "bins": 2, **KNOWN}
    ),
    "weighted quantiles": Asked(
        weighted(ds.quantiles, "pay", [0.5]), "quantiles", {"attribute": "pay", "at": 0.5, **KNOWN}
    ),
    "weighted fits": Asked(
        weighted(ds.fits, "mode", SHARES),
        "fits",
        {"attribute": "mode", "shares": SHARES, **KNOWN},
    ),
    "weighted compare": Asked(
        lambda data: ds.compare(
            data,
            later(),
            "mode",
            different_owners=True,
            weights=[ds.calibrate(each, MARGINS) for each in (data, later())],
        ),
        "comparisons",
        {"attribute": "mode", **ROUNDS, **KNOWN},
    ),
    "weighted mean by": Asked(
        weighted(ds.mean, "pay", by="mode"),
        "means",
        {"attribute": "pay", "by": "mode", **KNOWN},
    ),
}


@pytest.fixture(scope="module")
def table() -> ReportTable:
    return crowd(SEED)


@pytest.fixture(scope="module")
def folders(
    table: ReportTable, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[ReportFolder]]:
    """The same folder, read by threads of this process and by a cluster."""
    place = tmp_path_factory.mktemp("reports")
    with cluster() as client:
        plain = in_folder(table, place, SHARD)
        yield [plain, ReportFolder.open(str(place), engine=client)]


@pytest.fixture(scope="module")
def server(table: ReportTable, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server"), PLAN) as found:
        send_all(found, reports_of(table))
        assert found.post("/v1/rounds", b'{"round": 1}').status == 200
        send_all(found, reports_of(later()))
        yield found


def alike(one: Any, other: Any, where: str = "") -> None:
    """Compare documents: all of the first stands in the second.

    How uncertain moments are is estimated from random parts of the reports, which are others in a
    folder than in a table.
    """
    if isinstance(one, Mapping):
        for key, value in one.items():
            alike(value, other[key], f"{where}/{key}")
    elif isinstance(one, list | tuple):
        assert len(one) == len(other), where
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            alike(a, b, f"{where}/{i}")
    elif isinstance(one, float):
        exact = where.rpartition("/")[2] in EXACT
        relative, absolute = (ROUNDED, ROUNDED) if exact else (PARTS, PARTS_OF_SHARE)
        assert one == pytest.approx(other, rel=relative, abs=absolute), where
    else:
        assert one == other, where


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.filterwarnings("ignore::discretion.DependenceWarning")
def test_an_answer_is_the_same_everywhere(
    name: str, table: ReportTable, folders: list[ReportFolder], server: Server
) -> None:
    question = QUESTIONS[name]
    here = question.ask(table).document()
    for folder in folders:
        alike(here, question.ask(folder).document())
    reply = server.get(f"/v1/{question.path}?{urlencode(question.parameters, doseq=True)}")
    assert reply.status == 200, reply.body
    alike(json.loads(json.dumps(here)), reply.json())
