"""Aggregates are exact counts, and a commutative monoid under merge."""

import json
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discretion.aggregate import Aggregate
from discretion.errors import MergeMismatch, TableError, UnknownAttribute
from discretion.family.counts import Tally
from discretion.plan import Family, Plan
from discretion.table import ReportTable
from tests.builders import author, crowd, secret_survey, survey, table_of, tally_of
from tests.cases import for_each

PLANS = {"disclosed": survey(), "secret": secret_survey()}
CROWDS = {name: crowd(plan, 60, seed=41) for name, plan in PLANS.items()}
shards = st.lists(st.integers(0, 49), max_size=30)


def part(name: str, rows: list[int]) -> ReportTable:
    return ReportTable(PLANS[name], CROWDS[name].data.take(pa.array(rows, pa.int64())))


def collect(name: str, rows: list[int]) -> Aggregate:
    return Aggregate.of(part(name, rows))


@pytest.mark.parametrize("name", PLANS)
@given(a=shards, b=shards, c=shards)
def test_merge_is_a_commutative_monoid_that_agrees_with_counting_together(
    name: str, a: list[int], b: list[int], c: list[int]
) -> None:
    A, B, C, whole = (collect(name, rows) for rows in (a, b, c, a + b + c))
    assert A.merge(B).merge(C).to_json() == whole.to_json() == C.merge(B.merge(A)).to_json()
    zero = Aggregate(PLANS[name])
    assert zero.merge(A).to_json() == A.to_json() == A.merge(zero).to_json()


@pytest.mark.parametrize("name", PLANS)
@given(a=shards, b=shards)
def test_adding_in_place_is_merging(name: str, a: list[int], b: list[int]) -> None:
    shard = Aggregate(PLANS[name])
    shard.add(part(name, a))
    shard.add(part(name, b))
    assert shard.to_json() == collect(name, a).merge(collect(name, b)).to_json()


@pytest.mark.parametrize("name", PLANS)
def test_merging_changes_neither_argument_and_shares_nothing_with_them(name: str) -> None:
    A, B = collect(name, [0, 1, 2]), collect(name, [3, 4])
    before = A.to_json(), B.to_json()
    merged = A.merge(B)
    merged.add(part(name, [5, 6, 7]))
    assert (A.to_json(), B.to_json()) == before


@pytest.mark.parametrize("name", PLANS)
@given(rows=shards)
def test_json_is_read_again(name: str, rows: list[int]) -> None:
    text = collect(name, rows).to_json()
    assert Aggregate.from_json(PLANS[name], text).to_json() == text


@pytest.mark.parametrize("name", PLANS)
def test_counts_are_those_of_the_law_one_report_at_a_time(name: str) -> None:
    plan, table = PLANS[name], CROWDS[name]
    aggregate = Aggregate.of(table)
    for attribute in plan.names:
        ys: dict[int, list[int]] = {}
        for row in table.data.to_pylist():
            if (y := row[f"{attribute}.y"]) is not None:
                level = 0 if plan.secret else row[f"{attribute}.level"]
                ys.setdefault(level, []).append(int.from_bytes(y, "little"))
        found = aggregate.counted(attribute)
        assert list(found) == sorted(ys)
        assert list(found) == [0] if plan.secret else len(found) > 3
        for level, tally in found.items():
            law = plan.questions[attribute].law(level or plan.policy.menu[0], Family.SETS)
            assert tally.document() == tally_of(law, ys[level]).document()


def test_the_text_is_short_and_has_the_plans_order() -> None:
    rows = [{"pet": (500, 0b101)}, {"pet": (500, 0), "hours": (3000, 6)}, {"hours": (3000, 5)}]
    table = table_of(survey(), rows)
    assert Aggregate.of(table).to_json() == (
        f'{{"format": 2, "plan": "{survey().id}", "round": 0, "reports": 3, "attributes": '
        '{"mode": {}, '
        '"pet": {"500": {"n": 2, "supports": [1, 0, 1], "sizes": [1, 0, 1, 0]}}, '
        '"hours": {"3000": {"n": 2, "supports": [0, 0, 0, 0, 0, 1, 1], '
        '"sizes": [0, 2, 0, 0, 0, 0, 0, 0]}}, '
        '"mood": {}}}'
    )


