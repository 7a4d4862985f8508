"""The vectors of what a device is given: plans, budgets and values, those that it refuses as well.

A reason is the name under which another language's device refuses; Python tells the rule, of which
``rule`` is a part.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

from discretion.budget import Budget
from discretion.errors import BudgetError, DiscretionError, PlanError, RecordError, UnknownAttribute
from discretion.plan import Plan
from discretion.plan.document import canonical
from discretion.schema import MOMENTS
from tests.golden.plans import worded
from tests.golden.prefixes import prefixes_plan
from tests.plans import (
    assigned_commuters,
    author,
    bundled_commuters,
    bundled_numbers,
    coded_commuters,
    commuters,
    conditional_commuters,
    dated_commuters,
    ranged_commuters,
    sampled_commuters,
    secret_commuters,
    texts,
)

LABELS = {
    "name": "label",
    "kind": "categorical",
    "values": ["1", "0.5", "1e-05", "True", "é", "2"],
}
OTHER = {"name": "known", "kind": "categorical", "values": ["other", "b"], "mechanism": "grr"}
GRID = {"name": "grid", "kind": "numeric", "range": [-0.5, 1.5], "step": 0.1}
BINS = {**GRID, "name": "bins", "bins": [-0.5, 0, 0.3, 1.5]}
TABLED = {**GRID, "name": "tabled", "mechanism": "optimal"}
VARIED: list[dict[str, Any]] = [
    {**LABELS, "mechanism": {"idldp": {"shares": {"1": 0.5}}}},
    {**BINS, "mechanism": {"uldp": {"sensitive": ["[-0.5, 0.0)", "[0.3, 1.5]"]}}},
    {**GRID, "mechanism": {"uldp": {"sensitive": ["-0.1", "0.0", "1.0"]}}},
    {**OTHER, "mechanism": {"metric": {"places": [[0, 1], [3, -2]]}}},
]

KEPT = {"name": "age", "kind": "numeric", "range": [0, 10], "step": 1, "rounding": "kept"}
PLANS: dict[str, Callable[[], Plan]] = {
    "commuters": commuters,
    "secret": secret_commuters,
    "bundled": bundled_commuters,
    "numbers": bundled_numbers,
    "ranged": ranged_commuters,
    "sampled": sampled_commuters,
    "coded": coded_commuters,
    "assigned": assigned_commuters,
    "conditional": conditional_commuters,
    "dated": dated_commuters,
    "levels": lambda: Plan.of(author(budget={"levels": [0.5, 1, 2, 4]})),
    "two": lambda: Plan.of(author(share={"least": 2})),
    "total": lambda: Plan.of(author(budget={"total": 8.0, "spread": 1.5})),
    "labels": lambda: Plan.of(author(attributes=[LABELS, OTHER, GRID, BINS])),
    "texts": texts,
    "variants": lambda: Plan.of(author(attributes=VARIED)),
    "optimal": lambda: Plan.of(author(attributes=[TABLED], budget={"levels": [0.5, 1]})),
    "worded": lambda: Plan.of(author(**worded())),
    "groups": lambda: Plan.of(author(groups=16, owners=1600)),
    "kept": lambda: Plan.of(author(attributes=[KEPT])),
    "bits": lambda: Plan.of(author(attributes=[{**LABELS, "mechanism": "dbitflip"}])),
    "staged": lambda: Plan.of(author(attributes=[{**LABELS, "mechanism": "lgrr"}])),
}
ONES = [{"name": name, "kind": "categorical", "values": ["no", "yes"]} for name in "abc"]
VIEWS: dict[str, Any] = {
    "attributes": ONES,
    "bundles": [["a", "b"], ["a", "b", "c"]],
    "share": {"sample": 1, "weights": {"a": 2, "a+b": 3}, "sizes": {2: 0.5, 3: 1}},
    "budget": {"levels": [0.5, 1]},
}
SPOILED = {**PLANS, "views": lambda: Plan.of(author(**VIEWS)), "prefixes": prefixes_plan}
Epsilons = Mapping[str, object]
ALLOWED: list[tuple[str, Epsilons, Mapping[str, Any]]] = [
    ("commuters", {"income": 0.5, "mode": 3.5}, {}),
    ("commuters", {"age": 2}, {}),
    ("commuters", {"mode": 0.25, "age": 0.25, "income": 5.5}, {}),
    ("bundled", {"mode+age": 4.5, "home": 1}, {}),
    ("ranged", {"income": 2}, {"income": [0, 100000]}),
    ("ranged", {"income": 2}, {"income": [0, 200000]}),
    ("dated", {"rise": 2}, {"rise": ["06:00", "09:00"]}),
    ("dated", {"rise": 2}, {"rise": [360, 540]}),
    ("levels", {"mode": 4, "age": 4, "income": 4}, {}),
    ("total", {"mode": 4, "age": 4}, {}),
]
REFUSED: list[tuple[str, Epsilons, Mapping[str, Any], str, str | None, str]] = [
    ("commuters", {"mode": 0.3}, {}, "level_off_menu", "mode", "mode: level must be on"),
    ("commuters", {"mode": 6.25}, {}, "level_off_menu", "mode", "mode: level must be on"),
    ("bundled", {"mode+age": 4.75}, {}, "level_off_menu", "mode+age", "level must be on"),
    ("commuters", {"mode": 2.25}, {}, "over_budget", None, "1 shared attributes may spend at most"),
    ("commuters", {"mode": 4, "age": 0.25}, {}, "over_budget", None, "2 shared attributes may"),
    ("bundled", {"mode+age": 4, "home": 2.25}, {}, "over_budget", None, "3 shared attributes"),
    ("total", {"mode": 2.5, "age": 4}, {}, "below_least", "mode", "each of 2 attributes must get"),
    ("commuters", {}, {}, "too_few_attributes", None, "at least 1 attributes must be shared"),
    ("two", {"mode": 2}, {}, "too_few_attributes", None, "at least 2 attributes must be shared"),
    (
        "sampled",
        {"mode": 2, "age": 2, "income": 2},
        {},
        "too_many_answers",
        None,
        "at most 2 are reported",
    ),
    (
        "bundled",
        {"mode+age": 4, "age": 1},
        {},
        "repeated_attribute",
        "age",
        "age: must be reported alone or in one bundle",
    ),
    ("commuters", {"shoes": 1}, {}, "unknown_attribute", "shoes", "the plan has no attribute"),
    ("commuters", {"mode": 0}, {}, "not_thousandths", "mode", "epsilon must be above zero"),
    ("commuters", {"mode": -1}, {}, "not_thousandths", "mode", "epsilon must be above zero"),
    ("commuters", {"mode": 0.2505}, {}, "not_thousandths", "mode", "a whole number of thousandths"),
    ("commuters", {"mode": "2"}, {}, "not_thousandths", "mode", "epsilon must be a number"),
    ("commuters", {"mode": True}, {}, "not_thousandths", "mode", "epsilon must be a number"),
    ("commuters", {"mode": None}, {}, "not_thousandths", "mode", "epsilon must be a number"),
    ("ranged", {"income": 2}, {"income": [0, 1]}, "range_off_menu", "income", "range must be on"),
    ("commuters", {"income": 2}, {"income": [0, 1]}, "range_off_menu", "income", "has none"),
    ("ranged", {"mode": 2}, {"income": [0, 100000]}, "range_not_shared", "income", "a range must"),
]
EVEN: list[tuple[str, list[str] | None]] = [
    *((name, None) for name in PLANS if name != "sampled"),
    ("commuters", ["income"]),
    ("bundled", ["age+home", "mode"]),
    ("sampled", ["age", "mode"]),
]
SENSITIVITIES: list[tuple[str, dict[str, object]]] = [
    ("commuters", {"mode": 1, "age": 1, "income": 1}),
    ("commuters", {"mode": 0.1, "age": 3, "income": 1e-3}),
    ("commuters", {"income": 7, "mode": 2.5}),
    ("bundled", {"mode+age": 2, "home": 3}),
    ("bundled", {"age+home": 0.3, "mode": 100}),
    ("levels", {"mode": 1, "age": 2, "income": 3}),
    ("levels", {"mode": 1, "age": 1.999, "income": 100}),
    ("total", {"mode": 1, "age": 2, "income": 3}),
    ("sampled", {"age": 0.7, "income": 1.3}),
    ("numbers", {"a+b": 1, "c": 2}),
]
DATES = (
    *("1970-01-01", "1969-12-31", "0001-01-01", "0000-12-31", "9999-12-31", "2024-02-29"),
    *("2023-02-29", "1900-02-29", "2000-02-29", "2024-13-01", "2024-04-31", "2024-1-1", ""),
    *("24-01-01", "2024-01-01T00:00", " 2024-01-01", "2024-01-01\n", "٢٠٢٤-٠١-٠١", "0099-03-01"),
)
TIMES = (
    *("00:00", "23:59", "24:00", "24:00:00", "24:00:01", "06:40:30", "12:60", "12:30:60", "6:40"),
    *("06:40:3", "06:40:30.5", "25:00", "-1:00", "06.40", "", " 06:40", "06:40\n", "٠٦:٤٠"),
)
LONG = "1" + "0" * 399
VALUES: list[tuple[str, object]] = [
    *(("label", value) for value in ("1", 1, 1.0, 2.0, 0.5, 1e-5, True, False, "é", "e", "", -0.0)),
    *(("label", value) for value in (1e22, 10**15, 0.1, [], ["1"], {"1": 1})),
    *(("known", value) for value in ("b", "c", "other", "B", 7)),
    *(("grid", value) for value in (0.123, -0.5, -7, 7, 1.5, 1, 1e-300, 5e-324, 1e300, -1e300)),
    *(("grid", value) for value in ("0.123", " 1.4999 ", "1e-3", ".5", "5.", "-0", "1_0", "+1E0")),
    *(("grid", value) for value in ("inf", "-Infinity", "1e400", "-1e401", "1e9999", LONG + "00")),
    *(("grid", value) for value in ("0e-999", "0.1" + "0" * 100, 0.30000000000000004, "1e-400")),
    *(("grid", value) for value in ("1e-401", "-1e-99999", "0." + "3" * 405, "0.5" + "0" * 405)),
    *(("bins", value) for value in (-9, -0.5, -0.01, 0, 0.29, 0.3, "0.2999", 1.5, 9, "inf")),
]
NO_BINS: tuple[object, ...] = ("--1", [], [1], {}, "1 2")
NO_NUMBERS: list[tuple[str, object, str]] = [
    *(("grid", value, "not_a_number") for value in ("", "x", "1,5", "0x1", "nan", ".", "1e", True)),
    *(("bins", value, "not_a_number") for value in NO_BINS),
]


def plan_vectors() -> Iterator[dict[str, object]]:
    for why, data in bad_plans():
        try:
            Plan.from_bytes(data)
        except PlanError as error:
            yield {"why": why, "field": error.field, "hex": data.hex()}
        else:
            raise AssertionError(why)


def bad_plans() -> Iterator[tuple[str, bytes]]:
    """Yield bytes that are no plan: not canonical, or such that a device must not follow them."""
    good = commuters().to_bytes()
    yield "nothing", b""
    yield "a list", b"[]"
    yield "null", b"null"
    yield "cut off", good[:-1]
    yield "a space", good.replace(b":", b": ", 1)
    yield "a line", good + b"\n"
    yield "a mark", b"\xef\xbb\xbf" + good
    yield "no UTF-8", good.replace(b"car", b"c\xff")
    yield "a fraction", good.replace(b'"step":250', b'"step":250.0')
    yield "an escape", good.replace(b"car", b"c\\u0061r")
    yield "a key twice", good.replace(b'"format":1', b'"format":1,"format":1')
    yield "another format", good.replace(b'"format":1', b'"format":2')
    yield "other order", b'{"name":"commuters",' + good[1:].replace(b'"name":"commuters",', b"")
    for why, name, change in CHANGES:
        document = json.loads(SPOILED[name]().to_bytes())
        change(document)
        yield why, canonical(document)


def _at(*path: Any, value: Any = None) -> Callable[[Any], None]:
    """Return what sets a place in a document; None takes it out."""

    def change(document: Any) -> None:
        for step in path[:-1]:
            document = document[step]
        if value is None:
            del document[path[-1]]
        else:
            document[path[-1]] = value

    return change


def _more(document: Any) -> None:
    """Write a table that tells more than its level."""
    document["tables"]["500"] = document["tables"]["1000"]


def _row(document: Any) -> None:
    document["tables"]["500"][0][0] += 1


def _bundled(document: Any) -> None:
    document |= {"bundles": [["page", "word"]], "contract": "record"}


def _paired(document: Any) -> None:
    document |= {"bundles": [["label", "known"]], "contract": "record"}


def _many(document: Any) -> None:
    values = [str(code) for code in range(257)]
    stated = {"values": values, "fallback": "0", "mechanism": {"uldp": {"sensitive": ["0"]}}}
    document["attributes"][0] |= stated


def _parted(document: Any) -> None:
    values = [str(code) for code in range(17)]
    stated = {"idldp": {"shares": list(range(100, 117))}}
    document["attributes"][0] |= {"values": values, "fallback": "0", "mechanism": stated}


_FIRST = ("attributes", 0)
_SHARES = (*_FIRST, "mechanism", "idldp", "shares")
_SENSITIVE = ("attributes", 1, "mechanism", "uldp", "sensitive")
_POINTS = ("attributes", 2, "mechanism", "uldp", "sensitive")
_PLACES = ("attributes", 3, "mechanism", "metric", "places")
_GROUPS = ("attributes", 1, "mechanism", "prefixes", "groups")
WORDS = {"hashes": 2, "bits": 8}
CELLS = {"cells": 8, "cohorts": 1}
EVEN_COINS = {**WORDS, "cohorts": 3, "ones": 500, "zeros": 500}
BUNDLE = {"attributes": ["mode", "home"], "levels": 2}
_OLH, _OWN = (*_FIRST, "mechanism", "olh"), {"function": "assigned"}
_LABELS = ("wording", "attributes", 0, "labels")
_SECTION = ("wording", "sections", 0, "attributes")
_HOURS, _SHIFT = ("attributes", 2, "applies"), ("attributes", 3, "applies", 0)
_WEEK = ("attributes", 3, "applies", 0, "range")
_WORKERS, _NA = ["employed", "own shop"], "not applicable"
_WORKING = {"attribute": "work", "values": _WORKERS}
_OPEN = {"uldp": {"sensitive": ["yes"]}}


def _turned(document: Any) -> None:
    document["attributes"][2]["applies"].reverse()


CHANGES: list[tuple[str, str, Callable[[Any], None]]] = [
    ("an unknown field", "commuters", _at("extra", value=1)),
    ("no attributes", "commuters", _at("attributes", value=[])),
    ("an unknown mechanism", "commuters", _at(*_FIRST, "mechanism", value="rot13")),
    ("a function of nobody", "assigned", _at(*_OLH, "function", value="mine")),
    ("a function that is drawn, said", "assigned", _at(*_OLH, "function", value="drawn")),
    ("no function", "assigned", _at(*_OLH, "function")),
    ("more of a function", "assigned", _at(*_OLH, "seed", value=1)),
    ("a function of no hash", "assigned", _at(*_FIRST, "mechanism", value={"the": _OWN})),
    ("a method's name", "commuters", _at(*_FIRST, "mechanism", value="constructor")),
    ("a label twice", "commuters", _at(*_FIRST, "values", value=["walk", "walk"])),
    ("one label", "commuters", _at(*_FIRST, "values", value=["walk"])),
    ("a control character", "commuters", _at("name", value="a\u0085b")),
    ("a foreign blank", "commuters", _at("name", value="a\u00a0b")),
    ("a long name", "commuters", _at("name", value="a" * 201)),
    ("a blank name", "commuters", _at("name", value=" ")),
    ("an unknown fallback", "commuters", _at(*_FIRST, "fallback", value="tram")),
    ("not the other one", "labels", _at("attributes", 1, "fallback", value="b")),
    ("a number's mechanism", "commuters", _at(*_FIRST, "mechanism", value="pm")),
    ("a text with labels", "commuters", _at(*_FIRST, "kind", value="text")),
    ("an unknown kind", "commuters", _at(*_FIRST, "kind", value="image")),
    ("a step that divides nothing", "commuters", _at("attributes", 2, "step", value=501)),
    ("no step", "commuters", _at("attributes", 2, "step", value=0)),
    ("too many points", "commuters", _at("attributes", 2, "range", value=[0, 500 << 20])),
    ("too many labels", "commuters", _at("attributes", 1, "range", value=[0, 4096])),
    ("too many points for ranges", "ranged", _at("attributes", 1, "step", value=10)),
    ("a range upside down", "commuters", _at("attributes", 2, "range", value=[9, 0])),
    ("edges off the grid", "bundled", _at("attributes", 1, "bins", value=[16, 31, 60, 99])),
    ("edges that fall", "bundled", _at("attributes", 1, "bins", value=[16, 60, 30, 100])),
    ("a range off the grid", "ranged", _at("attributes", 1, "ranges", value=[[1, 1000]])),
    ("a range twice", "ranged", _at("attributes", 1, "ranges", value=[[0, 200000]])),
    ("a level above all", "levels", _at("budget", "levels", value=[500, 20001])),
    ("levels that fall", "levels", _at("budget", "levels", value=[2000, 1000])),
    ("a level of nothing", "levels", _at("budget", "levels", value=[0, 1000])),
    ("an average above most", "commuters", _at("budget", "average", value=6001)),
    ("a narrow spread", "total", _at("budget", "spread", value=999)),
    ("no policy", "commuters", _at("budget", value={"step": 1})),
    ("another contract", "commuters", _at("contract", value="record")),
    ("another contract's", "bundled", _at("contract", value="attribute")),
    ("more than there is", "commuters", _at("share", "least", value=4)),
    ("a draw of more", "sampled", _at("share", "sample", value=4)),
    ("a draw of none", "sampled", _at("share", "sample", value=0)),
    ("an open secret", "secret", _at(*_FIRST, "mechanism", value="subset")),
    ("a secret number", "secret", _at("attributes", 1, "bins")),
    ("a bundle of one", "bundled", _at("bundles", value=[["mode"]])),
    ("a bundle of unknowns", "bundled", _at("bundles", value=[["mode", "shoes"]])),
    ("numbers in cells", "numbers", _at("bundles", value=[["a", "b"]])),
    ("labels at levels", "bundled", _at("bundles", 0, value={**BUNDLE, "mechanism": "grr"})),
    ("signs at three levels", "numbers", _at("bundles", 1, "levels", value=3)),
    ("no hashes", "coded", _at(*_FIRST, "mechanism", "rappor", "hashes", value=0)),
    ("too few bits", "coded", _at(*_FIRST, "mechanism", "rappor", "bits", value=2)),
    ("a sure coin", "coded", _at(*_FIRST, "mechanism", "rappor", "ones", value=1000)),
    ("coins the wrong way", "coded", _at(*_FIRST, "mechanism", "rappor", "zeros", value=750)),
    ("no bits at all", "bits", _at(*_FIRST, "mechanism", "dbitflip", "bits", value=0)),
    ("more bits than codes", "bits", _at(*_FIRST, "mechanism", "dbitflip", "bits", value=7)),
    ("a bare name of bits", "bits", _at(*_FIRST, "mechanism", value="dbitflip")),
    ("a first report of nothing", "staged", _at(*_FIRST, "mechanism", "lgrr", "first", value=0)),
    ("a first report of all", "staged", _at(*_FIRST, "mechanism", "lgrr", "first", value=1000)),
    ("buckets of direct answers", "staged", _at(*_FIRST, "mechanism", "lgrr", "buckets", value=2)),
    (
        "hashed without buckets",
        "staged",
        _at(*_FIRST, "mechanism", value={"loloha": {"first": 500}}),
    ),
    (
        "one bucket",
        "staged",
        _at(*_FIRST, "mechanism", value={"loloha": {"buckets": 1, "first": 1}}),
    ),
    ("no first report", "staged", _at(*_FIRST, "mechanism", value={"lgrr": {}})),
    ("a bare name in two stages", "staged", _at(*_FIRST, "mechanism", value="losue")),
    ("two stages drawn anew", "staged", _at("again", value="fresh")),
    ("a label's mechanism", "texts", _at(*_FIRST, "mechanism", value="grr")),
    ("a label's words", "texts", _at(*_FIRST, "mechanism", value={"bloom": WORDS})),
    ("a text's mechanism", "commuters", _at(*_FIRST, "mechanism", value={"orr": CELLS})),
    ("two mechanisms", "texts", _at(*_FIRST, "mechanism", "cms", value=CELLS)),
    ("no mechanism", "texts", _at(*_FIRST, "mechanism", value={})),
    ("a bare mechanism", "texts", _at(*_FIRST, "mechanism", value="hcms")),
    ("one cell", "texts", _at("attributes", 1, "mechanism", "orr", "cells", value=1)),
    ("too many cells", "texts", _at("attributes", 1, "mechanism", "orr", "cells", value=32769)),
    ("no power of two", "texts", _at(*_FIRST, "mechanism", "hcms", "cells", value=1000)),
    ("no cohorts", "texts", _at(*_FIRST, "mechanism", "hcms", "cohorts", value=0)),
    ("too many cohorts", "texts", _at("attributes", 1, "mechanism", "orr", "cohorts", value=1025)),
    ("cohorts of two numbers", "texts", _at(*_FIRST, "mechanism", "hcms", "cohorts", value=4)),
    ("cells and bits", "texts", _at(*_FIRST, "mechanism", "hcms", "bits", value=8)),
    ("too many hashes", "texts", _at("attributes", 2, "mechanism", "orappor", "hashes", value=17)),
    ("bits for no other", "texts", _at("attributes", 2, "mechanism", "orappor", "bits", value=2)),
    ("one coin", "texts", _at("attributes", 2, "mechanism", "orappor", "ones", value=750)),
    ("even coins", "texts", _at("attributes", 2, "mechanism", value={"orappor": EVEN_COINS})),
    ("a secret text", "texts", _at("allocation", value="secret")),
    ("a bundle of texts", "texts", _bundled),
    ("too few shares", "variants", _at(*_SHARES, value=[500, 1000])),
    ("a share of nothing", "variants", _at(*_SHARES, 0, value=0)),
    ("more than a level", "variants", _at(*_SHARES, 0, value=1001)),
    ("shares by label", "variants", _at(*_SHARES, value={"1": 500})),
    ("too many different shares", "variants", _parted),
    ("no sensitive value", "variants", _at(*_SENSITIVE, value=[])),
    ("an unknown bin", "variants", _at(*_SENSITIVE, value=["[0, 0.3)"])),
    ("a bin twice", "variants", _at(*_SENSITIVE, value=["[0.0, 0.3)"] * 2)),
    ("bins that fall", "variants", _at(*_SENSITIVE, value=["[0.3, 1.5]", "[0.0, 0.3)"])),
    (
        "nothing open",
        "variants",
        _at(*_SENSITIVE, value=["[-0.5, 0.0)", "[0.0, 0.3)", "[0.3, 1.5]"]),
    ),
    ("too few owners for groups", "groups", _at("owners", value=1599)),
    ("groups without owners", "groups", _at("owners")),
    ("owners without groups", "groups", _at("groups")),
    ("groups that no byte has", "groups", _at("groups", value=15)),
    ("groups beside rounds drawn anew", "groups", _at("again", value="fresh")),
    ("rounding that is not kept", "kept", _at("attributes", 0, "rounding", value="coin")),
    ("kept rounding beside rounds drawn anew", "kept", _at("again", value="fresh")),
    ("kept rounding of bins", "kept", _at("attributes", 0, "bins", value=[0, 5, 10])),
    ("kept rounding of a label", "commuters", _at("attributes", 0, "rounding", value="kept")),
    ("a size of views alone", "views", _at("share", "sizes", "3")),
    ("no sizes", "views", _at("share", "sizes", value={})),
    ("a size that is no number", "views", _at("share", "sizes", "x", value=2000)),
    ("a size with a zero before it", "views", _at("share", "sizes", "04", value=2000)),
    ("sizes at falling levels", "views", _at("share", "sizes", "3", value=250)),
    ("a weight of nothing", "views", _at("share", "weights", "a", value=0)),
    ("a weight of what is no question", "views", _at("share", "weights", "b+c", value=1)),
    ("a view without a weight", "views", _at("share", "weights", "a+b")),
    ("a group beyond all bits", "prefixes", _at(*_GROUPS, value=[8, 22, 36, 50, 36])),
    ("groups that fall", "prefixes", _at(*_GROUPS, value=[8, 36, 22, 36])),
    ("a group after the last", "prefixes", _at(*_GROUPS, value=[8, 22, 36, 22, 36])),
    ("too many groups", "prefixes", _at(*_GROUPS, value=[8, 22, *[36] * 31])),
    ("a point off the grid", "variants", _at(*_POINTS, value=["0.05"])),
    ("a point that is a number", "variants", _at(*_POINTS, value=[1])),
    ("a place twice", "variants", _at(*_PLACES, value=[[1, 2], [1, 2]])),
    ("a place too few", "variants", _at(*_PLACES, value=[[1, 2]])),
    ("a place in space", "variants", _at(*_PLACES, value=[[0, 0, 0], [0, 0, 1]])),
    ("a place on a line and one in a plane", "variants", _at(*_PLACES, value=[[0], [0, 1]])),
    ("a bare place", "variants", _at(*_PLACES, value=[0, 1])),
    ("a place too far", "variants", _at(*_PLACES, 0, 0, value=1000001)),
    ("places by order", "variants", _at("attributes", 3, "mechanism", "metric", value={})),
    ("a scale", "variants", _at("attributes", 3, "mechanism", "metric", "scale", value=1000)),
    ("a bare variant", "variants", _at(*_FIRST, "mechanism", value="metric")),
    ("two variants", "variants", _at(*_FIRST, "mechanism", "metric", value={})),
    ("a variant of many values", "variants", _many),
    ("a variant in a bundle", "variants", _paired),
    ("a secret variant", "variants", _at("allocation", value="secret")),
    ("a text's variant", "texts", _at(*_FIRST, "mechanism", value={"uldp": {"sensitive": ["a"]}})),
    ("a table of a higher level", "optimal", _more),
    ("a row that is no law", "optimal", _row),
    ("no table for a level", "optimal", _at("tables", "500")),
    ("empty wording", "commuters", _at("wording", value={})),
    ("wording that is text", "commuters", _at("wording", value="a")),
    ("an unknown text", "worded", _at("wording", "colour", value="red")),
    ("a text that is not composed", "worded", _at("wording", "title", value="e\u0301")),
    ("a text that turns around", "worded", _at("wording", "title", value="a\u202eb")),
    ("a blank text", "worded", _at("wording", "title", value="\u200d")),
    ("a bell", "worded", _at("wording", "title", value="\x07")),
    ("a text too long", "worded", _at("wording", "title", value="🚗" * 201)),
    ("a number for a text", "worded", _at("wording", "title", value=7)),
    ("letters that look alike", "worded", _at("wording", "asker", value="p\u0430y")),
    ("a text without the first language", "worded", _at("wording", "title", value={"ar": "a"})),
    ("a text in an unknown language", "worded", _at("wording", "title", "de", value="a")),
    ("a language twice", "worded", _at("wording", "languages", 2, value="ar")),
    ("a language by name", "worded", _at("wording", "languages", 2, value="Persian")),
    ("languages that no text has named", "worded", _at("wording", "languages")),
    ("a label too few", "worded", _at(*_LABELS, 0)),
    ("labels alike", "worded", _at(*_LABELS, 0, value="foot")),
    ("labels of a number", "worded", _at("wording", "attributes", 1, "labels", value=["a"])),
    ("wording of nothing", "worded", _at("wording", "attributes", 1, "unit")),
    ("wording of another attribute", "worded", _at("wording", "attributes", 1, "name", value="a")),
    ("wording twice", "worded", _at("wording", "attributes", 1, "name", value="mode")),
    ("a section of another attribute", "worded", _at(*_SECTION, 0, value="age")),
    ("an attribute twice in a section", "worded", _at(*_SECTION, 0, value="mode")),
    ("an id of no plan", "worded", _at("replaces", value="A" * 64)),
    ("a condition on itself", "conditional", _at(*_HOURS, 1, "attribute", value="hours")),
    ("a condition on what stands below", "conditional", _at(*_SHIFT, "attribute", value="rest")),
    ("a condition on nothing", "conditional", _at(*_SHIFT, "attribute", value="shoes")),
    ("no conditions", "conditional", _at(*_HOURS, value=[])),
    ("conditions in another order", "conditional", _turned),
    ("a condition twice", "conditional", _at(*_HOURS, 0, value=_WORKING)),
    ("an unknown label", "conditional", _at(*_HOURS, 1, "values", value=["own shop", "sleeping"])),
    ("labels in another order", "conditional", _at(*_HOURS, 1, "values", value=_WORKERS[::-1])),
    ("every label", "conditional", _at(*_HOURS, 1, "values", value=[*_WORKERS, "retired"])),
    (
        "not applicable, where it always applies",
        "conditional",
        _at(*_HOURS, 1, "values", value=[_NA]),
    ),
    ("no label", "conditional", _at(*_HOURS, 1, "values", value=[])),
    (
        "labels of a number",
        "conditional",
        _at(*_HOURS, 0, value={"attribute": "age", "values": ["18"]}),
    ),
    (
        "numbers of labels",
        "conditional",
        _at(*_HOURS, 1, value={"attribute": "work", "range": [0, 1]}),
    ),
    ("a range that falls", "conditional", _at(*_HOURS, 0, "range", value=[66, 18])),
    ("a range of one end", "conditional", _at(*_HOURS, 0, "range", value=[18])),
    ("a range beyond the grid", "conditional", _at(*_HOURS, 0, "range", value=[18, 101])),
    ("a range between points", "conditional", _at(*_SHIFT, "range", value=[103, 800])),
    ("a range of all numbers", "conditional", _at(*_SHIFT, "range", value=[0, 800])),
    ("labels and numbers", "conditional", _at(*_HOURS, 1, "range", value=[18, 66])),
    ("a condition without values", "conditional", _at(*_HOURS, 1, "values")),
    ("a condition of a number without bins", "conditional", _at("attributes", 2, "bins")),
    ("a condition of a variant", "conditional", _at("attributes", 4, "mechanism", value=_OPEN)),
    ("a condition of a text", "texts", _at(*_FIRST, "applies", value=[_WORKING])),
    (
        "a reserved label",
        "conditional",
        _at("attributes", 4, "values", value=["not\u00a0applicable", "no"]),
    ),
    ("a date with an exponent", "dated", _at(*_FIRST, "exponent", value=0)),
    ("a date that nobody can write", "dated", _at(*_FIRST, "range", 0, value=-719_168)),
    ("a time after midnight", "dated", _at("attributes", 2, "range", 1, value=1455)),
    ("a date in words", "dated", _at(*_FIRST, "range", 0, value="1999-12-25")),
    ("a step of half a day", "dated", _at(*_FIRST, "step", value=0.5)),
    ("a step of a week, said", "dated", _at(*_FIRST, "step", value="week")),
    (
        "a condition on a day between weeks",
        "dated",
        _at("attributes", 3, "applies", 0, "range", 0, value=18322),
    ),
    ("tables for nothing", "commuters", _at("tables", value={"500": [[1, 1], [1, 1]]})),
]


def _budget(name: str, make: Callable[[Plan], Budget], **given: object) -> dict[str, object]:
    budget = make(PLANS[name]())
    made = {"levels": list(budget.levels.items()), "places": list(budget.ranges.items())}
    return {"plan": name, **given, **made}


def budget_vectors() -> Iterator[dict[str, object]]:
    for name, epsilons, ranges in ALLOWED:
        given = {"epsilons": list(epsilons.items()), "ranges": ranges}
        yield _budget(name, lambda plan, e=epsilons, r=ranges: Budget.of(plan, e, r), **given)  # type: ignore[misc]
    for name, names in EVEN:
        yield _budget(name, lambda plan, n=names: Budget.even(plan, n), even=names)  # type: ignore[misc]
    for name, weights in SENSITIVITIES:
        given = {"sensitivities": list(weights.items())}
        yield _budget(name, lambda plan, w=weights: Budget.by_sensitivity(plan, w), **given)  # type: ignore[misc]


def refused_budgets() -> Iterator[dict[str, object]]:
    for name, epsilons, ranges, reason, field, rule in REFUSED:
        error = _refusal(lambda n=name, e=epsilons, r=ranges: Budget.of(PLANS[n](), e, r))  # type: ignore[misc]
        assert isinstance(error, BudgetError | UnknownAttribute)
        assert rule in str(error), (rule, str(error))
        where = {"plan": name, "epsilons": list(epsilons.items()), "ranges": ranges}
        yield {**where, "reason": reason, "field": field, "rule": str(error)}


def answer_vectors() -> Iterator[dict[str, object]]:
    plan = PLANS["labels"]()
    for name, value in VALUES:
        yield {
            "attribute": name,
            "value": value,
            "answer": plan.questions[name].attribute.answer(value),
        }
    for name, value, reason in NO_NUMBERS:
        error = _refusal(lambda n=name, v=value: plan.questions[n].attribute.answer(v))  # type: ignore[misc]
        assert isinstance(error, RecordError), (name, value)
        yield {"attribute": name, "value": value, "reason": reason, "rule": error.rule}


def moment_vectors() -> Iterator[dict[str, object]]:
    """Yield what is written, and the number that it is; null where it is no date, or no time."""
    for kind, text in (*product(["date"], DATES), *product(["time"], TIMES)):
        try:
            number: str | None = str(MOMENTS[kind].exact(text))
        except ValueError:
            number = None
        yield {"kind": kind, "text": text, "number": number}


def _refusal(make: Callable[[], object]) -> DiscretionError:
    try:
        make()
    except DiscretionError as error:
        return error
    raise AssertionError("it was not refused")


def inputs() -> dict[str, object]:
    return {
        "plans": {name: make().to_bytes().decode() for name, make in PLANS.items()},
        "ids": {name: make().id for name, make in PLANS.items()},
        "laws": {name: made.law_id for name, make in PLANS.items() if (made := make()).replaces},
        "refused_plans": list(plan_vectors()),
        "budgets": list(budget_vectors()),
        "refused_budgets": list(refused_budgets()),
        "answers": list(answer_vectors()),
        "moments": list(moment_vectors()),
    }
