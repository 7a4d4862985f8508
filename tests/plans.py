"""Plans that tests share, as their authors write them."""

from functools import cache
from itertools import combinations
from typing import Any

from discretion.plan import Plan

MODE = {"name": "mode", "kind": "categorical", "values": ["car", "bus", "train", "bike", "walk"]}
AGE = {"name": "age", "kind": "numeric", "range": [16, 100], "step": 1, "mechanism": "grr"}
INCOME = {"name": "income", "kind": "numeric", "range": [0, 200000], "step": 500}
TEMPERATURE = {
    "name": "temperature",
    "kind": "numeric",
    "range": [-0.5, 1.5],
    "step": 0.1,
    "bins": [-0.5, 0, 0.3, 1.5],
}
AGE_GROUP = {"name": "age", "kind": "numeric", "range": [16, 100], "step": 1, "mechanism": "grr"}
AGE_GROUP |= {"bins": [16, 30, 60, 100]}
HOME = {"name": "home", "kind": "categorical", "values": ["town", "country"], "mechanism": "oue"}
WORK: dict[str, Any] = {
    "name": "work",
    "kind": "categorical",
    "values": ["employed", "own shop", "retired"],
}
HOURS: dict[str, Any] = {
    "name": "hours",
    "kind": "numeric",
    "range": [0, 80],
    "step": 0.5,
    "bins": [0, 20, 40, 80],
}
HOURS |= {"applies": {"work": ["own shop", "employed"], "age": [18, 66]}}
SHIFT: dict[str, Any] = {
    "name": "shift",
    "kind": "categorical",
    "values": ["early", "late", "night"],
}
SHIFT |= {"mechanism": "grr", "applies": {"hours": [10.5, 80]}}
REST: dict[str, Any] = {"name": "rest", "kind": "categorical", "values": ["yes", "no"]}
REST |= {"applies": {"shift": ["not applicable", "night"]}}
AVERAGE = {"average": 2.0, "least": 0.25, "most": 6.0}


def author(**changes: Any) -> dict[str, Any]:
    """Return the commuters' plan with some fields changed; None leaves a field out."""
    whole = {"name": "commuters", "attributes": [MODE, AGE, INCOME], "budget": AVERAGE, **changes}
    return {key: value for key, value in whole.items() if value is not None}


@cache
def commuters() -> Plan:
    return Plan.of(author())


@cache
def secret_commuters() -> Plan:
    return Plan.of(author(attributes=[MODE, TEMPERATURE], allocation="secret"))


@cache
def bundled_commuters() -> Plan:
    """Two bundles that overlap: an owner can report one of them."""
    bundles = [["mode", "age"], ["age", "home"]]
    return Plan.of(author(attributes=[MODE, AGE_GROUP, HOME], bundles=bundles))


RANGES = [[0, 100000], [20000, 60000]]
NUMBERS = [{"name": name, "kind": "numeric", "range": [0, 2], "step": 1} for name in "abc"]


@cache
def ranged_commuters() -> Plan:
    """Incomes may be told in all of the range or in parts of it."""
    return Plan.of(author(attributes=[MODE, {**INCOME, "ranges": RANGES}]))


@cache
def sampled_commuters() -> Plan:
    """A device draws two of the three questions."""
    return Plan.of(author(budget={"total": 6.0, "spread": 1.5}, share={"sample": 2}))


@cache
def viewed_commuters() -> Plan:
    """A device reports one view of four attributes: a pair, or from a level of 2 on a triple."""
    attributes = [MODE, HOME, AGE_GROUP, TEMPERATURE]
    names = ["mode", "home", "age", "temperature"]
    pairs, triples = ([list(v) for v in combinations(names, k)] for k in (2, 3))
    share = {"sample": 1, "weights": {"mode+home": 3}, "sizes": {2: 0.5, 3: 2}}
    budget = {"levels": [0.5, 1, 2, 4]}
    return Plan.of(
        author(attributes=attributes, budget=budget, bundles=[*pairs, *triples], share=share)
    )


