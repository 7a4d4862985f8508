"""The golden vectors hold: what another language's device must reproduce, byte for byte."""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import pytest

from discretion.budget.level import stratum_of
from discretion.device import State
from discretion.errors import PlanError, Refusal, ReportRefused
from discretion.mechanism import CODED as CODED_MECHANISMS
from discretion.mechanism import MECHANISMS, OPEN, OPTIMAL, SAMPLED, Law, number_law
from discretion.mechanism import NUMBERS as NUMBER_MECHANISMS
from discretion.mechanism import SETS as SET_MECHANISMS
from discretion.mechanism import STAGED as STAGED_MECHANISMS
from discretion.mechanism import VARIANTS as VARIANT_MECHANISMS
from discretion.mechanism.halfspace import signs
from discretion.mechanism.odds import odds
from discretion.plan import Plan
from discretion.plan.encodings import WORDED
from discretion.randomness import ByteSource
from discretion.report import read
from discretion.schema.attribute import Misfit
from tests.cases import for_each
from tests.golden import (
    assigned,
    coded,
    intervals,
    make,
    numbers,
    planes,
    prefixes,
    sets,
    staged,
    text_sets,
    texts,
    variants,
)

FILES = {name: json.loads((make.HERE / name).read_text(encoding="utf-8")) for name in make.FILES}
DRAWS, NUMBERS, REPORTS, MALFORMED = (
    FILES[f"{name}.json"] for name in ("draws", "numbers", "reports", "malformed")
)
CODED, INPUTS, TEXTS, VARIANTS = (
    FILES[f"{name}.json"] for name in ("coded", "inputs", "texts", "variants")
)
PLANES, BINNED = (FILES[f"{name}.json"] for name in ("planes", "binned"))
ASSIGNED, PLANS, MISFITS, SETS, TEXT_SETS, INTERVALS, PREFIXES = (
    FILES[f"{name}.json"]
    for name in ("assigned", "plans", "misfits", "sets", "text_sets", "intervals", "prefixes")
)


@contextmanager
def reading(vector: dict[str, Any]) -> Iterator[BytesIO]:
    """Give the words of a vector, with more behind them, and assert that just they were read."""
    recorded = bytes.fromhex(vector["words"])
    words = BytesIO(recorded + bytes(64))
    yield words
    assert words.tell() == len(recorded), vector


def test_below_gives_the_value_and_reads_all_its_words() -> None:
    for vector in DRAWS["below"]:
        with reading(vector) as words:
            assert str(ByteSource(words.read).below(int(vector["below"]))) == vector["value"], (
                vector
            )


def test_some_vectors_reject_a_word() -> None:
    longest: Counter[str] = Counter()
    for vector in DRAWS["below"]:
        longest[vector["below"]] = max(longest[vector["below"]], len(vector["words"]))
    assert longest["300"] > 4
    assert longest["1"] == 0


def test_odds_and_laws_are_these_integers() -> None:
    for vector in DRAWS["odds"]:
        assert str(odds(vector["level"], vector["per"])) == vector["odds"], vector
    for vector in DRAWS["laws"]:
        made = make.law_of(vector["mechanism"], vector["size"], vector["level"])
        assert {**vector, **make.stated(made), "width": made.n_bytes} == vector


def test_words_become_these_bytes_and_no_word_is_left() -> None:
    plan = Plan.from_bytes(DRAWS["plan"].encode())
    assert plan.id == DRAWS["id"]
    for vector in DRAWS["draws"]:
        name, value, level = (vector[key] for key in ("attribute", "value", "level"))
        with reading(vector) as words:
            assert make.draw(plan, name, value, level, ByteSource(words.read)) == vector["y"], (
                vector
            )


def test_every_registered_mechanism_has_vectors() -> None:
    drawn = {vector["attribute"].partition("-")[0] for vector in DRAWS["draws"]}
    assert drawn == {vector["mechanism"] for vector in DRAWS["laws"]} == set(make.LABELS)
    assert {*make.LABELS, *WORDED} == {*MECHANISMS, *CODED_MECHANISMS}


