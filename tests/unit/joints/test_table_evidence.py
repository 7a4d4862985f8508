"""Reports grouped by the questions they answer: nobody is lost, and everybody keeps her answer."""

import numpy as np
import pyarrow as pa
import pytest

from discretion.errors import EstimateError
from discretion.family.sets.folded import FoldedPart
from discretion.family.sets.part import SetPart
from discretion.joints.table_evidence import Evidence
from discretion.mechanism import SupportLaw
from discretion.plan import Family, Plan
from discretion.table import ReportTable
from tests.builders import bits, table_of
from tests.unit.joints.crowds import crowd, dependent, plan_of

SIZES = (3, 4, 2)
MIXED = plan_of(SIZES, ("grr", "oue", "sue"))
BUNDLED = plan_of(SIZES, "subset", bundles=[["b", "a"]])


def reports_of(plan: Plan, n: int = 300, seed: int = 1) -> ReportTable:
    return crowd(plan, dependent(SIZES), n, seed, missing=0.3)


def answers(evidence: Evidence) -> list[dict[str, tuple[SupportLaw, list[int]]]]:
    """Return by question the law and the codes held of every report, group by group."""
    found = []
    for group in evidence.groups:
        for i in range(len(group)):
            own = {}
            for part in group.parts:
                assert isinstance(part, SetPart | FoldedPart)
                held = part.bits if isinstance(part, SetPart) else part.counts
                own[part.name] = (part.laws[part.which[i]], held[i].tolist())
            found.append(own)
    return found


@pytest.mark.parametrize("plan", [MIXED, BUNDLED], ids=["alone", "bundled"])
@pytest.mark.parametrize("names", [("a", "b"), ("c", "a"), ("b", "c", "a")], ids=",".join)
def test_every_answer_about_the_attributes_is_kept_as_it_is(
    plan: Plan, names: tuple[str, ...]
) -> None:
    reports = reports_of(plan)
    expected = []
    for row in sorted(reports.data.to_pylist(), key=lambda row: row["id"]):
        own = {}
        for question in plan.names:
            y, level = row[f"{question}.y"], row[f"{question}.level"]
            parts = plan.questions[question].parts
            if y is not None and set(parts) & set(names):
                law = plan.questions[question].law(level, Family.SETS)
                held = bits(law.support(int.from_bytes(y, "little")), law.size).astype(int)
                cells = held.reshape([plan.questions[part].attribute.size for part in parts])
                rest = tuple(i for i, part in enumerate(parts) if part not in names)
                own[question] = (law, cells.sum(axis=rest).ravel().tolist())
        expected.append(own)
    found = answers(Evidence.of(reports, names))
    assert sorted(map(repr, found)) == sorted(map(repr, filter(None, expected)))


def test_a_group_has_one_set_of_questions_and_its_axes() -> None:
    evidence = Evidence.of(reports_of(BUNDLED), ("a", "b", "c"))
    seen = {tuple(part.name for part in group.sets): group for group in evidence.groups}
    assert len(seen) == len(evidence.groups)
    assert set(seen) == {("a",), ("b",), ("c",), ("a", "c"), ("b", "c"), ("b+a",), ("c", "b+a")}
    bundle = seen["c", "b+a"]
    assert bundle.axes == (2, 1, 0)
    assert bundle.parts[1].sizes == (4, 3)
    assert bundle.parts[1].size == 12


@pytest.mark.parametrize("plan", [MIXED, BUNDLED], ids=["alone", "bundled"])
def test_holding_counts_reports_that_answer_about_all_of_the_axes(plan: Plan) -> None:
    reports, names = reports_of(plan), ("c", "a", "b")
    evidence = Evidence.of(reports, names)
    rows = reports.data.to_pylist()
    reported = [
        {part for q in plan.names if row[f"{q}.y"] is not None for part in plan.questions[q].parts}
        for row in rows
    ]
    for axes in [(0,), (1,), (0, 1), (1, 2), (2, 1, 0)]:
        assert evidence.holding(axes) == sum({names[a] for a in axes} <= own for own in reported)
    assert evidence.n == len(rows)


def test_how_much_an_owner_shared_includes_what_is_not_asked_about() -> None:
    rows = [
        {"a": (250, 0), "b": (500, 3), "c": (2000, 1)},
        {"a": (3000, 2)},
        {"b": (250, 1), "c": (250, 2)},
    ]
    evidence = Evidence.of(table_of(MIXED, rows), ("a", "b"))
    shared = {tuple(p.name for p in g.parts): g.shared.tolist() for g in evidence.groups}
    assert shared == {("a", "b"): [3], ("a",): [1], ("b",): [2]}


def test_a_bundle_counts_as_all_its_attributes() -> None:
    rows = [{"b+a": (500, 0b11), "c": (250, 1)}, {"b+a": (1000, 0b111)}, {"c": (250, 1)}]
    evidence = Evidence.of(table_of(BUNDLED, rows), ("a", "b", "c"))
    shared = {tuple(p.name for p in g.parts): g.shared.tolist() for g in evidence.groups}
    assert shared == {("c", "b+a"): [3], ("b+a",): [2], ("c",): [1]}


def test_rows_come_in_the_order_of_their_random_ids() -> None:
    reports = reports_of(MIXED)
    order = np.argsort([row["id"][:8][::-1] for row in reports.data.to_pylist()])  # little endian
    level = np.array(reports.data["a.level"].fill_null(0))[order]
    alone = [row["b.y"] is None and row["c.y"] is None for row in reports.data.to_pylist()]
    group = next(
        g
        for g in Evidence.of(reports, ("a", "b", "c")).groups
        if [part.name for part in g.parts] == ["a"]
    )
    mine = [v for v, only in zip(level, np.array(alone)[order], strict=True) if only and v]
    (part,) = group.sets
    assert [part.laws[i] for i in part.which] == [
        MIXED.questions["a"].law(v, Family.SETS) for v in mine
    ]


def test_the_first_level_of_the_menu_stands_for_secret_ones() -> None:
    plan = plan_of(SIZES, "oue", secret=True)
    for group in Evidence.of(reports_of(plan), ("a", "c")).groups:
        for part in group.sets:
            assert part.laws == (
                plan.questions[part.name].law(plan.questions[part.name].menu[0], Family.SETS),
            )


def test_laws_and_ones_by_hand() -> None:
    rows = [{"b": (500, 0b1011)}, {"b": (250, 0)}, {"b": (500, 0b1111)}]
    (group,) = Evidence.of(table_of(MIXED, rows), ("b",)).groups
    (part,) = group.sets
    assert part.laws == (
        MIXED.questions["b"].law(250, Family.SETS),
        MIXED.questions["b"].law(500, Family.SETS),
    )
    assert part.which.tolist() == [1, 0, 1]
    assert part.ones.tolist() == [3, 0, 4]


def test_rounds_are_not_mixed() -> None:
    one, other = (table_of(MIXED, [{"a": (250, 0), "b": (250, 1)}], round=r) for r in (0, 3))
    both = ReportTable(MIXED, pa.concat_tables([one.data, other.data]))
    with pytest.raises(EstimateError, match=r"one round, got 0, 3: use of_round\(\)"):
        Evidence.of(both, ("a", "b"))


def test_an_attribute_that_nobody_shared_is_named() -> None:
    rows = [{"a": (250, 0), "c": (250, 1)}]
    with pytest.raises(EstimateError, match="nobody shared 'b'"):
        Evidence.of(table_of(MIXED, rows), ("a", "b"))
