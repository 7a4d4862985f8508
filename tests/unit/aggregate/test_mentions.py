"""Texts of a set as yes or no: the exact law given a cohort, from tables, folders and counts."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import discretion as ds
from discretion.aggregate import Aggregate, including
from discretion.errors import EstimateError
from discretion.mechanism.cover import cover
from discretion.mechanism.holding import holding_law
from discretion.mechanism.matrix import WHOLE
from discretion.mechanism.sketch import bucket
from discretion.plan import Plan
from discretion.schema.text import fingerprint
from discretion.table import ReportFolder, ReportTable
from tests.cases import for_each

N = 40_000
SEED = 20261127
SURE = 5.0  # standard errors
ROUNDED = Fraction(1, 1 << 60)


@for_each("held", [0, 1, 2])
def test_a_text_nobody_has_is_held_as_often_as_its_cell_is_occupied(held: int) -> None:
    """Averaged over the cells that it may fall into, for every report of sets of these cells."""
    law = cover(5, 2, 1000)
    no, yes = holding_law(law, 1, occupied=Fraction(held, 5)).weights
    cells = (1 << held) - 1
    seen: Counter[tuple[bool, bool]] = Counter()
    for y, cell in product(law.outputs(), range(5)):
        own = bool(cells >> cell & 1)
        seen[own, bool(y >> cell & 1)] += law.probability(y, cells)  # type: ignore[assignment]
    mixed = (seen[True, True] + seen[False, True]) / 5
    assert abs(Fraction(no[1], WHOLE) - mixed) < ROUNDED
    assert held == 0 or abs(Fraction(yes[1], WHOLE) - seen[True, True] / held) < ROUNDED


def test_two_texts_are_occupied_independently() -> None:
    law, part = cover(6, 2, 1500), Fraction(1, 3)
    rows = holding_law(law, 2, occupied=part).weights
    exact = holding_law(law, 2).weights
    mixed = [(1 - part) * one + part * both for one, both in zip(exact[2], exact[3], strict=True)]
    assert all(abs(a - b) < 8 for a, b in zip(rows[2], mixed, strict=True))
    assert rows[3] == exact[3]


@cache
def phones() -> Plan:
    stated = {"cover": {"cells": 256, "cohorts": 32}}
    apps = {"name": "apps", "kind": "set", "items": "text", "length": [4, 3], "mechanism": stated}
    age = {"name": "age", "kind": "categorical", "values": ["young", "old"]}
    levels = {"levels": [0.5, 1, 2]}
    return Plan.of({"name": "phones", "attributes": [apps, age], "budget": levels})


@cache
def crowd() -> tuple[ReportTable, dict[str, np.ndarray]]:
    """Reports of owners with one to three texts, some of whom leave the set out, and the truth."""
    rng = np.random.default_rng(SEED)
    old = rng.random(N) < 0.4
    maps = rng.random(N) < np.where(old, 0.6, 0.2)
    chess = rng.random(N) < np.where(maps, 0.6, 0.1)
    others = rng.integers(0, 2000, N)
    rows = [
        ["maps"] * m + ["chess"] * c + [f"app {o}"]
        for m, c, o in zip(maps.tolist(), chess.tolist(), others.tolist(), strict=True)
    ]
    apps = [None if i % 10 == 0 else own for i, own in enumerate(rows)]
    frame = {"apps": apps, "age": np.where(old, "old", "young").tolist()}
    reports = ds.simulate(phones(), frame, budgets="levels", ranges="menu", seed=SEED + 1)
    return reports, {"maps": maps, "chess": chess, "old": old}


def near(value: float, truth: float, stderr: float) -> bool:
    return abs(value - truth) < SURE * stderr


def test_a_text_stands_in_tables_groups_and_tests() -> None:
    reports, truth = crowd()
    table = ds.joint(reports, ["apps:maps", "age"], method="mle")
    both = (truth["maps"] & truth["old"]).mean()
    assert near(table.value[1, 1], both, table.stderr[1, 1])
    assert not near(table.value[1, 1], truth["maps"].mean() * truth["old"].mean(), 0.012)
    groups = ds.frequencies(reports, "age", by="apps:maps")
    assert near(
        groups.rows.value[1, 1], truth["old"][truth["maps"]].mean(), groups.rows.stderr[1, 1]
    )
    assert ds.dependence(reports, ["apps:maps", "age"]).pairs[0].p < 1e-4
    unknown = ds.joint(reports, ["apps:no such text", "age"], method="mle")
    assert unknown.value[1].sum() < 0.02


def test_two_texts_of_a_set_come_from_one_report() -> None:
    reports, truth = crowd()
    both = ds.joint(reports, ["apps:maps", "apps:chess"], method="tensor")
    assert near(both.value[1, 1], (truth["maps"] & truth["chess"]).mean(), both.stderr[1, 1])
    assert both.stderr[1, 1] < 0.1


def test_reports_of_a_cohort_that_puts_two_texts_in_one_cell_are_left_out() -> None:
    reports, _ = crowd()
    first = fingerprint("maps")
    other = next(
        text
        for text in (f"word {i}" for i in range(1000))
        if bucket(5, fingerprint(text), 256) == bucket(5, first, 256)
    )
    pair = including(reports, ["apps:maps", f"apps:{other}"])
    name = f"apps:maps+apps:{other}"
    codes = [[bucket(c, fingerprint(t), 256) for c in range(32)] for t in ("maps", other)]
    alike = sum(a == b for a, b in zip(*codes, strict=True))
    said = reports.data["apps.y"].null_count
    left = pair.data[f"{name}.y"].null_count - said
    assert alike >= 1
    assert 0.5 < left / (alike / 32 * (N - said)) < 1.5


def test_tables_folders_and_counts_agree(tmp_path: Path) -> None:
    reports, truth = crowd()
    folder = ReportFolder.write(tmp_path, [reports])
    found = ds.frequencies(reports, "apps:maps", "weighted")
    assert near(found.value[1], truth["maps"].mean(), found.stderr[1])
    assert found.cut is not None
    for data in (folder, Aggregate.of(reports)):
        again = ds.frequencies(data, "apps:maps", "weighted")
        np.testing.assert_allclose(again.value, found.value, atol=1e-12)
    named = ds.frequencies(reports, "apps", "weighted", candidates=["maps"])
    np.testing.assert_allclose(found.value[1], named.value[0], atol=0.01)
    table = ds.joint(folder, ["apps:maps", "age"], method="mle")
    here = ds.joint(reports, ["apps:maps", "age"], method="mle")
    np.testing.assert_allclose(table.value, here.value, atol=1e-3)


def test_no_text_and_counts_of_two_are_refused() -> None:
    reports, _ = crowd()
    with pytest.raises(EstimateError, match="has no '' among its items"):
        ds.joint(reports, ["apps:", "age"])
    with pytest.raises(EstimateError, match="needs the reports about 'apps', not counts"):
        including(Aggregate.of(reports), ["apps:maps", "apps:chess"])