def test_laws_of_numbers_are_these_integers() -> None:
    for vector in NUMBERS["laws"]:
        size, level = vector["size"], vector["level"]
        name = vector["mechanism"]
        made: Law = signs(size, level) if name == "signs" else number_law(name, size, level)
        assert {**vector, **numbers.stated(made)} == vector
    plan = Plan.from_bytes(NUMBERS["plan"].encode())
    for vector in NUMBERS["bundles"]:
        made = plan.questions[vector["bundle"]].law(vector["level"])
        assert {**vector, **numbers.stated(made)} == vector


def test_words_become_these_numbers_and_no_word_is_left() -> None:
    plan = Plan.from_bytes(NUMBERS["plan"].encode())
    assert plan.id == NUMBERS["id"]
    for vector in NUMBERS["draws"]:
        name, value = vector["attribute"], vector["value"]
        stratum = stratum_of(vector["level"], vector.get("range", 0))
        with reading(vector) as words:
            assert (
                numbers.draw(plan, name, value, stratum, ByteSource(words.read)) == vector["y"]
            ), vector


def test_every_mechanism_for_numbers_and_every_range_has_vectors() -> None:
    plan = Plan.from_bytes(NUMBERS["plan"].encode())
    drawn = {vector["attribute"] for vector in NUMBERS["draws"]}
    assert drawn == set(plan.names)
    assert {plan.questions[name].mechanism for name in plan.attributes} == {
        *NUMBER_MECHANISMS,
        OPTIMAL,
    }
    assert {plan.questions[bundle.name].mechanism for bundle in plan.bundles} == {"grr", "duchi"}
    assert {vector.get("range") for vector in NUMBERS["draws"]} == {None, 0, 1, 2}
    assert {v["mechanism"] for v in NUMBERS["laws"]} == {*NUMBER_MECHANISMS, "signs"}


def test_an_edge_and_the_word_beside_it_give_other_bits() -> None:
    """Two points at an end: the coin of one edge lands, that of the other does not."""
    for level in numbers.LEVELS:
        mine = [
            v for v in NUMBERS["draws"] if (v["attribute"], v["level"]) == ("duchi-grid", level)
        ]
        *_, heads, tails = [v for v in mine if v["range"] == 0]
        assert int(heads["words"], 16) + 1 == int(tails["words"], 16)
        assert (heads["y"], tails["y"]) == ("01", "00")


def test_words_and_laws_of_coded_mechanisms_are_these_integers() -> None:
    plan = Plan.from_bytes(CODED["plan"].encode())
    assert plan.id == CODED["id"]
    assert list(coded.codeword_vectors(plan)) == CODED["words"]
    assert list(coded.law_vectors(plan)) == CODED["laws"]
    assert {plan.questions[name].mechanism for name in plan.names} == set(WORDED)
    assert {vector["attribute"] for vector in CODED["draws"]} == set(plan.names)


def test_random_words_become_these_bits_and_none_is_left() -> None:
    plan = Plan.from_bytes(CODED["plan"].encode())
    for vector in CODED["draws"]:
        name, value, level = (vector[key] for key in ("attribute", "value", "level"))
        with reading(vector) as words:
            assert coded.draw(plan, name, value, level, ByteSource(words.read)) == vector["y"], (
                vector
            )


def test_a_device_makes_these_reports_round_after_round() -> None:
    plan = Plan.from_bytes(CODED["plan"].encode())
    with State() as state:
        for vector in CODED["rounds"]:
            with reading(vector) as words:
                made = coded.reported(plan, state, vector, words, coded.BUDGETS)
                assert made == vector["report"]