@pytest.mark.parametrize("name", PLANS)
@given(a=shards, b=shards)
def test_all_reports_are_counted_whatever_they_share(name: str, a: list[int], b: list[int]) -> None:
    whole = collect(name, a + b)
    assert whole.reports == len(a + b)
    assert collect(name, a).merge(collect(name, b)).reports == len(a + b)
    whole.remove(part(name, b))
    assert whole.reports == len(a)
    assert whole.to_json() == collect(name, a).to_json()


def test_reports_that_share_nothing_are_counted_as_well() -> None:
    aggregate = Aggregate.of(table_of(survey(), [{"pet": (500, 5)}, {}, {}]))
    assert (aggregate.reports, aggregate.counted("pet")[500].n) == (3, 1)
    assert Aggregate.from_json(survey(), aggregate.to_json()) == aggregate


def test_fewer_reports_than_are_about_an_attribute_are_refused_by_name() -> None:
    with pytest.raises(TableError, match="reports must be 2 at least, as many are about 'pet'"):
        Aggregate.from_json(survey(), spoilt(lambda whole, _: whole.update(reports=1)))


def test_an_empty_table_counts_nothing() -> None:
    aggregate = Aggregate.of(CROWDS["disclosed"].of_round(9))
    assert aggregate.to_json() == Aggregate(survey()).to_json()
    assert aggregate.counted("pet") == {}


def test_levels_of_an_unknown_attribute_are_refused() -> None:
    with pytest.raises(UnknownAttribute, match="no attribute 'shoe'"):
        collect("disclosed", [1]).counted("shoe")


def test_reports_of_another_plan_are_refused() -> None:
    other = Plan.of(author(name="another"))
    with pytest.raises(MergeMismatch, match=f"different plans: {survey().id} and {other.id}"):
        Aggregate(survey()).add(crowd(other, 5, seed=1))
    with pytest.raises(MergeMismatch, match=f"different plans: {survey().id} and {other.id}"):
        Aggregate(survey()).merge(Aggregate(other))


def test_another_round_is_refused() -> None:
    later = table_of(survey(), [{"mode": (2000, 1)}], round=2)
    assert Aggregate.of(later).round == 2
    with pytest.raises(MergeMismatch, match="different rounds: 0 and 2"):
        Aggregate(survey()).add(later)
    with pytest.raises(MergeMismatch, match="different rounds: 2 and 0"):
        Aggregate.of(later).merge(Aggregate(survey()))


def test_a_refused_addition_counts_nothing() -> None:
    aggregate = collect("disclosed", [1, 2])
    before = aggregate.to_json()
    with pytest.raises(MergeMismatch):
        aggregate.add(table_of(survey(), [{"mode": (2000, 1)}], round=2))
    assert aggregate.to_json() == before


def test_tallies_add_up_to_a_new_one() -> None:
    law = survey().questions["pet"].law(500, Family.SETS)
    one, other = tally_of(law, [0b101, 0b001]), tally_of(law, [0b111])
    assert (one + other).document() == tally_of(law, [0b101, 0b001, 0b111]).document()
    assert (one + Tally.zero(3)).document() == one.document()
    assert one.n == 2


Document = dict[str, Any]


def spoilt(change: Callable[[Document, Document], object]) -> str:
    """Return the JSON of two answers about ``pet`` after a change to it or to their tally."""
    whole = json.loads(Aggregate.of(table_of(survey(), [{"pet": (500, 5)}] * 2)).to_json())
    change(whole, whole["attributes"]["pet"]["500"])
    return json.dumps(whole)


def moved(whole: Document, level: str) -> None:
    whole["attributes"]["pet"] = {level: whole["attributes"]["pet"]["500"]}


