"""Every rule of an author's plan: what is refused, where, and in which words."""

from pathlib import Path
from typing import Any

import pytest

from discretion.budget import Average
from discretion.errors import NoSuchFile, PlanError
from discretion.plan import Plan
from tests.cases import for_each
from tests.plans import (
    AGE,
    AGE_GROUP,
    AVERAGE,
    HOME,
    INCOME,
    MODE,
    NUMBERS,
    TEMPERATURE,
    author,
)


def mode(**changes: Any) -> dict[str, Any]:
    return author(attributes=[AGE, {**MODE, **changes}])


def age(**changes: Any) -> dict[str, Any]:
    return author(attributes=[{**AGE, **changes}])


def without(attribute: dict[str, Any], field: str) -> dict[str, Any]:
    return author(attributes=[{k: v for k, v in attribute.items() if k != field}])


def budget(**fields: Any) -> dict[str, Any]:
    return author(budget=fields)


def bundles(*bundles: Any, **changes: Any) -> dict[str, Any]:
    whole = {"attributes": [MODE, AGE_GROUP, HOME, INCOME], "bundles": list(bundles), **changes}
    return author(**whole)


def secret(*attributes: dict[str, Any]) -> dict[str, Any]:
    return author(attributes=list(attributes), allocation="secret")


def numbers(*bundles: Any, **changes: Any) -> dict[str, Any]:
    whole = {"attributes": [MODE, AGE_GROUP, *NUMBERS], "bundles": list(bundles), **changes}
    return author(**whole)


def optimal(**changes: Any) -> dict[str, Any]:
    return author(attributes=[{**AGE, "mechanism": "optimal"}], **changes)


