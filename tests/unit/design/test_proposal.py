"""A proposal is a plan that fits the records it was made from, and says why it is what it is."""

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discretion.crowd.records import code_columns
from discretion.design.proposal import FEW_NUMBERS, MOST_LABELS, propose
from discretion.errors import RecordError
from discretion.plan import Plan
from discretion.schema import Categorical, Date, Numeric
from discretion.schema.moment import FIRST, LAST, round_days
from discretion.table.frame import to_arrow

SEED = 11
ANSWER = ["yes", "no"] * 20


@pytest.fixture
def accepted(tmp_path: Path) -> Any:
    """Return the plan that a file with the proposal holds, after fitting all records to it."""

    def load(frame: object, name: str = "survey") -> Plan:
        path = tmp_path / "plan.yaml"
        path.write_text(propose(frame, name), encoding="utf-8")
        plan = Plan.load(path)
        code_columns(plan, to_arrow(frame), np.random.default_rng(SEED))
        return plan

    return load


def labels(plan: Plan, name: str) -> tuple[str, ...]:
    attribute = plan.questions[name].attribute
    assert isinstance(attribute, Categorical)
    return attribute.labels


def comment(frame: object, name: str) -> str:
    """Return the comment above a question, or where a column is left out, on one line."""
    for block in propose(frame).split("\n\n"):
        if f"- name: {name}" in block or f"Left out: {name}." in block:
            lines = [line.strip("# ") for line in block.splitlines() if "#" in line]
            return " ".join(lines)
    raise AssertionError(name)


def test_text_becomes_labels_in_alphabetical_order(accepted: Any) -> None:
    plan = accepted({"pet": ["dog", "cat", "Ape", "dog", "dog"]})
    assert labels(plan, "pet") == ("Ape", "cat", "dog")


@pytest.mark.parametrize("mark", ["?", "Unknown", "n/a", "Other"])
def test_a_label_for_the_unknown_is_kept_and_is_the_home_of_new_ones(
    accepted: Any, mark: str
) -> None:
    plan = accepted({"pet": ["dog", mark, "zebra", "dog"]})
    assert mark in labels(plan, "pet")
    assert plan.questions["pet"].attribute.fallback == mark


def test_rare_labels_fold_into_other_and_the_rows_are_counted(accepted: Any) -> None:
    words = [f"w{i:03}" for i in range(70)]
    values = [word for word in words[:60] for _ in range(5)] + words[60:]
    plan = accepted({"word": values})
    assert len(labels(plan, "word")) == MOST_LABELS
    assert labels(plan, "word")[-1] == "other"
    assert {*words[:60]} < {*labels(plan, "word")}
    noted = comment({"word": values}, "word")
    assert '7 rows with 7 rarer or unprintable ones become "other"' in noted


@pytest.mark.parametrize("odd", ["a\nb", "x" * 201, " ", "\x1b[1m"])
def test_what_a_plan_cannot_hold_folds_into_other(accepted: Any, odd: str) -> None:
    plan = accepted({"word": ["a", "b", odd, "a"]})
    assert labels(plan, "word") == ("a", "b", "other")


def test_a_label_named_other_takes_the_rare_ones_in(accepted: Any) -> None:
    values = ["other", "a", "a", "b"] + [f"w{i}" for i in range(66) for _ in range(2)]
    plan = accepted({"word": values})
    assert labels(plan, "word").count("other") == 1
    assert len(labels(plan, "word")) <= MOST_LABELS


WORDS = """yes no true null ~ 1.0 007 12:30 2020-01-01 1e3 0x1F = << [x] {y} #z 'q' "r" &a *a !t %d
@x `b` | > é 日本 😀"""
AWKWARD = [*WORDS.split(), "a, b", "a: b", "- c", " lead", "trail "]


def test_awkward_labels_and_names_survive_yaml(accepted: Any) -> None:
    frame = dict.fromkeys(AWKWARD, AWKWARD * 2)
    plan = accepted(frame, name="no")
    assert plan.name == "no"
    assert {*plan.names} == {*AWKWARD}
    for name in plan.names:
        assert {*labels(plan, name)} == {*AWKWARD}


def test_few_whole_numbers_are_labels_in_the_order_of_numbers(accepted: Any) -> None:
    values = [10, 9, 1, 10, None]
    plan = accepted({"code": values, "same": [float(v) if v else None for v in values]})
    assert labels(plan, "code") == labels(plan, "same") == ("1", "9", "10")
    noted = comment({"code": values}, "code")
    assert "range: [1, 10], step: 1" in noted
    assert "1 rows have no value" in noted


