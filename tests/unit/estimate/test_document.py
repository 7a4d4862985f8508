"""Estimates for machines: what commands print is what servers send, and JSON can write it."""

import json
from math import inf, nan

import numpy as np

from discretion.crowd import simulate
from discretion.estimate.documents import finite
from discretion.labels import frequencies
from discretion.plan import Plan
from tests.builders import answered, disclosed


def test_what_json_cannot_write_is_none_however_deep() -> None:
    given = {"a": [1.5, nan, {"b": inf}], "c": -inf, "d": "nan", "e": 3, "f": None, "g": True}
    expected = {"a": [1.5, None, {"b": None}], "c": None, "d": "nan", "e": 3, "f": None, "g": True}
    assert finite(given) == expected


def test_frequencies_have_a_row_a_label() -> None:
    estimate = frequencies(answered(disclosed("grr", 3), np.arange(300) % 3, seed=1), "x")
    found = json.loads(json.dumps(estimate.document(), allow_nan=False))
    assert list(found) == [
        "attribute",
        "method",
        "target",
        "reports",
        "effective_n",
        "homogeneity_p",
        "frequencies",
    ]
    assert found["effective_n"] == estimate.effective_n
    rows = found["frequencies"]
    assert [row["label"] for row in rows] == ["0", "1", "2"]
    assert [row["value"] for row in rows] == estimate.value.tolist()
    assert list(rows[0]) == ["label", "value", "stderr", "low", "high"]


def test_an_attribute_named_like_a_column_has_its_labels_under_label() -> None:
    value = {"name": "value", "kind": "categorical", "values": ["a", "b"], "mechanism": "grr"}
    plan = Plan.of({"name": "v", "attributes": [value], "budget": {"levels": [1]}})
    reports = simulate(plan, {"value": ["a", "b"] * 50}, budgets="levels", seed=1)
    rows = frequencies(reports, "value").document()["frequencies"]
    assert [row["label"] for row in rows] == ["a", "b"]