MANY = list(range(1000))
PLUS = ("a+b", "c", "a", "b+c")
REFUSED: list[tuple[object, str, str]] = [
    # the whole
    (None, "plan", "must be a mapping"),
    ([], "plan", "must be a mapping"),
    (author(name=None), "name", "must be there"),
    (author(attributes=None), "attributes", "must be there"),
    (author(budget=None), "budget", "must be there"),
    (author(colour="red"), "colour", "must be one of the fields again, allocation"),
    ({True: 1}, "True", "must be one of the fields"),
    (author(name=2024), "name", "must be text (put it in quotes)"),
    (author(name=" "), "name", "must be 1 to 200 printable characters"),
    (author(name="n" * 201), "name", "must be 1 to 200 printable characters"),
    (author(name="a\nb"), "name", "must be 1 to 200 printable characters"),
    (author(name="\ud800"), "name", "must be 1 to 200 printable characters"),
    (author(allocation="hidden"), "allocation", "must be one of disclosed, secret"),
    (author(allocation=True), "allocation", "must be one of disclosed, secret"),
    (author(contract="owner"), "contract", "must be one of attribute, record"),
    (author(contract="record"), "contract", "must be attribute in a plan without bundles"),
    (author(share=2), "share", "must be a mapping"),
    (author(share={}), "share.least", "must be there"),
    (author(share={"least": 0}), "share.least", "must be a whole number from 1 to 3"),
    (author(share={"least": 4}), "share.least", "must be a whole number from 1 to 3"),
    (author(share={"least": 1.5}), "share.least", "must be a whole number from 1 to 3"),
    (author(share={"least": True}), "share.least", "must be a number"),
    (author(share={"least": 1, "most": 2}), "share.most", "must be one of the fields least"),
    (author(again="never"), "again", "must be one of memo, fresh"),
    (author(again={"every": 4}), "again.every", "must be one of the fields rotate"),
    (author(again={"rotate": []}), "again.rotate", "must be a list with at least one item"),
    (author(again={"rotate": [13, 4]}), "again.rotate", "must rise"),
    (author(again={"rotate": [1]}), "again.rotate[0]", "must be a whole number from 2 to 1000"),
    (
        author(attributes=[{**MODE, "mechanism": "rappor"}], again="fresh"),
        "again",
        "must be memo in a plan with 'mode', whose permanent answer is to be remembered",
    ),
    (
        author(attributes=[{**AGE, "rounding": "coin"}]),
        "attributes[0].rounding",
        "must be one of kept",
    ),
    (
        author(attributes=[{**AGE, "rounding": "kept", "bins": [16, 40, 100]}]),
        "attributes[0].rounding",
        "must be of a number without bins",
    ),
    (
        author(attributes=[{**AGE, "rounding": "kept"}], again="fresh"),
        "again",
        "must be memo in a plan with 'age', whose rounding is kept",
    ),
    (author(groups=64), "groups", "must stand beside owners"),
    (author(owners=64), "owners", "must stand beside groups"),
    (author(groups=50, owners=9000), "groups", "must be one of 16, 32, 64, 128, 256"),
    (author(groups=64, owners=6399), "owners", "must be 6,400 or more: 100 in each of 64 groups"),
    (author(groups=64, owners=6400, again="fresh"), "groups", "must be in a plan with again: memo"),
    # attributes
    (author(attributes=[]), "attributes", "must be a list with at least one item"),
    (author(attributes={"mode": MODE}), "attributes", "must be a list with at least one item"),
    (author(attributes=[MODE, "age"]), "attributes[1]", "must be a mapping"),
    (author(attributes=[MODE, AGE, MODE]), "attributes", "names must differ (mode, mode)"),
    (mode(name=7), "attributes[1].name", "must be text"),
    (mode(name=""), "attributes[1].name", "must be 1 to 200 printable characters"),
    (without(MODE, "name"), "attributes[0].name", "must be there"),
    (without(MODE, "kind"), "attributes[0].kind", "must be there"),
    (mode(kind="nominal"), "attributes[1].kind", "must be one of categorical, ordinal, numeric"),
    (mode(colour=1), "attributes[1].colour", "must be one of the fields"),
    (
        mode(range=[0, 1]),
        "attributes[1].range",
        "must be one of the fields applies, fallback, help",
    ),
    (
        age(values=["a", "b"]),
        "attributes[0].values",
        "must be one of the fields applies, bins, help",
    ),
    (mode(mechanism="unheard of"), "attributes[1].mechanism", "must be one of auto, grr, sue, oue"),
    (mode(mechanism=["oue"]), "attributes[1].mechanism", "must be one of auto, grr, sue, oue"),
    # labels
    (without(MODE, "values"), "attributes[0].values", "must be there"),
    (mode(values="car"), "attributes[1].values", "must be a list with at least one item"),
    (mode(values=["car"]), "attributes[1]", "must have 2 to 4096 values"),
    (mode(values=["car", "car"]), "attributes[1].values", "labels must differ"),
    (mode(values=["1", 1]), "attributes[1].values", "labels must differ"),
    (mode(values=[True, False]), "attributes[1].values[0]", "must be text (put it in quotes)"),
    (mode(values=["car", None]), "attributes[1].values[1]", "must be text (put it in quotes)"),
    (mode(values=["car", 1.5]), "attributes[1].values[1]", "must be text (put it in quotes)"),
    (mode(values=["car", ""]), "attributes[1].values[1]", "must be 1 to 200 printable characters"),
    (mode(values=list(range(65537))), "attributes[1]", "and has 65537"),
    (mode(fallback="tram"), "attributes[1].fallback", "must be one of the values"),
    (
        mode(values=["car", "other"], fallback="car"),
        "attributes[1].fallback",
        "must be one of the values, and other if that is one",
    ),
    # numbers
    (without(AGE, "range"), "attributes[0].range", "must be there"),
    (without(AGE, "step"), "attributes[0].step", "must be there"),
    (age(range=[16]), "attributes[0].range", "must be two numbers, the smaller first"),
    (age(range=[16, 50, 100]), "attributes[0].range", "must be two numbers, the smaller first"),
    (age(range=[100, 16]), "attributes[0].range", "must be two numbers, the smaller first"),
    (age(range=[16, 16]), "attributes[0].range", "must be two numbers, the smaller first"),
    (age(range=["16", 100]), "attributes[0].range[0]", "must be a number"),
    (age(range=[16, float("inf")]), "attributes[0].range[1]", "must be a number"),
    (age(range=[float("nan"), 100]), "attributes[0].range[0]", "must be a number"),
    (age(range=[True, 100]), "attributes[0].range[0]", "must be a number"),
    (age(step=0), "attributes[0].step", "must be above zero and divide the range"),
    (age(step=-1), "attributes[0].step", "must be above zero and divide the range"),
    (age(step=5), "attributes[0].step", "must be above zero and divide the range"),
    (age(step="1"), "attributes[0].step", "must be a number"),
    (age(step=0.001), "attributes[0]", "must have 2 to 4096 values"),
    (age(step=0.00001, mechanism="pm"), "attributes[0]", "must have 2 to 1048576 values"),
    (
        age(step=0.001, mechanism="pm", ranges=[[16, 50]]),
        "attributes[0]",
        "must have 2 to 4096 values",
    ),
    (age(range=[0, 1e-12], step=1e-13), "attributes[0]", "at most 12 decimal places"),
    (age(bins=[]), "attributes[0].bins", "must be a list with at least one item"),
    (age(bins=[16]), "attributes[0].bins", "must be rising grid points from the lower to the"),
    (age(bins=[16, 100]), "attributes[0]", "must have 2 to 4096 values"),
    (age(bins=[18, 50, 100]), "attributes[0].bins", "must be rising grid points"),
    (age(bins=[16, 50, 99]), "attributes[0].bins", "must be rising grid points"),
    (age(bins=[16, 50, 40, 100]), "attributes[0].bins", "must be rising grid points"),
    (age(bins=[16, 50, 50, 100]), "attributes[0].bins", "must be rising grid points"),
    (age(bins=[16, 50.5, 100]), "attributes[0].bins", "must be rising grid points"),
    (age(bins=[16, "50", 100]), "attributes[0].bins[1]", "must be a number"),
    # what other languages read as another number: integers end at 2^53
    (age(range=[0, 2**54], step=2**53), "attributes[0]", "must be below 2^53"),
    # budgets
    (author(budget=2), "budget", "must be a mapping with average, total or levels"),
    (budget(least=1), "budget", "must be a mapping with average, total or levels"),
    (budget(average=2, most=6), "budget.least", "must be there"),
    (budget(**AVERAGE, total=8), "budget.total", "must be one of the fields average, least"),
    (budget(average=7, least=1, most=6), "budget.average", "must lie between least (1) and most"),
    (budget(average=0.5, least=1, most=6), "budget.average", "must lie between least (1) and"),
    (budget(average=2, least=0, most=6), "budget.least", "epsilon must be above zero"),
    (budget(average=2, least=True, most=6), "budget.least", "epsilon must be a number"),
    (budget(average="2", least=1, most=6), "budget.average", "epsilon must be a number"),
    (budget(**AVERAGE, step=0.0001), "budget.step", "epsilon must be a whole number of thousandth"),
    (budget(**AVERAGE, step=0), "budget.step", "epsilon must be above zero"),
    (budget(average=2, least=1, most=20.001), "budget", "no level may be above 20"),
    (budget(levels=[1, 21]), "budget", "no level may be above 20"),
    (budget(total=8), "budget.spread", "must be there"),
    (budget(total=8, spread=0.9), "budget.spread", "must be 1 or more"),
    (budget(total=1, spread=1), "budget", "leaves no level that 3 attributes can have"),
    (budget(total=90, spread=4), "budget", "leaves no level that 1 attributes can have"),
    (budget(levels=[]), "budget.levels", "must be a list with at least one item"),
    (budget(levels=[2, 1]), "budget.levels", "must rise"),
    (budget(levels=[1, 1]), "budget.levels", "must rise"),
    (budget(levels=["1"]), "budget.levels[0]", "epsilon must be a number"),
    (budget(levels=1), "budget.levels", "must be a list with at least one item"),
    (budget(levels=[1], step=1), "budget.step", "must be one of the fields levels"),
    # secret allocations
    (secret(MODE, AGE), "attributes[1]", "a numeric attribute needs bins in a plan with secret"),
    (secret({**MODE, "mechanism": "grr"}), "attributes[0].mechanism", "must be oue in a plan with"),
    (secret({**MODE, "mechanism": "sue"}), "attributes[0].mechanism", "must be oue in a plan with"),
    (
        secret(MODE, {**TEMPERATURE, "mechanism": "subset"}),
        "attributes[1].mechanism",
        "must be oue in a plan with secret allocation (others would reveal the level)",
    ),
    # bundles
    (bundles(), "bundles", "must be a list with at least one item"),
    (bundles("mode"), "bundles[0]", "must be a list with at least one item"),
    (bundles(["mode"]), "bundles[0]", "must be two or more different attributes"),
    (bundles(["mode", "mode"]), "bundles[0]", "must be two or more different attributes"),
    (bundles(["mode", "shoes"]), "bundles[0][1]", "must be one of mode, age, home, income"),
    (bundles(["mode", 7]), "bundles[0][1]", "must be one of mode, age, home, income"),
    (bundles(["home", "mode"], ["income", "home"]), "bundles[1][0]", "a numeric attribute needs b"),
    (bundles(["mode", "age"], ["mode", "age"]), "bundles", "names must differ"),
    (bundles(["mode", "age"], ["age", "mode"]), "bundles", "must not bundle the same attributes"),
    (
        bundles(["mode", "home"], attributes=[MODE, HOME, {**AGE, "name": "mode+home"}]),
        "bundles",
        "names must differ, also from those of attributes (mode+home)",
    ),
    (
        bundles(["a+b", "c"], ["a", "b+c"], attributes=[HOME | {"name": n} for n in PLUS]),
        "bundles",
        "names must differ, also from those of attributes (a+b+c)",
    ),
    (
        bundles(["mode", "many"], attributes=[MODE, {**MODE, "name": "many", "values": MANY}]),
        "bundles[0]",
        "must have at most 4096 cells (fewer values, or coarser bins), and has 5000",
    ),
    (bundles(["mode", "age"], contract="attribute"), "contract", "must be record in a plan with"),
    (
        bundles(["mode", "age"], budget={"levels": [11, 20]}),
        "bundles[0]",
        "must be able to have a level, at most 20 and an equal part for each attribute, where 2",
    ),
    (
        bundles(["mode", "age"], budget={"total": 36, "spread": 1}, share={"least": 2}),
        "bundles[0]",
        "where 2 attributes are shared",
    ),
    (
        bundles(["mode", "home"], attributes=[MODE, HOME], allocation="secret"),
        "bundles",
        "must not be in a plan with secret allocation (a subset would reveal the level)",
    ),
    # mechanisms for numbers
    (mode(mechanism="window"), "attributes[1].mechanism", "must be on a numeric attribute without"),
    (
        mode(mechanism="optimal"),
        "attributes[1].mechanism",
        "must be on a numeric attribute without",
    ),
    (
        author(attributes=[{**TEMPERATURE, "mechanism": "duchi"}]),
        "attributes[0].mechanism",
        "must be on a numeric attribute without bins",
    ),
    (
        age(mechanism="signs"),
        "attributes[0].mechanism",
        "must be one of auto, grr, sue, oue, the, subset",
    ),
    (
        secret({**AGE, "mechanism": "pm"}),
        "attributes[0]",
        "a numeric attribute needs bins in a plan",
    ),
    (
        secret({**TEMPERATURE, "mechanism": "pm"}),
        "attributes[0].mechanism",
        "must be on a numeric attribute without bins",
    ),
    # ranges
    (age(ranges=[]), "attributes[0].ranges", "must be a list with at least one item"),
    (age(ranges=[16, 50]), "attributes[0].ranges[0]", "must be a list with at least one item"),
    (age(ranges=[[16, 50]]), "attributes[0].ranges", "must be with a mechanism for numbers (duchi"),
    (
        author(attributes=[{**TEMPERATURE, "ranges": [[0, 1]]}]),
        "attributes[0].ranges",
        "must be with a mechanism for numbers",
    ),
    (
        mode(ranges=[[0, 1]]),
        "attributes[1].ranges",
        "must be one of the fields applies, fallback, help",
    ),
    *(
        (age(mechanism="pm", ranges=[[16, 50], ends]), "attributes[0].ranges[1]", rule)
        for ends, rule in (
            ([50], "must be two numbers, the smaller first"),
            ([50, 50], "must be two numbers, the smaller first"),
            ([50, 20], "must be two numbers, the smaller first"),
            ([10, 50], "must lie in the range, with ends on its grid"),
            ([50, 101], "must lie in the range, with ends on its grid"),
            ([20.5, 50], "must lie in the range, with ends on its grid"),
            ([20, 50.5], "must lie in the range, with ends on its grid"),
        )
    ),
    (
        age(mechanism="pm", ranges=[[float("nan"), 50]]),
        "attributes[0].ranges[0][0]",
        "must be a number",
    ),
    (
        age(mechanism="pm", ranges=[[16, float("inf")]]),
        "attributes[0].ranges[0][1]",
        "must be a number",
    ),
    *(
        (age(mechanism="pm", ranges=ranges), "attributes[0].ranges", "must differ from each other")
        for ranges in ([[16, 50], [16, 50]], [[16, 50], [16, 100]], [[16, 50], [16.0, 50.0]])
    ),
    # bundles of numbers
    (numbers({"attributes": ["a"]}), "bundles[0].attributes", "must be two or more different"),
    (
        numbers({"attributes": ["a", "x"]}),
        "bundles[0].attributes[1]",
        "must be one of mode, age, a",
    ),
    (numbers({"levels": 2}), "bundles[0].attributes", "must be there"),
    (numbers({"attributes": ["a", "b"], "points": 2}), "bundles[0].points", "must be one of the"),
    *(
        (
            numbers({"attributes": ["a", "b"], "levels": levels}),
            "bundles[0].levels",
            "must be a whole number from 2 to 4096",
        )
        for levels in (0, 1, 2.5, 4097)
    ),
    (numbers({"attributes": ["a", "b"], "levels": "2"}), "bundles[0].levels", "must be a number"),
    (
        numbers({"attributes": ["a", "b"], "mechanism": "pm"}),
        "bundles[0].mechanism",
        "must be one of grr, duchi",
    ),
    (
        numbers({"attributes": ["a", "b"], "levels": 3, "mechanism": "duchi"}),
        "bundles[0]",
        "duchi reports two levels of at most 40 numbers",
    ),
    (
        numbers({"attributes": ["a", "b", "c"], "levels": 128}),
        "bundles[0]",
        "must have at most 1048576 cells (fewer levels or attributes)",
    ),
    (
        numbers({"attributes": ["mode", "a"]}),
        "bundles[0]",
        "a bundle with levels must be of numbers without bins, not mode",
    ),
    (
        numbers({"attributes": ["a", "age"]}),
        "bundles[0]",
        "a bundle with levels must be of numbers without bins, not age",
    ),
    (
        numbers(["a", "b"]),
        "bundles[0][0]",
        "a numeric attribute needs bins to be in a bundle (or w",
    ),
    (
        numbers({"attributes": ["a", "b"]}, {"attributes": ["b", "a"], "levels": 3}),
        "bundles",
        "must not bundle the same attributes twice",
    ),
    # sampling
    (author(share={"sample": 0}), "share.sample", "must be a whole number from 1 to 3"),
    (author(share={"sample": 4}), "share.sample", "must be a whole number from 1 to 3"),
    (author(share={"sample": 1.5}), "share.sample", "must be a whole number from 1 to 3"),
    (author(share={"sample": "some"}), "share.sample", "must be a number"),
    (author(share={"sample": True}), "share.sample", "must be a number"),
    (author(share={"sample": 2, "least": 1}), "share.least", "must be one of the fields sample"),
    (
        numbers({"attributes": ["a", "b", "c"]}, share={"sample": 4}),
        "share.sample",
        "must be a whole number from 1 to 3",
    ),
    (
        bundles(["mode", "age"], ["age", "home"], share={"sample": 2}),
        "share",
        "must be {sample: 1} with views, or with bundles that overlap",
    ),
    (
        numbers(
            {"attributes": ["a", "b"]},
            {"attributes": ["b", "c"], "levels": 3},
            share={"sample": 1},
        ),
        "share",
        "must be in a plan whose bundles of numbers do not overlap",
    ),
    (
        bundles(["mode", "age"], share={"sample": "auto"}),
        "share.sample",
        "must be a number in a plan with bundles",
    ),
    (
        author(budget={"total": 0.5, "spread": 1, "step": 0.2}, share={"sample": 3}),
        "budget",
        "leaves no level that 2 attributes can have",
    ),
    # tables of optimal mechanisms
    (
        optimal(budget={"levels": [1, 10.001]}),
        "budget",
        "an optimal table needs an epsilon of 0.001 to 10 (above, a window is as good), not 10.001",
    ),
    (
        optimal(budget={"levels": [0.0005]}),
        "budget.levels[0]",
        "must be a whole number of thousandt",
    ),
    (
        optimal(budget={"average": 1, "least": 0.1, "most": 6.5, "step": 0.1}),
        "budget",
        "must have at most 64 levels with an optimal mechanism (a coarser step)",
    ),
    (author(tables={}), "tables", "must be in plans with an optimal mechanism only"),
    (optimal(budget={"levels": [1]}, tables={}), "tables.1000", "must be there"),
    (optimal(budget={"levels": [1]}, tables={"500": 1}), "tables.500", "must be one of the fields"),
    (
        optimal(budget={"levels": [1]}, tables={"1000": 7}),
        "tables.1000",
        "must be a list with at least one item",
    ),
    (
        optimal(budget={"levels": [1]}, tables={"1000": [[1.5]]}),
        "tables.1000[0][0]",
        "must be a whole number from 0 to",
    ),
    (
        optimal(budget={"levels": [1]}, tables={"1000": [[1, 2], [2, 1]]}),
        "tables.1000",
        "must be a table of this level: every row of weights must sum to 281474976710656",
    ),
]