@for_each("file, mechanisms", [("staged", STAGED_MECHANISMS), ("bitflip", SAMPLED)])
def test_laws_that_keep_answers_are_these_integers_and_words_become_these_bytes(
    file: str, mechanisms: Collection[str]
) -> None:
    vectors = FILES[f"{file}.json"]
    plan = Plan.from_bytes(vectors["plan"].encode())
    assert plan.id == vectors["id"]
    assert list(staged.law_vectors(plan)) == vectors["laws"]
    assert {plan.questions[name].mechanism for name in plan.names} == set(mechanisms)
    assert {vector["attribute"] for vector in vectors["draws"]} == set(plan.names)
    for vector in vectors["draws"]:
        name, value, level = (vector[key] for key in ("attribute", "value", "level"))
        with reading(vector) as words:
            assert coded.draw(plan, name, value, level, ByteSource(words.read)) == vector["y"], (
                vector
            )


@for_each("file", ["staged", "bitflip"])
def test_a_device_keeps_what_it_drew_round_after_round(file: str) -> None:
    vectors = FILES[f"{file}.json"]
    plan = Plan.from_bytes(vectors["plan"].encode())
    with State() as state:
        for vector in vectors["rounds"]:
            with reading(vector) as words:
                made = coded.reported(plan, state, vector, words, vectors["budget"])
                assert (made, state.spent()) == (vector["report"], vector["spent"])


def test_texts_have_these_fingerprints_and_cells() -> None:
    plan = Plan.from_bytes(TEXTS["plan"].encode())
    assert plan.id == TEXTS["id"]
    assert list(texts.answer_vectors()) == TEXTS["answers"]
    assert list(texts.coefficient_vectors()) == TEXTS["coefficients"]
    assert list(texts.cell_vectors(plan)) == TEXTS["cells"]
    assert list(texts.law_vectors(plan)) == TEXTS["laws"]
    assert {plan.questions[name].mechanism for name in plan.names} == set(OPEN)


def test_words_become_these_cells_of_texts_and_none_is_left() -> None:
    plan = Plan.from_bytes(TEXTS["plan"].encode())
    for vector in TEXTS["draws"]:
        name, value, level = (vector[key] for key in ("attribute", "value", "level"))
        with reading(vector) as words:
            assert texts.draw(plan, name, value, level, ByteSource(words.read)) == vector["y"], (
                vector
            )
    assert {vector["attribute"] for vector in TEXTS["draws"]} == set(plan.names)


def test_a_device_reports_texts_round_after_round() -> None:
    plan = Plan.from_bytes(TEXTS["plan"].encode())
    with State() as state:
        for vector in TEXTS["rounds"]:
            with reading(vector) as words:
                made = coded.reported(plan, state, vector, words, texts.BUDGETS)
                assert made == vector["report"]


def test_matrices_of_variants_are_these_integers_and_give_these_columns() -> None:
    plan = Plan.from_bytes(VARIANTS["plan"].encode())
    assert plan.id == VARIANTS["id"]
    assert list(variants.law_vectors(plan)) == VARIANTS["laws"]
    assert {plan.questions[name].mechanism for name in plan.names} == set(VARIANT_MECHANISMS)
    for vector in VARIANTS["draws"]:
        name, value, level = (vector[key] for key in ("attribute", "value", "level"))
        with reading(vector) as words:
            assert variants.draw(plan, name, value, level, ByteSource(words.read)) == vector["y"], (
                vector
            )


