"""Texts that nobody expected have a documented code, and reports of one length."""

from unicodedata import normalize

import discretion as ds
from discretion.device import Device, State
from discretion.schema import CodedText
from tests.cases import for_each
from tests.golden.prefixes import prefixes_plan

ODD = {
    "empty": "",
    "usual": "the",
    "longer than the code allows": "x" * 61,
    "characters outside the alphabet": "日本語のテキスト",
    "a combining form": "a\u0308rger",
    "a form that grows when it is composed": "\ufdfa" * 3,
    "a control character": "\0",
    "the last character": "\U0010ffff",
    "the direction turned": "\u202eeht",
    "a megabyte": "the " * 250_000,
    "nothing but combining marks": "\u0301" * 100_000,
    "half of a pair": "a\ud800",
}


@for_each("name", ODD)
def test_every_text_has_a_code_and_a_report_of_the_same_length(name: str) -> None:
    plan, text = prefixes_plan(), ODD[name]
    budget = ds.Budget.of(plan, dict.fromkeys(plan.names, 1))
    with State() as state:
        device = Device(plan, state)
        usual, odd = (
            len(device.report(dict.fromkeys(plan.names, own), budget, round).to_bytes())
            for round, own in enumerate(("the", text), 1)
        )
    assert odd == usual
    for question in plan.questions.values():
        attribute = question.attribute
        assert isinstance(attribute, CodedText)
        known = normalize("NFC", text).replace("\ud800", "\ufffd")
        assert attribute.code(text) == attribute.code(known)
        word = attribute.codeword(attribute.answer(text))
        assert 0 < word.length <= attribute.bits
        found = attribute.decode(attribute.padded(word), attribute.bits)
        assert isinstance(found, tuple)
        assert found.text in (known, None)
        assert (found.text is None) == (word == attribute.prefix_code.other)
