"""The audit of variants: sound ones pass, and whoever is told apart too well is found."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

import pytest

from discretion.auditing import audit
from discretion.auditing.exact import examine
from discretion.auditing.finding import Finding, Part
from discretion.auditing.subjects import STATED
from discretion.mechanism import Matrix, Places, Sensitive, Shares, Variant
from discretion.mechanism.matrix import WHOLE
from discretion.plan import Plan
from discretion.randomness import Source
from tests.cases import for_each
from tests.plans import HOME, MODE, author

SHARES = Shares((500, 1000, 1000))
SENSITIVE = Sensitive(4, (0, 2))
PLACES = Places(((0,), (500,), (2000,)))


@for_each("level", [1, 250, 1000, 4000, 20_000])
@for_each("variant", [v for each in STATED.values() for v in each])
def test_a_sound_variant_passes_with_the_pair_that_has_the_least_room(
    variant: Variant, level: int
) -> None:
    law, draws = examine("x", variant.law(level), level, variant)
    assert law.passes, law
    assert draws.passes, draws
    assert law.loss <= law.claim * (1 + 1e-12)
    assert "which have the least room of all" in law.how


def planted() -> Iterator[tuple[str, Matrix, Variant, str]]:
    """Yield laws of level 1000 with a bug, the variant they should keep to, and what is found."""
    above = "a ratio is above what the variant allows"
    yield "a level that is off by a twentieth", SHARES.law(1050), SHARES, above
    yield "shares that are not looked at", Shares((1000,) * 3).law(1000), SHARES, above
    yield "another value's share", Shares((1000, 500, 1000)).law(2000), SHARES, above
    yield "places of other units", Places(((0,), (1000,), (4000,))).law(1000), PLACES, above
    yield "two places swapped", Places(((0,), (2000,), (500,))).law(1000), PLACES, above
    possible = "an output is possible for one input and not for another"
    yield "a sensitive value told openly", Sensitive(4, (0,)).law(1000), SENSITIVE, possible
    rows = [list(row) for row in SENSITIVE.law(1000).weights]
    rows[3][1], rows[3][3] = 1, rows[3][3] - 1
    stray = Matrix(tuple(map(tuple, rows)))
    yield "an open output of another value", stray, SENSITIVE, "output 1 is open, and input 3"
    short = [list(row) for row in SHARES.law(1000).weights]
    short[1][1] -= 1
    yield (
        "a row that is short of one",
        Matrix(tuple(map(tuple, short))),
        SHARES,
        "do not sum to one",
    )


@for_each("case", list(planted()))
def test_a_law_with_a_bug_is_found(case: tuple[str, Matrix, Variant, str]) -> None:
    _, law, variant, wrong = case
    found = next(iter(examine("x", law, 1000, variant)))
    assert not found.passes
    assert wrong in found.how


@dataclass(frozen=True)
class Coarse(Matrix):
    """A draw of eight bits, so that what is rarer than 1/256 never happens."""

    def perturb(self, code: int, source: Source) -> int:
        number, total = source.below(256) * (WHOLE >> 8), 0
        for y, weight in enumerate(self.weights[code]):
            total += weight
            if number < total:
                return y
        return 0


def test_a_sampler_of_too_few_bits_is_found() -> None:
    variant = Places(((0,), (10_000,)))
    law, draws = examine("x", Coarse(variant.law(1000).weights), 1000, variant)
    assert law.passes
    assert not draws.passes
    assert draws.loss == inf


MECHANISMS: list[Any] = [
    {"idldp": {"shares": {"bike": 0.5}}},
    {"uldp": {"sensitive": ["bike", "walk"]}},
    {"uldp": {"sensitive": ["bike"]}},
    {"metric": {"scale": 2}},
    {"metric": {"places": [[0, 0], [1, 1], [0, 2], [5, 0], [1, 0]]}},
]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_a_plan_with_a_variant_passes_and_says_what_is_promised(mechanism: Any) -> None:
    plan = Plan.of(
        author(attributes=[{**MODE, "mechanism": mechanism}, HOME], budget={"levels": [1, 2]})
    )
    found = audit(plan, samples=500)
    assert found.passes, found
    assert any(note.startswith(f"mode is {next(iter(mechanism))}: ") for note in found.notes)


def test_far_values_are_claimed_to_be_distinguishable_by_more_than_the_level() -> None:
    plan = Plan.of(
        author(attributes=[{**MODE, "mechanism": "metric"}, HOME], budget={"levels": [1]})
    )
    found = audit(plan, samples=500)
    assert claim(found.of(Part.SAMPLES), "mode") == 4
    assert claim(found.of(Part.RECORD), "mode alone") == 4
    assert claim(found.of(Part.RECORD), "everything") == 5


def claim(findings: tuple[Finding, ...], subject: str) -> float:
    return next(each.claim for each in findings if subject in each.subject)