def test_trees_have_these_weights_and_words_become_these_intervals() -> None:
    plan = Plan.from_bytes(INTERVALS["plan"].encode())
    assert plan.id == INTERVALS["id"]
    assert list(intervals.law_vectors()) == INTERVALS["laws"]
    depths = set()
    for vector in INTERVALS["draws"]:
        name, value, level = (vector[key] for key in ("attribute", "value", "level"))
        with reading(vector) as words:
            y = intervals.draw(plan, name, value, level, ByteSource(words.read))
            assert y == vector["y"], vector
        depths.add((name, y[-2:]))
    assert {name for name, _ in depths} == set(plan.names)
    drawn = {int(depth, 16) // 8 for name, depth in depths if name == "fine"}
    assert drawn == {0, 1, 2}  # sets, buckets and parities


@for_each("vectors", [PLANES, BINNED])
def test_words_become_these_reports_about_where_two_numbers_lie(vectors: dict[str, Any]) -> None:
    plan = Plan.from_bytes(vectors["plan"].encode())
    assert plan.id == vectors["id"]
    assert {each.name: each.size for each in plan.bundles} == {
        vector["bundle"]: vector["cells"] for vector in vectors["laws"]
    }
    for vector in vectors["draws"]:
        name, value, level = (vector[key] for key in ("attribute", "value", "level"))
        with reading(vector) as words:
            assert planes.draw(plan, name, value, level, ByteSource(words.read)) == vector["y"]


def test_texts_have_these_codes_and_words_become_parities_of_their_prefixes() -> None:
    plan = Plan.from_bytes(PREFIXES["plan"].encode())
    assert plan.id == PREFIXES["id"]
    assert list(prefixes.code_vectors(plan)) == PREFIXES["codes"]
    assert list(prefixes.law_vectors(plan)) == PREFIXES["laws"]
    groups = set()
    for vector in PREFIXES["draws"]:
        name, value, level = (vector[key] for key in ("attribute", "value", "level"))
        with reading(vector) as words:
            y = prefixes.draw(plan, name, value, level, ByteSource(words.read))
            assert y == vector["y"], vector
        groups.add((name, y[-2:]))
    assert len(groups) == sum(len(law["groups"]) for law in PREFIXES["laws"]) // len(
        prefixes.LEVELS
    )


def test_credentials_have_these_functions_and_words_become_cells_of_them() -> None:
    plan = Plan.from_bytes(ASSIGNED["plan"].encode())
    assert plan.id == ASSIGNED["id"]
    assert all(question.assigned for question in plan.questions.values())
    assert list(assigned.function_vectors(plan)) == ASSIGNED["functions"]
    for vector in ASSIGNED["draws"]:
        name, value, level = (vector[key] for key in ("attribute", "value", "level"))
        with reading(vector) as words:
            y = assigned.draw(plan, name, value, level, vector["token"], ByteSource(words.read))
            assert y == vector["y"], vector


def test_sets_and_maps_are_read_like_this_and_have_laws_of_these_integers() -> None:
    plan = Plan.from_bytes(SETS["plan"].encode())
    assert plan.id == SETS["id"] == sets.sets_plan().id
    assert list(sets.answer_vectors(plan)) == SETS["answers"]
    assert {vector["misfit"] for vector in SETS["answers"]} == {None, Misfit.ENTRIES}
    assert list(sets.law_vectors()) == SETS["laws"]
    assert {vector["mechanism"] for vector in SETS["laws"]} == set(SET_MECHANISMS)


def test_items_become_these_itemsets_and_words_these_codes_of_them() -> None:
    vectors = SETS["itemsets"]
    plan = Plan.from_bytes(vectors["plan"].encode())
    assert plan.id == vectors["id"] == sets.itemsets_plan().id
    assert list(sets.itemset_vectors(plan)) == vectors["draws"]
    assert {vector["answer"] for vector in vectors["draws"]} == {"[]", "[4]", "[0,1,2,4]", "[3]"}


def test_words_become_these_codes_of_sets_and_none_is_left() -> None:
    plan = Plan.from_bytes(SETS["plan"].encode())
    for vector in SETS["draws"]:
        name, stratum = vector["attribute"], stratum_of(vector["level"], vector.get("range", 0))
        with reading(vector) as words:
            y = sets.draw(plan, name, vector["value"], stratum, ByteSource(words.read))
            assert y == vector["y"], vector
    for vector in SETS["reports"]:
        with reading(vector) as words:
            assert sets.sealed(plan, vector, words) == vector["report"]
        assert read(plan, vector["report"].encode()).to_bytes().decode() == vector["report"]
    assert {vector.get("range") for vector in SETS["draws"]} == {None, 0, 1, 2}


