"""Sketches of texts keep what every law keeps; their codewords are those of the reference."""

import hashlib
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from discretion.crowd.shapes import draw
from discretion.mechanism import OPEN, Buckets, Encoding, Hashed, Signs
from discretion.mechanism.encoding import codeword
from discretion.mechanism.hashed import hashed
from discretion.mechanism.sketch import bucket
from discretion.randomness import ByteSource
from discretion.schema.text import FINGERPRINTS, PRIME, Text, fingerprint
from discretion.table.sketch import fingerprints
from tests.cases import for_each
from tests.contract import conformance
from tests.contract.conformance import Check, follows
from tests.contract.enumeration import distribution
from tests.contract.exponential import exp_lower

SMALL = {
    "orr": Encoding(FINGERPRINTS, 1, 3, 2),
    "hcms": Encoding(FINGERPRINTS, 1, 4, 2),
    "cms": Encoding(FINGERPRINTS, 1, 4, 2),
    "orappor": Encoding(FINGERPRINTS, 2, 5, 2),
    "orappor told again": Encoding(FINGERPRINTS, 2, 4, 2, (750, 500)),
}
LEVELS = (250, 1000, 3500)
TEXTS = ("", "a", "ä", "example.org", "x" * 500)
LISTED: tuple[Check, ...] = (
    conformance.law_is_normalised,
    conformance.privacy_loss_is_at_most_the_level,
    conformance.privacy_loss_nearly_reaches_the_level,
    conformance.stated_ratio_is_the_largest,
    conformance.sampler_is_the_law,
    conformance.likelihood_is_that_of_the_support,
    conformance.possible_is_what_has_a_positive_probability,
    conformance.width_is_the_same_at_every_level_and_holds_every_output,
    conformance.words_follow_the_law,
    conformance.crowd_follows_the_law,
)


def orr(size: int, level: int) -> Hashed:
    return hashed(size, level, Buckets(3, 3))


def hcms(size: int, level: int) -> Hashed:
    return hashed(size, level, Signs(2, 2))


@for_each("level", LEVELS)
@for_each("mechanism", [orr, hcms])
@for_each("check", LISTED)
def test_hashed_cells_pass_with_a_few_fingerprints(
    check: Check, mechanism: Callable[[int, int], Hashed], level: int
) -> None:
    check(mechanism, 5, level)


@for_each("level", LEVELS)
@for_each("name", SMALL)
def test_texts_are_told_apart_by_no_more_than_the_level(name: str, level: int) -> None:
    """By enumeration over all outputs: normalised, what is drawn, and the largest ratio."""
    encoding = SMALL[name]
    law = OPEN[name.split()[0]](encoding, level)
    rows = []
    for code in map(fingerprint, TEXTS):
        probabilities = {y: law.probability(y, code) for y in law.outputs()}
        assert sum(probabilities.values()) == 1
        assert distribution(partial(law.perturb, code)) == probabilities
        rows.append(probabilities)
    largest = max(max(r[y] for r in rows) / min(r[y] for r in rows) for y in law.outputs())
    assert 1 < largest <= law.ratio <= exp_lower(Fraction(level, 1000))
    assert all(0 <= y < 256**law.n_bytes and law.form.admits(y) for y in law.outputs())


@pytest.mark.parametrize("name", SMALL)
def test_the_crowd_draws_what_a_device_would(name: str) -> None:
    laws = [OPEN[name.split()[0]](SMALL[name], level) for level in (1000, 3000)]
    code, n = fingerprint("example.org"), 20_000
    which = np.arange(2).repeat(n)
    drawn = draw(laws, which, np.full(2 * n, code), np.random.default_rng(5))
    for i, law in enumerate(laws):
        seen = Counter(int.from_bytes(y.tobytes(), "little") for y in drawn[which == i])
        follows(seen, law, laws[1 - i], code)


@pytest.mark.parametrize("text", TEXTS)
def test_a_cell_is_what_the_page_of_the_format_says(text: str) -> None:
    """Written once more from docs/proofs/hashing.md, with nothing shared."""
    digest = hashlib.sha256(text.encode()).digest()
    u, w = (int.from_bytes(digest[i : i + 8], "big") % (2**31 - 1) for i in (0, 8))
    line = hashlib.sha256(b"cohort 3 1").digest()
    a, b, c = (int.from_bytes(line[i : i + 8], "big") % (2**31 - 1) for i in (0, 8, 16))
    assert bucket(3, fingerprint(text), 100, 1) == (a * u + b * w + c) % PRIME * 100 // PRIME


def test_fingerprints_of_many_are_those_of_each() -> None:
    assert fingerprints(TEXTS).tolist() == [fingerprint(text) for text in TEXTS]


def test_a_word_has_as_many_different_bits_as_it_must() -> None:
    encoding = Encoding(FINGERPRINTS, 16, 17, 3)
    for code in map(fingerprint, TEXTS):
        assert {codeword(encoding, cohort, code).bit_count() for cohort in range(3)} == {16}


def test_texts_are_composed_and_never_refused() -> None:
    text = Text("t")
    assert text.answer("a\u0308") == text.answer("ä") == "ä"
    assert text.answer("\ud800") == "\ufffd"
    assert text.answer(5.0) == text.answer("5") == "5"
    assert text.code("b") == text.encode("b", ByteSource(random.Random(1).randbytes))
    assert text.answer(10**5000) == ""
