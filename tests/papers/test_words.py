"""The study of texts and itemsets: its methods find what many say, and its page is whole."""

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from discretion.discovery import search
from papers.page import summary, write
from papers.study import Findings, measure
from papers.words.chains import _packed, cce
from papers.words.crowd import World
from papers.words.itemsets import Baskets
from papers.words.study import LARGE, METHODS, SMALL, Words, nobody
from tests.cases import for_each

SAID = Counter({"apple": 60, "pear": 30, "plum": 9, "quincequince": 1})
PUBLIC = Counter({"apple": 2, "peach": 3, "plum": 2})
N = 400_000
BYTES = {"code": "bits", "bits": 56}  # of six characters, and of the end


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "BEAM", 16)


def world() -> World:
    return World.of("words", Counter({**SAID, "rare": 2, "once": 1}), PUBLIC)


def counts_of(made: World) -> np.ndarray:
    return np.round(made.shares * N).astype(np.int64)


def test_worlds_have_words_or_keys_of_the_same_shares() -> None:
    made = world()
    assert made.said == ["apple", "pear", "plum", "rare"]
    assert made.shares.sum() == pytest.approx(1)
    assert made.unseen().said == ["pear", "rare"]
    keys = made.keys()
    assert [len(key.encode()) for key in keys.said] == [6] * 4
    assert (keys.shares == made.shares).all()
    assert keys.plan([4]).questions["word"].attribute.document["discover"] == BYTES


@for_each("name", METHODS)
def test_methods_find_what_most_say_with_its_share(name: str) -> None:
    made, rng = world(), np.random.default_rng(4)
    found, shares = METHODS[name](made.texts, counts_of(made), 6, rng)
    code = made.texts.codes[made.said.index("apple")]
    assert code in found.tolist()
    share = shares[found.tolist().index(code)]
    assert share == pytest.approx(made.shares[made.said.index("apple")], abs=0.1)


def test_circles_of_n_grams_find_keys_and_no_others() -> None:
    keys = world().keys()
    found, _ = cce(keys.texts, counts_of(keys), 6, np.random.default_rng(5))
    assert {*found.tolist()} <= {*keys.texts.codes.tolist()}
    assert len(found) >= 2
    packed = _packed(keys.texts.codes, keys.texts, 1)
    assert packed.shape == (4, 9)
    again = _packed(keys.texts.codes, keys.texts, 2)
    assert (packed[:, :6] == again[:, :6]).all()
    assert (packed[:, 6:] != again[:, 6:]).any()


def test_itemsets_are_scored_against_those_of_the_baskets() -> None:
    baskets = Baskets.of(["1 2 3", "1 2", "2", "5000 1", "7"])
    assert baskets.n == 5
    assert baskets.shares[1,] == pytest.approx(0.6)
    assert baskets.shares[1, 2] == pytest.approx(0.4)
    assert baskets.f1(baskets.shares, 1) == min(len(baskets.shares), 32) / 32
    assert baskets.asked({(1, 2): 0.0, (3, 9): 1.0}) == 1 / 32


def test_the_study_measures_checks_and_writes_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("papers.words.study.of_python", lambda: PUBLIC)
    few = {name: METHODS[name] for name in (LARGE, SMALL)}
    monkeypatch.setattr("papers.words.study.METHODS", few)
    study = Words(runs=1, owners=0.05)
    rows = {"word": [*SAID], "count": [float(n + 1) for n in SAID.values()]}
    baskets = ["1 2 3", "1 2", "2 4", "1 3 4"] * 300
    steps = study.steps({"words": pa.table(rows), "retail": pa.table({"items": baskets})})
    asked = {step.title.partition(", run")[0]: step for step in steps}
    found: Findings = measure([*asked.values()], workers=1)
    assert found.mean("recall", "words", (4,), "discover") > 0
    assert found.mean("F1", "all", 4, "focus") > 0
    page = write(study, found, tmp_path).read_text(encoding="utf-8")
    assert "| words, ε = 4 |" in page
    assert "bars" in summary(list(study.checks(found)))


def test_nobodys_texts_are_not_found() -> None:
    assert [value for _, value in nobody(world(), 500, 3)] == [0.0]