@cache
def bundled_numbers() -> Plan:
    """Three numbers, of which two are one report: at three levels, or by their signs."""
    bundles = [
        {"attributes": ["a", "b"], "levels": 3},
        {"attributes": ["a", "c"], "mechanism": "duchi"},
    ]
    return Plan.of(author(attributes=NUMBERS, bundles=bundles))


@cache
def coded_commuters() -> Plan:
    """Words of two bits among fourteen, in three cohorts."""
    mechanism = {"rappor": {"hashes": 2, "bits": 14, "cohorts": 3}}
    return Plan.of(author(attributes=[{**MODE, "mechanism": mechanism}, HOME]))


@cache
def hashed_commuters() -> Plan:
    """Cells of polynomials and of parities."""
    attributes = [{**MODE, "mechanism": "olh"}, {**HOME, "mechanism": "hadamard"}]
    return Plan.of(author(attributes=attributes))


MOVED: dict[str, Any] = {"name": "moved", "kind": "date", "range": ["1999-12-25", "2026-05-23"]}
MOVED |= {"step": "week"}
VISIT: dict[str, Any] = {"name": "visit", "kind": "date", "range": ["2024-01-01", "2024-12-31"]}
VISIT |= {"bins": ["2024-01-01", "2024-02-29", "2024-12-31"]}
RISE: dict[str, Any] = {"name": "rise", "kind": "time", "range": ["04:00", "24:00"], "step": 15}
RISE |= {"ranges": [["06:00", "09:00"]], "mechanism": "laplace"}
TIRED: dict[str, Any] = {"name": "tired", "kind": "categorical", "values": ["yes", "no"]}
TIRED |= {"applies": {"moved": ["2020-02-29", "2026-05-23"], "rise": ["04:00", "07:30"]}}


@cache
def dated_commuters() -> Plan:
    """Dates by week and in bins, a time of day in steps, and a question for some people only."""
    return Plan.of(author(attributes=[MOVED, VISIT, RISE, TIRED]))


@cache
def conditional_commuters() -> Plan:
    """Questions for some people only, one after the other; two of them may be a bundle."""
    attributes = [{**AGE, "mechanism": "window"}, WORK, HOURS, SHIFT, REST]
    return Plan.of(author(attributes=attributes, bundles=[["work", "hours"]]))


@cache
def assigned_commuters() -> Plan:
    """The same, by functions that come with the credential."""
    attributes = [
        {**MODE, "mechanism": {"olh": {"function": "assigned"}}},
        {**HOME, "mechanism": {"hadamard": {"function": "assigned"}}},
    ]
    return Plan.of(author(attributes=attributes))


@cache
def texts() -> Plan:
    """Three questions without a list of answers, in three cohorts."""
    cells = {"page": {"hcms": {"cells": 64}}, "word": {"orr": {"cells": 5}}}
    cells |= {"shop": {"orappor": {"hashes": 2, "bits": 14}}}
    attributes = [
        {"name": name, "kind": "text", "mechanism": {key: {**parts, "cohorts": 3}}}
        for name, mechanism in cells.items()
        for key, parts in mechanism.items()
    ]
    return Plan.of(author(attributes=attributes))


ITEMS = ["milk", "rye", "tea", "oil", "other"]
BASKET: dict[str, Any] = {"name": "basket", "kind": "set", "items": ITEMS, "length": 2}
STARS: dict[str, Any] = {"name": "stars", "kind": "map", "keys": ["a", "b", "c"], "length": 2}
STARS |= {"range": [1, 5], "step": 1}
APPS: dict[str, Any] = {"name": "apps", "kind": "set", "items": "text", "length": 2}
APPS |= {"mechanism": {"cover": {"cells": 16, "cohorts": 4}}}


@cache
def shop() -> Plan:
    """A set and a map, each with a menu of lengths, beside labels."""
    attributes = [{**BASKET, "length": [2, 4]}, {**STARS, "length": [1, 3]}, MODE, HOME]
    return Plan.of(author(name="shop", attributes=attributes, budget={"levels": [0.5, 1, 2, 4]}))