@for_each("plan, field, rule", REFUSED)
def test_a_plan_that_breaks_a_rule_is_refused(plan: object, field: str, rule: str) -> None:
    with pytest.raises(PlanError) as refused:
        Plan.of(plan, source="here.yaml")
    assert refused.value.field == field
    assert rule in refused.value.rule
    assert str(refused.value).startswith(f"here.yaml: {field}: ")


def test_the_error_carries_the_value() -> None:
    with pytest.raises(PlanError) as refused:
        Plan.of(age(step=5))
    assert refused.value.value == 5
    assert str(refused.value) == (
        "plan: attributes[0].step: must be above zero and divide the range, got 5"
    )


def test_what_stands_at_the_edge_of_a_rule_is_welcome() -> None:
    assert Plan.of(mode(values=list(range(4096)))).questions["mode"].attribute.size == 4096
    Plan.of(author(name="n" * 200, share={"least": 3}))
    Plan.of(age(range=[0, 1e-11], step=1e-12))
    Plan.of(age(range=[0, 1048575], step=1, mechanism="pm"))
    Plan.of(budget(average=20, least=20, most=20))
    Plan.of(bundles(["mode", "age"], ["age", "home"], ["mode", "home"], ["mode", "age", "home"]))
    Plan.of(bundles(["mode", "age"], attributes=[MODE, AGE_GROUP, {**HOME, "name": "age+mode"}]))
    Plan.of(bundles(["mode", "home"], budget={"levels": [10, 20]}))
    Plan.of(numbers({"attributes": ["a", "b", "c"], "levels": 101}, share={"sample": 3}))
    Plan.of(numbers({"attributes": ["a", "b"]}, {"attributes": ["b", "c"], "levels": 3}))
    Plan.of(age(mechanism="pm", ranges=[[16, 17], [99, 100], [17, 100]]))
    Plan.of(author(share={"sample": 3}))
    Plan.of(optimal(budget={"levels": [0.001, 10]}))
    Plan.of(secret(MODE, TEMPERATURE, {**INCOME, "bins": [0, 500, 200000], "mechanism": "oue"}))


