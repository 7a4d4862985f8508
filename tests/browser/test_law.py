"""What devices in a browser send follows the laws that Python states."""

from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Any, TypeGuard

import pytest
from playwright.sync_api import Browser, Page

from discretion.mechanism import (
    CODED,
    MECHANISMS,
    NUMBERS,
    OPEN,
    OPTIMAL,
    SAMPLED,
    SETS,
    STAGED,
    VARIANTS,
    Hashed,
    Law,
)
from discretion.plan import Family, Plan
from discretion.table import ReportTable
from tests.collector.serving import Server
from tests.significance import ALPHA, p_value

DEVICES, TOGETHER = 20_000, 100
LEVEL, OTHER_LEVEL = 1000, 500
VALUES = ["a", "b", "c"]
MANY = 1 << 16  # functions, of which few are drawn twice
CLASSES = 7  # of functions
GRID = {"kind": "numeric", "range": [0, 8], "step": 1}
WORDS: dict[str, Any] = {
    "she": "she",
    "bloom": {"bloom": {"hashes": 2, "bits": 5}},
    "rappor": {"rappor": {"hashes": 1, "bits": 3, "cohorts": 2, "ones": 0.9, "zeros": 0.1}},
}
TEXTS: dict[str, Any] = {
    "orr": {"orr": {"cells": 3, "cohorts": 2}},
    "hcms": {"hcms": {"cells": 8, "cohorts": 2}},
    "cms": {"cms": {"cells": 4, "cohorts": 2}},
    "orappor": {"orappor": {"hashes": 2, "bits": 5, "cohorts": 2, "ones": 0.9, "zeros": 0.1}},
}
VARIED: dict[str, Any] = {
    "idldp": {"idldp": {"shares": {"a": 0.6}}},
    "uldp": {"uldp": {"sensitive": ["a", "c"]}},
    "metric": {"metric": {"places": {"a": [0, 0], "b": [1, 1], "c": [3, 0]}, "scale": 2}},
}
BASKET = {"name": "cover", "kind": "set", "items": VALUES, "length": 2}
KEPT: dict[str, Any] = {name: {name: {"first": 0.9}} for name in ("lgrr", "losue")}
OWN = {"loloha": {"loloha": {"first": 0.9}}, "dbitflip": {"dbitflip": {"bits": 2}}}  # cohorts
OTHERS = {"loloha": VALUES, "dbitflip": [*VALUES, "d"]}
LABELS = {name: name for name in MECHANISMS} | WORDS | VARIED | KEPT
BUNDLES = (["cell", "grr"], {"attributes": ["pm", "sw", "hm"], "mechanism": "duchi"})
NUMBERED = {"attributes": ["duchi", "window"], "levels": 3}
RECORD: dict[str, Any] = dict.fromkeys((*LABELS, *OWN, "cell"), "b")
RECORD |= dict.fromkeys((*NUMBERS, OPTIMAL), 1)
RECORD |= dict.fromkeys(TEXTS, "a\u0308 homepage \U0001f6b2")
RECORD["cover"] = ["a", "b"]


def _plan(attributes: list[dict[str, Any]], **more: Any) -> Plan:
    levels = [OTHER_LEVEL / 1000, LEVEL / 1000]
    return Plan.of({"name": "law", "attributes": attributes, "budget": {"levels": levels}, **more})


def _labels() -> list[dict[str, Any]]:
    named = {**LABELS, "cell": "oue"}
    return [
        {"name": name, "kind": "categorical", "values": VALUES, "mechanism": mechanism}
        for name, mechanism in named.items()
    ]


def _numbers() -> list[dict[str, Any]]:
    return [{"name": name, **GRID, "mechanism": name} for name in (*NUMBERS, OPTIMAL)]


def _texts() -> list[dict[str, Any]]:
    return [{"name": name, "kind": "text", "mechanism": TEXTS[name]} for name in TEXTS]


@cache
def _plans() -> dict[str, Plan]:
    """Return a plan with every mechanism by itself, and one with every kind of bundle."""
    everything = [*_labels(), *_numbers(), *_texts(), BASKET]
    bundled = _plan(everything, bundles=[*BUNDLES, NUMBERED])
    return {"alone": _plan(everything), "bundled": bundled} | {
        name: _plan(
            [
                {
                    "name": name,
                    "kind": "categorical",
                    "values": OTHERS[name],
                    "mechanism": OWN[name],
                }
            ]
        )
        for name in OWN
    }


NAMES = [("alone", name) for name in (*LABELS, *NUMBERS, OPTIMAL, *TEXTS, "cover")]
NAMES += [(name, name) for name in OWN]
NAMES += [("bundled", name) for name in ("cell+grr", "pm+sw+hm", "duchi+window")]


CROWD = """async ({ plan: text, epsilons, record, devices, together }) => {
  const { budgetOf, readPlan, report } = await import("/static/device/index.js");
  const { memory } = await import("/static/device/stores/memory.js");
  const plan = await readPlan(new TextEncoder().encode(text));
  const budget = budgetOf(plan, epsilons);
  const reports = [];
  while (reports.length < devices) {
    const some = Array.from({ length: together }, () =>
      report(plan, memory(), record, budget, { pace: 0 }));
    for (const bytes of await Promise.all(some)) reports.push(new TextDecoder().decode(bytes));
  }
  return reports;
}"""


@pytest.fixture(scope="module")
def answers(browser: Browser, server: Server) -> dict[str, dict[str, Counter[int]]]:
    """How often each y was sent, by plan and name."""
    page = browser.new_page()
    page.goto(f"{server.url}/static/device/index.js")
    found = {key: _answers(page, key) for key in _plans()}
    page.close()
    return found


