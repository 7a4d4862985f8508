"""1BitMean and alpha-point rounding, as a plan names them: ``onebit`` with ``rounding: kept``."""

from fractions import Fraction
from math import exp

import pytest

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.device.promise import over_rounds
from discretion.mechanism import number_law
from discretion.plan import Plan
from discretion.randomness import ONE, Threshold, system
from tests.cases import for_each

TOP = 240  # of the counter, in minutes
EPSILON = 2.0


def plan_of(parts: int, **more: object) -> Plan:
    """Return 1BitMean of a counter that is rounded to so many parts of its range."""
    stated = {"kind": "numeric", "range": [0, TOP], "step": TOP // parts, "mechanism": "onebit"}
    use = {"name": "use", "rounding": "kept", **stated, **more}
    return Plan.of({"name": "telemetry", "attributes": [use], "budget": {"levels": [EPSILON]}})


@for_each("points", [2, 5, 241])
def test_one_bit_is_that_of_the_paper(points: int) -> None:
    """One with probability 1 / (e + 1) + x / m (e - 1) / (e + 1), x in steps from 0 to m."""
    law, e = number_law("onebit", points, round(1000 * EPSILON)), exp(EPSILON)
    for code in range(points):
        printed = 1 / (e + 1) + code / (points - 1) * (e - 1) / (e + 1)
        assert float(law.probability(1, code)) == pytest.approx(printed, rel=1e-15)


@for_each("parts", [1, 4])
def test_rounding_by_a_threshold_keeps_the_law_of_the_exact_number(parts: int) -> None:
    """Over all thresholds the bit has the probability that the number itself would give it."""
    plan = plan_of(parts)
    question = plan.questions["use"]
    assert question.kept is not None
    law = question.law(round(1000 * EPSILON))
    exact = number_law("onebit", TOP + 1, round(1000 * EPSILON))
    for value in (0, 1, 59, 60, 61, 137, 239, 240):
        below, rest = divmod(Fraction(value * parts, TOP), 1)
        answer = question.answer({"use": value})
        for threshold in (0, int(rest * ONE), ONE - 1):
            settled = question.kept.within(0).settled(answer, Threshold(threshold))
            code = question.encode(settled, 0, system())
            assert code == below + (threshold < rest * ONE), (value, threshold)
        ends = [law.probability(1, int(code)) for code in (below, min(below + 1, parts))]
        mixed = (1 - rest) * ends[0] + rest * ends[1]
        assert float(mixed) == pytest.approx(float(exact.probability(1, value)), rel=1e-12)


def test_a_counter_that_moves_within_a_part_is_charged_twice_at_most() -> None:
    for parts, most in ((1, 2), (4, 5)):
        plan = plan_of(parts)
        budget = Budget.of(plan, {"use": EPSILON})
        assert over_rounds(plan, budget, 8) is None
        with State() as state:
            device = Device(plan, state)
            sent = [
                device.report({"use": minute}, budget, round).answers["use"].y
                for round, minute in enumerate((*range(0, TOP + 1, 15), *range(TOP, -1, -15)))
            ]
            assert sent[: TOP // 15 + 1] == sent[: TOP // 15 : -1]  # the way back repeats
            assert state.spent() <= most * 1000 * EPSILON
            before = state.spent()
            for round, minute in enumerate(range(121, 180), 100):
                device.report({"use": minute}, budget, round)
            assert state.spent() == before
