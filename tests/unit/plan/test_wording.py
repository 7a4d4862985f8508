import json
from typing import Any

import pytest

from discretion.errors import PlanError
from discretion.plan import Plan
from discretion.plan.wording import SURVEY
from tests.cases import for_each
from tests.plans import AGE, author

EN_DE = {"en": "How do you get to work?", "de": "Wie kommen Sie zur Arbeit?"}
CODES = ("car", "bus", "walk")
LABELS: tuple[Any, ...] = (
    {"en": "By car", "de": "Mit dem Auto", "ar": "بالسيارة"},
    "🚌",
    "e\u0301",
)
MODE = {
    "name": "mode",
    "kind": "categorical",
    "values": [{"code": c, "label": w} for c, w in zip(CODES, LABELS, strict=True)],
    "question": EN_DE,
    "help": "The longest part\nof your way.",
}
WORDED = author(
    attributes=[MODE, {**AGE, "unit": "years"}],
    title={"en": "Getting around", "de": "Unterwegs", "ar": "التنقل"},
    sections=[{"title": "You", "attributes": ["age"]}, {"title": EN_DE, "attributes": ["mode"]}],
    **{key: f"The {key}." for key in SURVEY if key != "title"},
)
PLAIN = author(attributes=[{"name": "mode", "kind": "categorical", "values": [*CODES]}, AGE])


def worded(**changed: Any) -> dict[str, Any]:
    return {**WORDED, **changed}


def asked(**changed: Any) -> dict[str, Any]:
    return worded(attributes=[{**MODE, **changed}, AGE])


def test_wording_changes_the_id_but_not_the_law() -> None:
    plain, plan = Plan.of(PLAIN), Plan.of(WORDED)
    other = Plan.of(worded(title="Other"))
    assert plan.law_id == other.law_id == plain.law_id == plain.id
    assert len({plain.id, plan.id, other.id}) == 3
    assert "wording" not in plain.document
    assert plan.attributes == plain.attributes


def test_wording_survives_the_canonical_bytes() -> None:
    plan = Plan.of(WORDED)
    again = Plan.from_bytes(plan.to_bytes())
    assert again.wording == plan.wording
    assert again.id == plan.id


def test_a_text_is_read_in_its_language_or_in_the_first() -> None:
    wording = Plan.of(WORDED).wording
    assert wording.languages == ("en", "de", "ar")
    german, arabic = wording.within("de"), wording.within("ar")
    assert german.title == "Unterwegs"
    assert german.of("mode").question == EN_DE["de"]
    assert [german.of("mode").label(code) for code in CODES] == ["Mit dem Auto", "🚌", "\u00e9"]
    assert arabic.of("mode").question == EN_DE["en"]
    assert arabic.sections[1].title == EN_DE["en"]
    assert german.of("age").unit == "years"
    assert german.of("nothing").label("a") == "a"


def test_the_language_is_the_first_wanted_one_that_there_is() -> None:
    wording = Plan.of(worded(title={"en": "a", "de": "b", "pt-BR": "c", "pt": "d"})).wording
    found = [wording.best(tags) for tags in (["fr", "de-AT"], ["pt-BR"], ["pt-PT"], ["fr"], [])]
    assert found == ["de", "pt-BR", "pt-BR", "en", "en"]
    assert Plan.of(PLAIN).wording.best(["de"]) is None


def test_texts_that_lack_a_language_are_listed() -> None:
    missing = set(Plan.of(WORDED).wording.missing())
    assert missing == {("ar", EN_DE["en"])}


def test_the_plan_that_is_replaced_is_named() -> None:
    plain = Plan.of(PLAIN)
    plan = Plan.of({**PLAIN, "title": "Ways", "replaces": plain.id})
    assert plan.replaces == plain.id
    assert plan.law_id == plain.id
    assert Plan.from_bytes(plan.to_bytes()).replaces == plain.id


REFUSED = [
    (worded(title=""), "title", "must not be blank"),
    (worded(title="\u200d"), "title", "must not be blank"),
    (worded(title=7), "title", "must be text"),
    (worded(title={}), "title", "must have a text"),
    (worded(title={"en": 7}), "title.en", "must be text"),
    (worded(title={"EN": "a"}), "title", "language tags"),
    (worded(title={"fr": "only"}), "attributes", "must be in fr"),
    (worded(languages=["ar", "en", "de"]), "languages", "must be in ar"),
    (worded(languages=["en", "de"]), "languages", "in no language but the plan's"),
    (worded(languages=["en", "en", "de", "ar"]), "languages", "must be different"),
    (worded(languages=["en", "Deutsch"]), "languages", "must be different language tags"),
    (worded(title="a" * 201), "title", "at most 200 characters"),
    (worded(notice="a" * 10_000), "notice", "at most 5000 characters"),
    (worded(title="a\u202eb"), "title", "control characters"),
    (worded(title="a\u2066b"), "title", "control characters"),
    (worded(title="a\x07b"), "title", "control characters"),
    (worded(asker="Citу Council"), "asker", "look alike in one word (Citу)"),
    (asked(question="Hοw?"), "attributes[0].question", "look alike"),
    (asked(values=["car", {"code": "bus", "label": "B"}]), "attributes[0].values", "each code"),
    (asked(values=[{"code": "a"}]), "attributes[0].values[0].label", "must be there"),
    (
        asked(values=[{"code": "a", "label": "A"}, {"code": "b", "label": "A\u200d"}]),
        "labels of mode",
        "must not look like",
    ),
    (worded(sections=[{"title": "a", "attributes": ["home"]}]), "sections[0].attributes[0]", "one"),
    (
        worded(sections=[{"title": "a", "attributes": ["age", "age"]}]),
        "sections[0].attributes",
        "once",
    ),
    (worded(replaces="x"), "replaces", "must be the id of a plan"),
]


@for_each("plan, field, rule", REFUSED)
def test_wording_that_breaks_a_rule_is_refused(plan: object, field: str, rule: str) -> None:
    with pytest.raises(PlanError) as refused:
        Plan.of(plan)
    assert refused.value.field == field
    assert rule in refused.value.rule


@for_each(
    "broken",
    [
        7,
        [],
        {"attributes": 7},
        {"attributes": [{"name": ["mode"], "question": "a"}]},
        {"attributes": [{"name": "home", "question": "a"}]},
        {"attributes": [{"name": "mode", "labels": ["a"]}]},
        {"attributes": [{"name": "mode", "labels": 7}]},
        {"title": "e\u0301"},
        {"title": "a\u202eb"},
        {"colour": "red"},
        {},
    ],
)
def test_canonical_bytes_with_other_wording_are_refused(broken: object) -> None:
    document = {**json.loads(Plan.of(PLAIN).to_bytes()), "wording": broken}
    data = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    with pytest.raises(PlanError):
        Plan.from_bytes(data.encode())