def test_sets_of_texts_have_these_fingerprints_laws_and_reports() -> None:
    plan = Plan.from_bytes(TEXT_SETS["plan"].encode())
    assert plan.id == TEXT_SETS["id"] == text_sets.text_sets_plan().id
    assert list(text_sets.answer_vectors()) == TEXT_SETS["answers"]
    assert list(text_sets.law_vectors(plan)) == TEXT_SETS["laws"]
    for vector in TEXT_SETS["draws"]:
        stratum = stratum_of(vector["level"], vector["range"])
        with reading(vector) as words:
            name, source = vector["attribute"], ByteSource(words.read)
            y = sets.draw(plan, name, vector["value"], stratum, source)
            assert y == vector["y"], vector
    for vector in TEXT_SETS["reports"]:
        with reading(vector) as words:
            assert sets.sealed(plan, vector, words) == vector["report"]
        assert read(plan, vector["report"].encode()).to_bytes().decode() == vector["report"]


@for_each("vector", PLANS["plans"])
def test_an_authors_plan_has_these_bytes_as_in_every_version(vector: dict[str, Any]) -> None:
    assert Plan.of(vector["author"]).to_bytes().decode() == vector["plan"]


def test_what_a_plan_does_not_use_is_absent_from_its_bytes() -> None:
    """So no later field changes the id of a plan without it."""
    common = {"format", "name", "contract", "attributes", "budget", "share", "allocation"}
    seen: set[str] = set()
    for vector in PLANS["plans"]:
        document = json.loads(vector["plan"])
        beside = document.keys() - common
        assert beside <= vector["author"].keys() | {"tables", "wording", "bundles"}, vector[
            "author"
        ]["name"]
        assert all(document[field] for field in beside)
        seen |= beside
    assert seen == {"bundles", "tables", "wording", "replaces", "again", "groups", "owners"}


@for_each("vector", [*REPORTS["reports"], *PLANS["plans"]])
def test_a_device_makes_this_report(vector: dict[str, Any]) -> None:
    data = vector["plan"].encode()
    plan = Plan.from_bytes(data)
    assert plan.id == vector["id"] == hashlib.sha256(data).hexdigest()
    with reading(vector) as words:
        assert make.sealed(plan, vector, words).decode() == vector["report"]
    assert read(plan, vector["report"].encode()).to_bytes().decode() == vector["report"]


def test_malformed_reports_are_refused_by_name_and_valid_ones_are_not() -> None:
    plans = {key: Plan.from_bytes(text.encode()) for key, text in MALFORMED["plans"].items()}
    for vector in MALFORMED["valid"]:
        assert read(plans[vector["plan"]], vector["report"].encode()).round == 0
    for vector in MALFORMED["malformed"]:
        data = bytes.fromhex(vector["hex"]) if "hex" in vector else vector["report"].encode()
        with pytest.raises(ReportRefused) as refused:
            read(plans[vector["plan"]], data)
        assert refused.value.reason == Refusal(vector["reason"]), vector


def test_inputs_are_taken_or_refused_for_these_reasons() -> None:
    for name, text in INPUTS["plans"].items():
        assert Plan.from_bytes(text.encode()).id == INPUTS["ids"][name]
    for vector in INPUTS["refused_plans"]:
        with pytest.raises(PlanError) as refused:
            Plan.from_bytes(bytes.fromhex(vector["hex"]))
        assert refused.value.field == vector["field"], vector
    assert {vector["reason"] for vector in INPUTS["refused_budgets"]} > {
        Refusal.LEVEL_OFF_MENU,
        Refusal.RANGE_OFF_MENU,
        Refusal.OVER_BUDGET,
        Refusal.TOO_FEW_ATTRIBUTES,
        Refusal.TOO_MANY_ANSWERS,
        Refusal.REPEATED_ATTRIBUTE,
        Refusal.UNKNOWN_ATTRIBUTE,
    }


@for_each("name", make.FILES)
def test_making_the_vectors_anew_changes_nothing(name: str) -> None:
    assert make.layout(make.FILES[name]()) == (make.HERE / name).read_text(encoding="utf-8")
