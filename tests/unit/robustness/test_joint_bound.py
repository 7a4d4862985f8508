"""The margin of cells is what the worst report does: by trying all, at all levels."""

import itertools

import numpy as np
import pytest

from discretion.errors import EstimateError
from discretion.joints import joint
from discretion.plan import Family, Plan
from discretion.robustness.joint_bound import joint_margin
from tests.builders import Answers, drawn, secret, table_of
from tests.mechanisms import LISTED

EXACT = 1e-9


def plan_of(one: str, other: str, **changes: object) -> Plan:
    a = {"name": "a", "kind": "categorical", "values": ["p", "q", "r"], "mechanism": one}
    b = {"name": "b", "kind": "categorical", "values": ["s", "t"], "mechanism": other}
    budget = {"levels": [0.5, 1.5, 3]}
    return Plan.of({"name": "m", "attributes": [a, b], "budget": budget, **changes})


def answers(plan: Plan, n: int, lacking: float = 0.3) -> list[Answers]:
    """Return reports at two levels of each; some owners have one of the attributes only."""
    rng = np.random.default_rng(1)
    rows = []
    for _ in range(n):
        x = int(rng.choice(3, p=[0.6, 0.3, 0.1]))
        row = {"a": (int(rng.choice([500, 3000])), x), "b": (int(rng.choice([500, 1500])), x % 2)}
        if rng.random() < lacking:
            del row["a" if rng.random() < 0.5 else "b"]
        rows.append(row)
    data = drawn(plan, rows, seed=2).to_frame().to_pylist()
    return [
        {
            name: (row[f"{name}.level"], int.from_bytes(row[f"{name}.y"], "little"))
            for name in ("a", "b")
            if row[f"{name}.level"] is not None
        }
        for row in data
    ]


@pytest.mark.parametrize("others", [0, 100])
@pytest.mark.parametrize("one, other", [("grr", "oue"), ("sue", "grr"), ("oue", "subset")])
def test_no_report_does_more_and_one_does_as_much(one: str, other: str, others: int) -> None:
    """A quarter of all reports is replaced, by every report that holds both attributes or one."""
    plan = plan_of(one, other)
    rows: list[Answers] = [*answers(plan, 12), *({} for _ in range(others))]
    before = joint(table_of(plan, rows), ["a", "b"], "tensor").value
    ends = [
        [
            {},
            *(
                {n: (v, y)}
                for v in plan.questions[n].menu
                for y in plan.questions[n].law(v, Family.SETS).outputs()
            ),
        ]
        for n in ("a", "b")
    ]
    changes = []
    for a, b in itertools.product(*ends):
        lies: list[Answers] = [{**a, **b}] * len(rows)
        changes.append(joint(table_of(plan, rows * 3 + lies), ["a", "b"], "tensor").value)
    moved = np.array(changes) - before
    found = joint_margin(table_of(plan, rows), ["a", "b"], 0.25)
    np.testing.assert_allclose(found.up, moved.max(axis=0).ravel(), atol=EXACT)
    np.testing.assert_allclose(found.down, moved.min(axis=0).ravel(), atol=EXACT)
    assert found.what[:3] == ("p, s", "p, t", "q, s")
    assert found.basis == "one level"


def test_a_report_that_leaves_an_attribute_out_may_do_more() -> None:
    """Nobody has q and t: false reports of both do not lower the cell, and p alone does."""
    plan = plan_of("grr", "grr", budget={"levels": [12]})
    both: Answers = {"a": (12000, 1), "b": (12000, 0)}
    rows: list[Answers] = [*[both] * 9, {"a": (12000, 0)}]
    found = joint_margin(table_of(plan, rows), ["a", "b"], 0.1)
    lies: list[Answers] = [{"a": (12000, 0)}] * 10
    values = [
        joint(table_of(plan, each), ["a", "b"], "tensor").value for each in (rows, 9 * rows + lies)
    ]
    assert found.down[3] <= (values[1] - values[0])[1, 1] < -0.03


@pytest.mark.parametrize("mechanism", LISTED)
def test_cells_of_a_table_move_further_than_its_margins(mechanism: str) -> None:
    plan = plan_of(mechanism, mechanism)
    reports = table_of(plan, answers(plan, 200))
    found = joint_margin(reports, ["a", "b"])
    assert found.attribute == "a, b"
    assert found.value.shape == (6,)
    assert 1000 <= found.level <= 6000
    assert joint_margin(reports, ["a", "b"], 0.01).value.max() < found.value.max()


def test_what_has_no_margin_is_refused() -> None:
    reports = table_of(plan_of("grr", "grr"), answers(plan_of("grr", "grr"), 20))
    with pytest.raises(EstimateError, match="name two different attributes"):
        joint_margin(reports, ["a", "a"])
    with pytest.raises(EstimateError, match="share must lie between 0 and 1"):
        joint_margin(reports, ["a", "b"], 1)
    with pytest.raises(EstimateError, match="at disclosed levels"):
        joint_margin(table_of(secret(3), [{"x": (0, 1), "z": (0, 1)}]), ["x", "z"])
    alone = table_of(reports.plan, [{"a": (500, 0)}, {"b": (500, 1)}])
    with pytest.raises(EstimateError, match="nobody shared both 'a' and 'b'"):
        joint_margin(alone, ["a", "b"])
