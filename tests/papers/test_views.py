"""The study of views: its methods know what is easily known, and its bars and page are whole."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from papers.page import summary, write
from papers.study import Effort, Findings, distance, measure
from papers.views.boxes import PLACES, SIDE, Crowd, counts_of, granularity, hdg, inside
from papers.views.designs import DRAWN, OURS, PUBLISHED, SPLIT, answers
from papers.views.hadamard import hadamard
from papers.views.locop import copula_table
from papers.views.people import Law
from papers.views.study import DESIGNS, Views, trial
from tests.cases import for_each

CERTAIN = 16.0  # an epsilon at which hardly anything is random


def test_with_hardly_any_noise_every_design_finds_the_tables() -> None:
    """But LoCop, whose copula is a model, and the product of margins."""
    law, pairs = Law.drawn(3, 4, 1), [(0, 1), (1, 2)]
    codes = law.crowd(20_000, np.random.default_rng(2))
    found = dict(answers(law, codes, 20.0, pairs, 3))
    assert {*found} == {*DESIGNS}
    for name in (OURS, SPLIT, *DRAWN, *PUBLISHED):
        errors = [distance(found[name].tables[p], law.pair(*p)) for p in pairs]
        assert max(errors) < 0.06 or name == "LoCop", (name, errors)


def test_hadamard_coefficients_are_unbiased() -> None:
    """Over many crowds the mean of the tables before they are moved is near; here at 3 values."""
    law = Law.drawn(3, 4, 2)
    rng = np.random.default_rng(4)
    codes = law.crowd(200_000, rng)
    tables = hadamard(codes, law.sizes, CERTAIN, [*combinations(range(4), 2)], rng)
    for pair, table in tables.items():
        assert distance(table, law.pair(*pair)) < 0.05
        assert table.sum() == pytest.approx(1)


def test_a_copula_has_the_margins_and_the_side_of_the_dependence() -> None:
    product = np.outer([0.2, 0.5, 0.3], [0.6, 0.4])
    np.testing.assert_allclose(copula_table(product), product, atol=1e-4)
    rising = product + np.array([[0.08, -0.08], [0, 0], [-0.08, 0.08]])
    found = copula_table(rising)
    np.testing.assert_allclose(found.sum(axis=1), product.sum(axis=1), atol=1e-4)
    assert found[0, 0] > product[0, 0]
    assert found[2, 1] > product[2, 1]


@for_each("place", PLACES)
def test_with_hardly_any_noise_hdg_finds_the_boxes(place: str) -> None:
    rng = np.random.default_rng(5)
    crowd = Crowd.of(place, 30_000, rng)
    assert counts_of(crowd.codes).sum() == 30_000
    found = inside(hdg(crowd.codes, CERTAIN, rng), crowd.boxes)
    assert np.mean((found - crowd.truth) ** 2) < 1e-4
    assert granularity(100_000, 1.0) == (16, 4)
    assert granularity(100_000, CERTAIN)[0] == SIDE


def test_the_study_measures_checks_and_writes_a_page(tmp_path: Path) -> None:
    study = Views(1, 0, ((3, 4),), 3_000, 2, ("skewed",))
    found: Findings = measure(study.steps({}), workers=1)
    assert found.mean("tv", 3, 4, 1.0, OURS) > 0
    assert 0.5 < found.mean("boxes covered", "skewed", 2.0, "cells") <= 1
    page = write(study, found, tmp_path).read_text(encoding="utf-8")
    assert "| Hadamard |" in page
    assert "| HDG |" in page
    assert "bars" in summary(list(study.checks(found)))
    assert Views.of(Effort(quick=True)).crowds == 0
    keys = [key for key, _ in trial(("a",), Law.drawn(2, 4, 1), 4.0, 500, 1, 1)]
    assert ("covered", "a", 4.0, OURS) in keys