HEAD = "name: n\nbudget: {levels: [1]}\n"
ATTRIBUTE = "attributes:\n  - {name: a, kind: categorical, values: %s}\n"

YAML: list[tuple[str, str, str]] = [
    ("", "plan", "must be a mapping"),
    ("{name: n", "line 1", "must be valid YAML"),
    ("name: n\n  x: - y", "line 2", "must be valid YAML"),
    ("name: n\nname: m\n", "line 1", "must not repeat a key"),
    (HEAD + "share:\n  least: 1\n  least: 2\n", "line 4", "must not repeat a key"),
    (HEAD + ATTRIBUTE % "[yes, no]", "attributes[0].values[0]", "must be text (put it in quotes)"),
    (HEAD + ATTRIBUTE % "[on, a]", "attributes[0].values[0]", "must be text (put it in quotes)"),
    (HEAD + ATTRIBUTE % "[a, ~]", "attributes[0].values[1]", "must be text (put it in quotes)"),
    (HEAD + ATTRIBUTE % "[2024-01-31, b]", "attributes[0].values[0]", "must be text"),
    (HEAD + ATTRIBUTE % "[01234, 02139]", "line 4", "quotes"),
    (HEAD + ATTRIBUTE % "['a', 12:30]", "line 4", "quotes"),
    (HEAD + "share: {least: yes}\n" + ATTRIBUTE % "[a, b]", "share.least", "must be a number"),
    (HEAD + ATTRIBUTE % "!!python/name:os.system", "line 4", "must be valid YAML"),
    ("name: n\nx: 2024-02-31", "line 2", "must be a date that exists"),
    ("? [a, b]\n: 1", "line 1", "must be valid YAML"),
    ("? {a: b}\n: 1", "line 1", "must be valid YAML"),
    ("name: \x01", "file", "must be valid YAML"),
    ("[" * 1000, "file", "must be valid YAML"),
]