def _answers(page: Page, key: str) -> dict[str, Counter[int]]:
    plan = _plans()[key]
    names = {name: len(plan.questions[name].parts) for which, name in NAMES if which == key}
    given = {
        "plan": plan.to_bytes().decode(),
        "epsilons": {name: parts * LEVEL / 1000 for name, parts in names.items()},
        "record": RECORD,
        "devices": DEVICES,
        "together": TOGETHER,
    }
    reports = ReportTable.from_reports(plan, map(str.encode, page.evaluate(CROWD, given)))
    assert len(reports) == DEVICES
    return {name: _counts(reports, name) for name in names}


def _counts(reports: ReportTable, name: str) -> Counter[int]:
    ((_, ys),) = reports.answers(name)
    assert len(ys) == DEVICES
    return Counter(int.from_bytes(y.tobytes(), "little") for y in ys)


def _law(plan: Plan, name: str, level: int) -> dict[int, Fraction]:
    """Return the law of what is sent; between two levels, a mixture of theirs."""
    if plan.questions[name].family is not Family.BLOCKS:
        value = [RECORD[part] for part in plan.questions[name].parts]
        code = plan.questions[name].attribute.code(value if len(value) > 1 else value[0])
        return _probabilities(plan.questions[name].law(level), code)
    law: Law = plan.questions[name].law(level)
    parts: Any = plan.questions[name].attribute.parts
    mixture = {0: Fraction(1)}
    for part in parts:
        below, rest = divmod(RECORD[part.name] * (part.size - 1), part.number.size - 1)
        share = Fraction(rest, part.number.size - 1)
        ends = {below: 1 - share, below + 1: share} if rest else {below: Fraction(1)}
        mixture = {
            cell * part.size + end: weight * p
            for cell, weight in mixture.items()
            for end, p in ends.items()
        }
    whole: Counter[int] = Counter()
    for cell, weight in mixture.items():
        for y, p in _probabilities(law, cell).items():
            whole[y] += weight * p  # type: ignore[assignment]
    return dict(whole)  # type: ignore[arg-type]


def _probabilities(law: Law, code: int) -> dict[int, Fraction]:
    if _is_large(law):
        return _supports(law, code)
    return {y: law.probability(y, code) for y in law.outputs()}


def _is_large(law: Law) -> TypeGuard[Hashed]:
    return isinstance(law, Hashed) and law.hashing.functions > MANY


def _supports(law: Hashed, code: int) -> dict[int, Fraction]:
    """Return how often each set of the three codes is what lies in the reported cell."""
    two, three = law.hashing.sharing(2), law.hashing.sharing(3)
    beside = law.hashing.n_buckets - 1
    apart, together = 1 - 2 * two + three, two - three  # of one code, with the other two
    kept = law.bucket_means[0]
    own = [kept * apart, kept * together, kept * three]
    other = [(1 - kept) / beside * p for p in (beside - 2 * apart - together, apart, together)]
    probabilities = {}
    for held in range(1 << law.size):
        mine = held >> code & 1
        probabilities[held] = (own if mine else other)[held.bit_count() - mine]
    return probabilities


def _looked_at(law: Law, seen: Counter[int]) -> Counter[int]:
    """Return how often each y was sent; if there are too many, what lies in their cells."""
    if not _is_large(law):
        return seen
    found: Counter[int] = Counter()
    for y, times in seen.items():
        found[law.support(y)] += times
    return found


@pytest.mark.parametrize("key, name", NAMES)
def test_reports_follow_the_law_and_the_test_would_notice_if_not(
    key: str, name: str, answers: dict[str, dict[str, Counter[int]]]
) -> None:
    plan = _plans()[key]
    parts = len(plan.questions[name].parts)
    seen = _looked_at(plan.questions[name].law(parts * LEVEL), answers[key][name])
    p = p_value(seen, _law(plan, name, parts * LEVEL))
    assert p > ALPHA, f"{DEVICES} devices, p = {p}"
    wrong = p_value(seen, _law(plan, name, parts * OTHER_LEVEL))
    assert wrong < ALPHA, f"{DEVICES} devices, p = {wrong} under the law of another level"


def test_functions_are_drawn_uniformly(answers: dict[str, dict[str, Counter[int]]]) -> None:
    laws = {name: _plans()["alone"].questions[name].law(LEVEL) for name in MECHANISMS}
    large = {name: law.hashing for name, law in laws.items() if _is_large(law)}
    assert set(large) == {"blh", "olh"}
    for name, hashing in large.items():
        lowest, highest = Counter[int](), Counter[int]()
        for y, times in answers["alone"][name].items():
            function = y // hashing.n_buckets
            lowest[function % CLASSES] += times
            highest[function * CLASSES // hashing.functions] += times
        even = {each: Fraction(1, CLASSES) for each in range(CLASSES)}  # to a part in 10^12
        for seen in (lowest, highest):
            p = p_value(seen, even)
            assert p > ALPHA, f"{DEVICES} devices, p = {p}"


def test_every_mechanism_is_tried() -> None:
    tried = {plan.questions[name].mechanism for plan in _plans().values() for name in plan.names}
    assert tried == {
        *MECHANISMS,
        *NUMBERS,
        *CODED,
        *OPEN,
        *VARIANTS,
        *SETS,
        *STAGED,
        *SAMPLED,
        OPTIMAL,
    }