MALFORMED: dict[str, Callable[[Document, Document], object]] = {
    "another format": lambda whole, _: whole.update(format=3),
    "the format that did not count all reports": lambda whole, _: (
        whole.update(format=1),
        whole.pop("reports"),
    ),
    "another plan": lambda whole, _: whole.update(plan="0" * 64),
    "no plan": lambda whole, _: whole.pop("plan"),
    "no round": lambda whole, _: whole.pop("round"),
    "no reports in all": lambda whole, _: whole.pop("reports"),
    "fewer reports in all": lambda whole, _: whole.update(reports=1),
    "negative reports in all": lambda whole, _: whole.update(reports=-2),
    "broken reports in all": lambda whole, _: whole.update(reports=2.5),
    "reports in all that look whole": lambda whole, _: whole.update(reports=2.0),
    "reports in text": lambda whole, _: whole.update(reports="2"),
    "no attributes": lambda whole, _: whole.pop("attributes"),
    "attributes in a list": lambda whole, _: whole.update(attributes=[]),
    "an unknown field": lambda whole, _: whole.update(note="hello"),
    "a round in text": lambda whole, _: whole.update(round="0"),
    "a broken round": lambda whole, _: whole.update(round=0.5),
    "a negative round": lambda whole, _: whole.update(round=-1),
    "no counts": lambda _, tally: tally.pop("supports"),
    "too few codes": lambda _, tally: tally.update(supports=[2, 2]),
    "too many sizes": lambda _, tally: tally.update(sizes=[0, 0, 2, 0, 0]),
    "negative counts": lambda _, tally: tally.update(supports=[5, -1, 0]),
    "broken counts": lambda _, tally: tally.update(supports=[2.5, 0.5, 2.5]),
    "counts in text": lambda _, tally: tally.update(supports=["2", "0", "2"]),
    "a broken n": lambda _, tally: tally.update(n=2.9),
    "an endless n": lambda _, tally: tally.update(n=float("inf")),
    "counts beyond 64 bits": lambda _, tally: tally.update(supports=[10**30, 0, 2]),
    "another n": lambda _, tally: tally.update(n=3),
    "sizes that contradict the counts": lambda _, tally: tally.update(sizes=[0, 2, 0, 0]),
    "more counts than reports": lambda _, tally: tally.update(supports=[3, 0, 1]),
    "no reports at a level": lambda _, tally: tally.update(
        n=0, supports=[0, 0, 0], sizes=[0, 0, 0, 0]
    ),
    "a level off the menu": lambda whole, _: moved(whole, "260"),
    "a secret level": lambda whole, _: moved(whole, "0"),
    "a negative level": lambda whole, _: moved(whole, "-500"),
    "a level with spaces": lambda whole, _: moved(whole, " 500"),
    "a level that is no number": lambda whole, _: moved(whole, "much"),
}


@for_each("change", MALFORMED.values())
def test_a_malformed_aggregate_is_refused(change: Callable[[Document, Document], object]) -> None:
    assert Aggregate.from_json(survey(), spoilt(lambda *_: None)).counted("pet")[500].n == 2
    with pytest.raises(TableError):
        Aggregate.from_json(survey(), spoilt(change))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "7", "[" * 100_000])
def test_text_that_is_no_aggregate_is_refused(text: str) -> None:
    with pytest.raises(TableError, match="must be the JSON of an aggregate"):
        Aggregate.from_json(survey(), text)


def test_the_aggregate_of_another_plan_is_refused_by_its_id() -> None:
    other = Plan.of(author(name="another"))
    with pytest.raises(TableError, match=f"of plan {other.id}, got {survey().id}"):
        Aggregate.from_json(other, collect("disclosed", [1]).to_json())


def test_an_attribute_that_the_plan_lacks_is_refused() -> None:
    text = collect("disclosed", [1]).to_json().replace('"pet"', '"shoe"')
    with pytest.raises(UnknownAttribute, match="no attribute 'shoe'"):
        Aggregate.from_json(survey(), text)