@pytest.mark.parametrize("text, field, rule", YAML, ids=[repr(y[0][-30:]) for y in YAML])
def test_a_yaml_file_that_breaks_a_rule_is_refused(
    text: str, field: str, rule: str, tmp_path: Path
) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PlanError) as refused:
        Plan.load(path)
    assert (refused.value.source, refused.value.field) == (str(path), field)
    assert rule in refused.value.rule


@pytest.mark.parametrize(
    "text, rule",
    [
        ("{", "must be valid JSON"),
        ('{"name": "n", "name": "m"}', "must not repeat a key"),
        ("[" * 100_000, "must be valid JSON"),
        ("1" * 5000, "must be valid JSON"),
    ],
)
def test_a_json_file_that_breaks_a_rule_is_refused(text: str, rule: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PlanError, match=f"plan.json: file: {rule}"):
        Plan.load(path)


def test_a_file_that_cannot_be_read_is_refused_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFile, match=r"none\.yaml: no such file"):
        Plan.load(tmp_path / "none.yaml")
    latin = tmp_path / "latin.yaml"
    latin.write_bytes(b"name: \xe4")
    with pytest.raises(PlanError, match="must be readable text, got 'not UTF-8'"):
        Plan.load(latin)


def test_a_level_out_of_bounds_is_refused_before_the_menu_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ten thousand million levels would not fit into a device's memory."""

    def make(_: Average) -> tuple[int, ...]:
        raise AssertionError

    monkeypatch.setattr(Average, "menu", property(make))
    with pytest.raises(PlanError, match="no level may be above 20"):
        Plan.of(budget(average=1, least=1, most=10**7, step=0.001))
