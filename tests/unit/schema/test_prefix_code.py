"""Prefix codes: texts to bits and back, with rules for whatever a text may be."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discretion.errors import EstimateError
from discretion.plan.public_text import huffman, public_code
from discretion.randomness import system
from discretion.schema import CodedText
from discretion.schema.prefix_code import Bits, ByteCode, Code, Decoded, HuffmanCode, canonical
from tests.cases import for_each

TINY = HuffmanCode("ab", {"": "2222", "\n": "1233", "ab": "3312"})
STEMS = ("the", "then", "there", "gather", "Größe", "größer")
MADE = public_code([stem + ending for stem in STEMS for ending in ("", "r", "t", "he", "re")] * 9)
CODES: dict[str, Code] = {"tiny": TINY, "made": MADE, "bytes": ByteCode()}
BITS = 60


def text_of(code: Code, bits: int = BITS) -> CodedText:
    return CodedText("word", code, bits)


@for_each("name", CODES)
@given(said=st.text(max_size=12))
def test_what_is_encoded_is_decoded_or_too_long(name: str, said: str) -> None:
    attribute = text_of(CODES[name])
    answer = attribute.answer(said)
    word, code = attribute.codeword(answer), attribute.code(said)
    assert code == attribute.encode(answer, system())
    assert 0 <= code < attribute.size
    if word == attribute.prefix_code.other:
        assert attribute.decode(code, BITS) == Decoded(None, word.length)
    else:
        assert attribute.decode(code, BITS) == Decoded(answer, word.length)
        assert attribute.decode(code >> BITS - word.length, word.length) == (answer, word.length)


@for_each("name", CODES)
def test_no_codeword_begins_with_another_and_krafts_sum_is_at_most_one(name: str) -> None:
    code = CODES[name]
    texts = ("".join(each) for n in range(4) for each in itertools.product("abé", repeat=n))
    words = [joined(code, text) for text in texts] + [code.other]
    assert sum(Fraction(1, 1 << word.length) for word in words) <= 1
    for one, other in itertools.permutations(words, 2):
        assert one.length > other.length or other.value >> other.length - one.length != one.value


def joined(code: Code, text: str) -> Bits:
    value = length = 0
    for bits in code.codewords(text):
        value, length = value << bits.length | bits.value, length + bits.length
    return Bits(value, length)


def test_the_longest_context_counts_and_the_start_is_one() -> None:
    start, plain, after = (canonical(TINY.contexts[context]) for context in ("\n", "", "ab"))
    assert [*TINY.codewords("aba")] == [start[0], plain[1], after[0], plain[2]]
    assert canonical("1233") == (Bits(0, 1), Bits(0b10, 2), Bits(0b110, 3), Bits(0b111, 3))


def test_every_prefix_is_a_text_goes_on_or_is_nothing() -> None:
    attribute = text_of(TINY, 36)
    found = {prefix: attribute.decode(prefix, 7) for prefix in range(1 << 7)}
    said = {each.text for each in found.values() if isinstance(each, Decoded)}
    assert {"", "a", "b", "aa", "ab"} <= said
    for prefix, each in found.items():
        longer = [attribute.decode(prefix << 1 | bit, 8) for bit in (0, 1)]
        if isinstance(each, Decoded):
            assert longer == [each, False]  # nothing but zeros stands behind a codeword
        elif each:
            assert any(longer)
        else:
            assert not any(longer)


@for_each(
    "said, same",
    [("a\u0308", "ä"), ("\ud800", "\ufffd"), (5, "5"), (True, "yes")],
)
def test_texts_are_compared_as_people_see_them(said: object, same: str) -> None:
    attribute = text_of(MADE)
    if said is True:
        same = attribute.answer(True)
    assert attribute.code(said) == attribute.code(same)


@for_each("name", CODES)
def test_the_longest_texts_count_as_one(name: str) -> None:
    attribute = text_of(CODES[name])
    other = attribute.padded(attribute.prefix_code.other)
    assert attribute.code("x" * 1_000_000) == attribute.code("é" * 1_000) == other
    assert attribute.code("") != other


def test_bytes_have_no_zero_and_must_be_utf_8() -> None:
    attribute = text_of(ByteCode(), 40)
    assert attribute.code("a\0") == attribute.code("too long") == 0xFF << 32
    assert attribute.decode(0xC3_28_00_00_00, 40) is False  # no UTF-8
    assert attribute.decode(0x61_CC_88_00_00, 40) is False  # not composed
    assert attribute.decode(0x61_00_00_01_00, 40) is False  # bits behind the end


def test_public_texts_become_short_and_rare_ones_long() -> None:
    attribute = text_of(MADE, 200)
    assert len(MADE.contexts) > 1
    assert attribute.codeword("there").length < attribute.codeword("ereth").length
    assert "日" not in MADE.alphabet
    word = attribute.codeword("日本")
    assert attribute.decode(attribute.padded(word), 200) == ("日本", word.length)


def test_lengths_are_those_of_huffman_and_never_above_a_digit() -> None:
    assert sorted(huffman([5, 1, 1, 1])) == list("1233")
    fibonacci = [1, 1]
    while len(fibonacci) < 30:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    lengths = [int(digit, 16) for digit in huffman(fibonacci)]
    assert max(lengths) <= 15
    assert sum(Fraction(1, 1 << length) for length in lengths) == 1


def test_the_same_public_texts_make_the_same_code_and_some_must_be_there() -> None:
    assert public_code(iter(["b", "a", "ab", "ba"])) == public_code(["ba", "ab", "a", "b"])
    with pytest.raises(EstimateError, match="characters in common"):
        public_code(["\t", "x"])
