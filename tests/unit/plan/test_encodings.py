"""Words in a plan: what an author may write, what is written out, and what is refused."""

from typing import Any

import pytest

from discretion.errors import KindError, PlanError
from discretion.mechanism import Bloom, Encoding
from discretion.mechanism.histogram import quantised_bits
from discretion.plan import Family, Plan
from discretion.plan.encodings import default_bits
from tests.cases import for_each
from tests.plans import AGE, MODE, author, commuters


def mode(mechanism: object, *others: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return author(attributes=[{**MODE, "mechanism": mechanism}, *others], **changes)


def encoding(mechanism: object) -> Encoding:
    return Plan.of(mode(mechanism)).questions["mode"].encoding


@for_each(
    "mechanism, expected",
    [
        ("bloom", Encoding(5, 1, 5)),
        ({"bloom": {}}, Encoding(5, 1, 5)),
        ({"bloom": {"hashes": 4}}, Encoding(5, 4, 29)),
        ({"bloom": {"bits": 8}}, Encoding(5, 1, 8)),
        ({"bloom": {"hashes": 4, "bits": 32}}, Encoding(5, 4, 32)),
        ("rappor", Encoding(5, 1, 5, 1, (750, 500))),
        ({"rappor": {"cohorts": 8, "hashes": 2}}, Encoding(5, 2, 15, 8, (750, 500))),
        (
            {"rappor": {"hashes": 1, "bits": 3, "cohorts": 4, "ones": 0.999, "zeros": 0}},
            Encoding(5, 1, 3, 4, (999, 0)),
        ),
    ],
)
def test_what_is_left_out_is_resolved(mechanism: object, expected: Encoding) -> None:
    assert encoding(mechanism) == expected


def test_digits_of_codes_are_not_stated() -> None:
    plan = Plan.of(mode("she"))
    assert (plan.questions["mode"].encoding, plan.questions["mode"].n_bytes) == (
        quantised_bits(5),
        3,
    )
    assert plan.document["attributes"][0]["mechanism"] == "she"
    assert Plan.from_bytes(plan.to_bytes()).id == plan.id
    assert plan.questions["mode"].family is Family.CODEWORDS
    assert plan.questions["mode"].labels == tuple(MODE["values"])
    with pytest.raises(PlanError):
        Plan.of(mode({"she": {}}))


def test_default_bits_are_a_bit_for_each_code_or_those_of_lopub() -> None:
    assert default_bits(100, 1) == 100
    assert default_bits(100, 4) == 578  # 400 / ln 2 = 577.08
    assert default_bits(2, 2) == 6


@pytest.mark.parametrize("mechanism", ["bloom", {"rappor": {"cohorts": 3, "ones": 0.8}}])
def test_the_document_has_integers_and_is_read_again(mechanism: object) -> None:
    plan = Plan.of(mode(mechanism))
    again = Plan.from_bytes(plan.to_bytes())
    assert again.id == plan.id
    assert again.questions["mode"].encoding == plan.questions["mode"].encoding
    assert Plan.of(mode(mechanism)).id == plan.id


def test_defaults_written_out_make_the_same_plan() -> None:
    whole = {"hashes": 1, "bits": 5, "cohorts": 1, "ones": 0.75, "zeros": 0.5}
    assert Plan.of(mode({"rappor": whole})).id == Plan.of(mode("rappor")).id
    stated = Plan.of(mode("rappor")).document["attributes"][0]["mechanism"]
    assert stated == {"rappor": {**whole, "ones": 750, "zeros": 500}}


def test_other_parameters_make_another_plan_and_no_words_the_same_as_ever() -> None:
    ids = {Plan.of(mode(m)).id for m in ("sue", "bloom", "rappor", {"bloom": {"bits": 6}})}
    assert len(ids) == 4
    with pytest.raises(KindError):
        _ = commuters().questions["mode"].encoding
    assert "words" not in commuters().to_bytes().decode()


def test_the_law_has_the_words_of_the_plan_and_a_width_for_all_levels() -> None:
    plan = Plan.of(mode({"rappor": {"hashes": 2, "bits": 14, "cohorts": 5}}))
    laws = [plan.questions["mode"].law(level) for level in plan.questions["mode"].menu]
    assert all(isinstance(law, Bloom) and law.encoding == laws[0].encoding for law in laws)  # type: ignore[attr-defined]
    assert {law.n_bytes for law in laws} == {plan.questions["mode"].n_bytes} == {3}
    assert (plan.cohorts, commuters().cohorts) == (5, 1)
    assert plan.questions["mode"].family is Family.CODEWORDS
    assert plan.questions["mode"].labels == tuple(MODE["values"])


def test_it_has_no_support_and_others_have_no_words() -> None:
    with pytest.raises(KindError, match="must be reported as a set of codes"):
        Plan.of(mode("bloom")).questions["mode"].law(1000, Family.SETS)
    with pytest.raises(KindError, match="must be reported as bits of codewords"):
        commuters().questions["mode"].law(1000, Family.CODEWORDS)


def test_numbers_may_have_words_with_bins_and_without() -> None:
    for bins in ({}, {"bins": [16, 30, 60, 100]}):
        plan = Plan.of(author(attributes=[{**AGE, **bins, "mechanism": "bloom"}]))
        assert plan.questions["age"].family is Family.CODEWORDS


REFUSED: list[tuple[object, str, str]] = [
    ({"bloom": {"hashes": 0}}, ".bloom.hashes", "must be a whole number from 1 to 16"),
    ({"bloom": {"hashes": 17}}, ".bloom.hashes", "must be a whole number from 1 to 16"),
    ({"bloom": {"hashes": 2.5}}, ".bloom.hashes", "must be a whole number from 1 to 16"),
    ({"bloom": {"hashes": "two"}}, ".bloom.hashes", "must be a number"),
    ({"bloom": {"hashes": 4, "bits": 4}}, ".bloom.bits", "must be a whole number from 5 to 32768"),
    ({"bloom": {"bits": 1 << 16}}, ".bloom.bits", "must be a whole number from 2 to 32768"),
    ({"bloom": {"bits": 4}}, "", "must have codewords that distinguish all 5 values"),
    ({"bloom": {"cohorts": 2}}, ".bloom.cohorts", "must be one of the fields bits, hashes"),
    ({"bloom": {"f": 0.5}}, ".bloom.f", "must be one of the fields bits, hashes"),
    ({"bloom": 4}, ".bloom", "must be a mapping"),
    (
        {"bloom": {}, "rappor": {}},
        "",
        "must name one mechanism (blh, olh, shist, hrr, hadamard, bloom, rappor",
    ),
    ({}, "", "must name one mechanism (blh, olh, shist, hrr, hadamard, bloom, rappor"),
    ({"oue": {}}, ".oue", "must be one of the fields blh, bloom, dbitflip, hadamard"),
    ({"rappor": {"cohorts": 0}}, ".rappor.cohorts", "must be a whole number from 1 to 64"),
    ({"rappor": {"cohorts": 65}}, ".rappor.cohorts", "must be a whole number from 1 to 64"),
    ({"rappor": {"ones": 0.5}}, ".rappor.ones", "ones must be sent as ones more often"),
    ({"rappor": {"zeros": 0.8}}, ".rappor.zeros", "ones must be sent as ones more often"),
    ({"rappor": {"ones": 1}}, ".rappor.ones", "must be a probability below 1"),
    ({"rappor": {"zeros": -0.1}}, ".rappor.zeros", "must be a probability below 1"),
    ({"rappor": {"ones": 0.7501}}, ".rappor.ones", "in whole thousandths"),
    ({"rappor": {"ones": "often"}}, ".rappor.ones", "must be a number"),
]


@for_each("mechanism, path, rule", REFUSED)
def test_words_that_break_a_rule_are_refused(mechanism: object, path: str, rule: str) -> None:
    with pytest.raises(PlanError) as refused:
        Plan.of(mode(mechanism))
    assert refused.value.field == f"attributes[0].mechanism{path}"
    assert rule in refused.value.rule


def test_words_that_would_take_a_device_long_are_refused() -> None:
    many = {**MODE, "values": list(range(4096)), "mechanism": {"rappor": {"cohorts": 64}}}
    assert Plan.of(author(attributes=[many])).cohorts == 64
    many["mechanism"] = {"rappor": {"cohorts": 64, "hashes": 5, "bits": 512}}
    with pytest.raises(PlanError, match="must have codewords of at most 1048576 bits in all"):
        Plan.of(author(attributes=[many]))
    many["mechanism"] = {"bloom": {"hashes": 6}}
    with pytest.raises(PlanError, match="and would have 35456: name bits"):
        Plan.of(author(attributes=[many]))


def test_cohorts_are_of_devices_so_there_are_equally_many_for_all_attributes() -> None:
    other = {**MODE, "name": "other", "mechanism": {"rappor": {"cohorts": 4}}}
    with pytest.raises(PlanError, match="cohorts must be equally many in all attributes"):
        Plan.of(mode({"rappor": {"cohorts": 8}}, other))
    assert Plan.of(mode({"rappor": {"cohorts": 4}}, other)).cohorts == 4
    assert Plan.of(mode("bloom", other)).cohorts == 4


def test_a_secret_plan_has_none_nor_a_sample_that_is_worked_out() -> None:
    with pytest.raises(PlanError, match="must be oue in a plan with secret allocation"):
        Plan.of(mode("bloom", allocation="secret"))
    with pytest.raises(PlanError, match="must be a number in a plan with bloom"):
        Plan.of(mode("bloom", share={"sample": "auto"}))
    assert Plan.of(mode("bloom", AGE, share={"sample": 1})).sample == 1


def test_personal_ranges_are_for_numbers_reported_as_such() -> None:
    ranged = {**AGE, "ranges": [[16, 40]], "mechanism": "bloom"}
    with pytest.raises(PlanError, match="must be with a mechanism for numbers"):
        Plan.of(author(attributes=[ranged]))


def test_words_that_confuse_values_are_refused_where_an_author_writes_them_only() -> None:
    stated = {"rappor": {"hashes": 1, "bits": 2, "cohorts": 4}}
    asked = {"name": "q", "kind": "categorical", "values": ["a", "b"], "mechanism": stated}
    author = {"name": "t", "attributes": [asked], "budget": {"levels": [1]}}
    data = Plan.of(author).to_bytes()
    more = [f'"{letter}"' for letter in "abcdefghijklmnopqrstuvwxyz"]
    confused = data.replace(b'"a","b"', ",".join(more).encode())
    confused = confused.replace(b'"fallback":"b"', b'"fallback":"z"')
    plan = Plan.from_bytes(confused)
    assert plan.questions["q"].encoding.ambiguous
    asked["values"] = list("abcdefghijklmnopqrstuvwxyz")
    with pytest.raises(PlanError, match=r"attributes\[0\].mechanism: must have codewords that"):
        Plan.of(author)
