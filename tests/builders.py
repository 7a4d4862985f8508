"""What the analyst's tests are made of: all mechanisms, unequal budgets, records with gaps."""

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.aggregate import Aggregate
from discretion.crowd import simulate
from discretion.family.counts import Tally
from discretion.mechanism import SupportLaw
from discretion.plan import Plan
from discretion.randomness import ByteSource
from discretion.report import ID_BYTES
from discretion.table import ReportTable

Vector = npt.NDArray[np.float64]
Answers = Mapping[str, tuple[int, int]]  # by attribute: level and y; what is absent is not shared

MODE = {"name": "mode", "kind": "categorical", "values": ["car", "bus", "train", "bike", "walk"]}
PET = {"name": "pet", "kind": "categorical", "values": ["cat", "dog", "none"], "mechanism": "oue"}
HOURS = {"name": "hours", "kind": "numeric", "range": [0.3, 0.9], "step": 0.1, "mechanism": "grr"}
MOOD = {
    "name": "mood",
    "kind": "numeric",
    "range": [-1, 1],
    "step": 0.5,
    "bins": [-1, 0, 0.5, 1],
    "mechanism": "sue",
}
AVERAGE = {"average": 2.0, "least": 0.25, "most": 6.0}
TOTAL = {"total": 8.0, "spread": 1.5}
LEVELS = {"levels": [0.5, 1, 2, 4]}
BUNDLES = [["mode", "pet"], ["pet", "mood"]]
POLICIES = (AVERAGE, TOTAL, LEVELS)


def author(**changes: Any) -> dict[str, Any]:
    """Return the survey as its author writes it: one attribute for each mechanism."""
    attributes = [MODE, PET, HOURS, MOOD]
    return {"name": "survey", "attributes": attributes, "budget": AVERAGE, **changes}


@cache
def survey() -> Plan:
    return Plan.of(author())


@cache
def bundled_survey() -> Plan:
    """The survey with two bundles that overlap."""
    return Plan.of(author(bundles=BUNDLES))


@cache
def secret_survey() -> Plan:
    attributes = [{**question, "mechanism": "oue"} for question in (MODE, PET, MOOD)]
    return Plan.of(author(attributes=attributes, allocation="secret"))


def question(mechanism: str, size: int, levels: Sequence[float], allocation: str) -> Plan:
    """Return a plan that asks for ``x``, and for ``z`` so that there is something to leave out."""
    x = {"name": "x", "kind": "categorical", "values": list(range(size)), "mechanism": mechanism}
    z = {"name": "z", "kind": "categorical", "values": ["yes", "no"], "mechanism": mechanism}
    whole = {"attributes": [x, z], "budget": {"levels": list(levels)}, "allocation": allocation}
    return Plan.of(author(**whole))


def disclosed(mechanism: str, size: int, levels: Sequence[float] = (0.5, 1.5, 3)) -> Plan:
    return question(mechanism, size, levels, "disclosed")


def secret(size: int, levels: Sequence[float] = (0.5, 1.5, 3)) -> Plan:
    return question("oue", size, levels, "secret")


def owners(n: int, seed: int, missing: float = 0.15) -> pa.Table:
    """Return true records of the survey, each value missing with some probability."""
    rng = np.random.default_rng(seed)
    columns = {
        "mode": rng.choice(["car", "bus", "train", "bike", "walk"], n, p=[0.4, 0.2, 0.2, 0.1, 0.1]),
        "pet": rng.choice(["cat", "dog", "none"], n, p=[0.2, 0.3, 0.5]),
        "hours": rng.uniform(0.3, 0.9, n),
        "mood": rng.uniform(-1, 1, n),
    }
    return pa.table({k: pa.array(v, mask=rng.random(n) < missing) for k, v in columns.items()})


def crowd(plan: Plan, n: int, seed: int) -> ReportTable:
    """Return reports with personal budgets and partial records."""
    return simulate(plan, owners(n, seed), budgets="dirichlet", share=0.8, seed=seed)


def answered(
    plan: Plan, codes: npt.ArrayLike, seed: int, budgets: object = "levels", missing: float = 0.1
) -> ReportTable:
    """Return reports about ``x`` with these codes; some owners lack it, some lack ``z``."""
    rng = np.random.default_rng(seed)
    x = np.asarray(codes)
    z = rng.choice(["yes", "no"], len(x))
    gone = rng.random((2, len(x))) < missing
    records = {"x": pa.array(x, mask=gone[0]), "z": pa.array(z, mask=gone[1])}
    return simulate(plan, records, budgets=budgets, seed=seed)


def table_of(plan: Plan, rows: Sequence[Answers], round: int = 0) -> ReportTable:
    """Return a table with exactly these answers."""
    ids = [i.to_bytes(ID_BYTES, "big") for i in range(len(rows))]
    data: dict[str, Any] = {
        "id": pa.array(ids, pa.binary(ID_BYTES)),
        "round": pa.array([round] * len(rows), pa.int32()),
    }
    for name in plan.names:
        width = plan.questions[name].n_bytes
        answers = [row.get(name) for row in rows]
        if not plan.secret:
            data[f"{name}.level"] = pa.array([a and a[0] for a in answers], pa.int32())
        y = [a and a[1].to_bytes(width, "little") for a in answers]
        data[f"{name}.y"] = pa.array(y, pa.binary(width))
    return ReportTable(plan, pa.table(data))


def drawn(plan: Plan, rows: Iterable[Mapping[str, tuple[int, int]]], seed: int) -> ReportTable:
    """Return the reports of owners with these levels and codes by attribute."""
    source = ByteSource(random.Random(seed).randbytes)
    return table_of(
        plan,
        [
            {
                name: (level, plan.questions[name].law(level).perturb(code, source))
                for name, (level, code) in row.items()
            }
            for row in rows
        ],
    )


def bits(support: int, size: int) -> Vector:
    """Return a bit set as a vector of zeros and ones."""
    return np.array([support >> code & 1 for code in range(size)], np.float64)


def tally_of(law: SupportLaw, ys: Sequence[int]) -> Tally:
    """Count reports one at a time, as the law itself reads them."""
    supports, sizes = np.zeros(law.size, np.int64), np.zeros(law.size + 1, np.int64)
    for y in ys:
        supports += bits(law.support(y), law.size).astype(np.int64)
        sizes[law.support(y).bit_count()] += 1
    return Tally(len(ys), supports, sizes)


def aggregate_of(plan: Plan, tallies: Mapping[int, Any], others: int = 0) -> Aggregate:
    """Return the aggregate of reports about ``x``, and of so many others that leave it out."""
    n = sum(int(tally.n) for tally in tallies.values())
    return Aggregate(plan, 0, n + others, {"x": dict(tallies)})