def test_many_numbers_become_bins_on_a_grid(accepted: Any) -> None:
    rng = np.random.default_rng(SEED)
    plan = accepted({"age": rng.integers(17, 91, 2_000), "share": rng.random(2_000)})
    age = plan.questions["age"].attribute
    assert isinstance(age, Numeric)
    assert (age.low, age.high, age.step) == (15, 90, 1)
    assert 7 <= plan.questions["share"].attribute.size <= 11


def test_dates_are_in_bins_of_whole_periods(accepted: Any) -> None:
    days = [date(2020 + i // 365, i % 12 + 1, i % 28 + 1) for i in range(1_000)]
    moments = [datetime(day.year, day.month, day.day, 23, tzinfo=UTC) for day in days]
    zone = pa.array(moments, pa.timestamp("s", "Europe/Berlin"))
    plan = accepted(pa.table({"day": days, "moment": zone, "one": days[:1] * 1_000}))
    grid = plan.questions["day"].attribute
    assert isinstance(grid, Date)
    edges = [grid.written(edge) for edge in grid.edges or ()]
    assert (edges[0], edges[-1]) == ("2020-01-01", "2023-01-01")
    assert {edge[-2:] for edge in edges} == {"01"}
    assert 7 <= grid.size <= 12
    assert isinstance(plan.questions["moment"].attribute, Date)
    assert "one" not in plan.names


def test_round_days_cover_a_range_with_few_periods() -> None:
    for low, high in ((0, 5), (3, 40), (-400, 9_000), (-50_000, 20_000), (FIRST, LAST), (10, 11)):
        for most in (3, 6, 12):
            days = round_days(low, high, most)
            assert days[0] <= low < high <= days[-1]
            assert len(days) <= most + 1
            assert days == sorted({*days})


def test_a_frequent_number_is_named_with_its_bin() -> None:
    gains = [0] * 900 + list(range(100, 10_000, 50))
    assert "For a very frequent number: [0, 10)." in comment({"gain": gains}, "gain")


LEFT_OUT: dict[str, tuple[Any, str]] = {
    "empty": ([None] * 40, "It is empty"),
    "constant": (["x"] * 39 + [None], "It has one value only"),
    "one number": ([7] * 40, "It has one value only"),
    "names": ([f"person {i}" for i in range(40)], "All its values differ, as names and"),
    "ids": (list(range(1000, 1040)), "All its whole numbers differ, as identifiers do"),
    "free text": ([f"t{i // 2}" for i in range(39)] * 5 + [f"u{i}" for i in range(400)], "groups"),
    "lists of lists": ([[[1, 2]]] * 20 + [[[3]]] * 20, "neither text nor numbers"),
    "infinite": ([float("inf"), 0.5] * 20, "infinite numbers"),
    "huge": ([1e300 * i for i in range(30)] + [0.0] * 10, "too large or too fine"),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_can_hardly_be_asked_is_left_out_with_the_reason(accepted: Any, name: str) -> None:
    values, reason = LEFT_OUT[name]
    frame = {name: values, "answer": (ANSWER * 20)[: len(values)]}
    assert accepted(frame).names == ("answer",)
    assert reason in comment(frame, name)


def test_left_out_numbers_come_back_when_their_comment_is_opened() -> None:
    text = propose({"id": list(range(1000, 1040)), "answer": ANSWER})
    assert "  #   - name: id\n  #     kind: numeric\n" in text


def test_all_different_among_a_few_rows_is_coincidence(accepted: Any) -> None:
    plan = accepted({"name": ["ann", "bob", "cy"], "age": [31, 45, 62]})
    assert plan.names == ("name", "age")


@pytest.mark.parametrize("name", ["a.b", "two words", "größe", "[bold]", "y", "n", "#", "id"])
def test_any_printable_name_is_asked(accepted: Any, name: str) -> None:
    assert accepted({name: ANSWER}).names == (name,)


def test_names_that_a_plan_cannot_distinguish_are_left_out() -> None:
    columns = [pa.array(ANSWER)] * 4
    text = propose(pa.table(columns, ["a", "b", "a", ""]))
    assert text.count("2 columns have this name") == 2
    assert "Left out: ''. A name must be" in text
    assert "- name: b\n" in text


@pytest.mark.parametrize("rows", [0, 1])
def test_too_few_records_are_refused(rows: int) -> None:
    with pytest.raises(RecordError, match=r"records: there must be (at least one|a column)"):
        propose({"age": [31][:rows], "pet": ["cat"][:rows]})


def test_a_table_without_anything_to_ask_is_refused_with_the_reasons() -> None:
    items = [f"{i} {i + 1}" for i in range(100)]
    with pytest.raises(RecordError, match=r"a column to ask about \(items: All its values differ"):
        propose({"items": items})


def test_no_columns_at_all_are_refused() -> None:
    with pytest.raises(RecordError):
        propose(pa.table({}))


def test_frames_of_every_kind_give_the_same_plan(accepted: Any) -> None:
    columns = {"pet": ["cat", "dog", None] * 10, "age": [1, 2, 3] * 10, "w": [0.5, 1.25, 7] * 10}
    plans = {
        accepted(frame).id for frame in (columns, pd.DataFrame(columns), pl.DataFrame(columns))
    }
    assert len(plans) == 1


def test_other_types_of_columns_fit_as_well(accepted: Any) -> None:
    table = pa.table(
        {
            "truth": pa.array([True, False, None] * 10),
            "day": pa.array([date(2024, 1, 1), date(2024, 2, 1), None] * 10),
            "category": pa.array(["a", "b", None] * 10).dictionary_encode(),
            "price": pa.array([Decimal("1.00"), Decimal("2.00"), None] * 10),
            "text": pa.array(["a", "b", None] * 10, pa.large_string()),
            "view": pa.array(["a", "b", None] * 10, pa.string_view()),
            "small": pa.array([1, 2, None] * 10, pa.int8()),
            "nan": pa.array([1.5, float("nan"), 2.5] * 10),
            "large": pa.array([2**62, 2**62 + 1, None] * 10),
        }
    )
    plan = accepted(table)
    assert labels(plan, "truth") == ("False", "True")
    assert plan.questions["day"].attribute.document["kind"] == "date"
    assert {"category", "price", "text", "view", "small", "nan"} == {*plan.names} - {"truth", "day"}


def test_the_text_warns_and_explains() -> None:
    text = propose({"pet": ["cat", "dog"]})
    for words in ("CAUTION", "public knowledge", "alphabetical order", "e^epsilon"):
        assert words in text
    assert "budget: {average: 2.0, least: 0.25, most: 6.0, step: 0.25}\n" in text
    assert max(map(len, text.splitlines())) <= 100


def test_an_unprintable_title_is_replaced(accepted: Any) -> None:
    assert accepted({"pet": ["cat", "dog"]}, name="\n").name == "survey"


cells = (
    st.lists(st.none() | st.integers(-(2**40), 2**40), min_size=1, max_size=60)
    | st.lists(st.none() | st.integers(-9, 9), min_size=1, max_size=60)
    | st.lists(st.none() | st.floats(allow_subnormal=False), min_size=1, max_size=60)
    | st.lists(st.none() | st.decimals(-99, 99, places=2).map(float), min_size=1, max_size=60)
    | st.lists(st.none() | st.text(max_size=3), min_size=1, max_size=60)
)


@given(cells)
def test_whatever_is_proposed_fits(tmp_path_factory: pytest.TempPathFactory, values: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "proposed.yaml"
    table = pa.table({"x": pa.array(values, from_pandas=False)})
    try:
        text = propose(table)
    except RecordError:
        return
    path.write_text(text, encoding="utf-8")
    plan = Plan.load(path)
    assert 2 <= plan.questions["x"].attribute.size <= max(MOST_LABELS, FEW_NUMBERS)
    code_columns(plan, table, np.random.default_rng(SEED))


def test_a_column_that_is_empty_exactly_where_another_says_so_is_asked_of_the_rest(
    accepted: Any,
) -> None:
    rng = np.random.default_rng(SEED)
    work = rng.choice(["employed", "own, shop", "retired"], 400)
    away = work == "retired"
    park = pa.array(rng.choice(["a", "b"], 400), mask=away)
    hours = pa.array(rng.uniform(0, 60, 400).round(1), mask=away)
    pet = pa.array(rng.choice(["a", "b"], 400), mask=rng.random(400) < 0.3)
    plan = accepted({"work": work, "park": park, "hours": hours, "pet": pet})
    for name in ("park", "hours"):
        (condition,) = plan.attributes[name].conditions
        assert str(condition) == "work is employed or own, shop"
    assert not plan.attributes["pet"].conditions
