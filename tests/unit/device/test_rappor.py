"""Two stages on a device: a permanent answer in the memo, perturbed anew in each round."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from unittest import mock

import pytest

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.mechanism.encoding import codewords
from discretion.plan import Family, Plan
from discretion.randomness import Source
from tests.contract.enumeration import distribution
from tests.contract.exponential import exp_lower
from tests.plans import MODE, author

COHORTS = 4
PLAN = Plan.of(
    author(
        attributes=[
            {**MODE, "mechanism": {"rappor": {"hashes": 2, "bits": 40, "cohorts": COHORTS}}},
            {**MODE, "name": "other", "mechanism": {"rappor": {"hashes": 2, "cohorts": COHORTS}}},
            {**MODE, "name": "plain", "mechanism": {"bloom": {"hashes": 2}}},
        ]
    )
)
RECORD = {"mode": "bike", "other": "car", "plain": "walk"}
BUDGET = Budget.of(PLAN, {"mode": 3.5, "other": 0.5, "plain": 2})


def sent(device: Device, record: Mapping[str, object], round: int) -> dict[str, int]:
    answers = device.report(record, BUDGET, round).answers
    return {name: int.from_bytes(answer.y, "little") for name, answer in answers.items()}


def cohort(name: str, y: int) -> int:
    return y >> PLAN.questions[name].law(1000, Family.CODEWORDS).encoding.bits


def test_what_is_kept_stays_and_what_is_sent_changes_from_round_to_round() -> None:
    state = State()
    device = Device(PLAN, state)
    rounds = [sent(device, RECORD, round) for round in range(6)]
    assert len({y["mode"] for y in rounds}) == 6  # 40 coins a round
    assert len({y["plain"] for y in rounds}) == 1
    assert device.spent == 6000
    assert [sent(device, RECORD, round) for round in range(6)] == rounds
    kept = state.recall(PLAN.id, "mode", "bike", 3500)
    assert kept is not None
    assert PLAN.questions["mode"].law(3500).form.admits(int.from_bytes(kept, "little"))


def test_rounds_follow_what_is_kept() -> None:
    """In many rounds a kept one is sent three times in four, a kept zero half of the time."""
    state = State()
    device = Device(PLAN, state)
    rounds = [sent(device, RECORD, round)["mode"] for round in range(400)]
    kept = int.from_bytes(state.recall(PLAN.id, "mode", "bike", 3500) or b"", "little")
    for i in range(40):
        mean = 0.75 if kept >> i & 1 else 0.5
        seen = sum(y >> i & 1 for y in rounds) / 400
        assert abs(seen - mean) < 6 * 0.025, (i, seen, mean)  # six standard deviations


def test_the_cohort_is_one_for_the_device_and_all_answers(tmp_path: Path) -> None:
    path = tmp_path / "owner.db"
    seen = set()
    for round, mode in enumerate(["bike", "car", "bike", "bus"]):
        with State(path) as state:
            y = sent(Device(PLAN, state), {**RECORD, "mode": mode}, round)
            seen |= {cohort("mode", y["mode"]), cohort("other", y["other"])}
            assert state.cohort(PLAN.id) in seen
    assert len(seen) == 1


def test_another_answer_is_kept_and_charged_by_itself() -> None:
    state = State()
    device = Device(PLAN, state)
    sent(device, RECORD, 0)
    sent(device, {**RECORD, "mode": "car"}, 1)
    assert (device.spent, state.spent("mode"), state.spent("other")) == (9500, 7000, 500)
    assert state.recall(PLAN.id, "mode", "car", 3500) != state.recall(PLAN.id, "mode", "bike", 3500)


def test_an_unreadable_memo_is_drawn_and_charged_anew() -> None:
    state = State()
    device = Device(PLAN, state)
    sent(device, RECORD, 0)
    state.remember(PLAN.id, "mode", "bike", 3500, b"\xff" * PLAN.questions["mode"].n_bytes)
    sent(device, RECORD, 1)
    assert state.spent("mode") == 7000


SMALL = Plan.of(
    {
        "name": "small",
        "attributes": [
            {
                "name": "a",
                "kind": "categorical",
                "values": ["no", "yes"],
                "mechanism": {"rappor": {"cohorts": 2, "ones": 0.75, "zeros": 0.25}},
            }
        ],
        "budget": {"levels": [0.5, 2]},
    }
)


def two_rounds(value: str, epsilon: float, source: Source) -> tuple[bytes, ...]:
    with (
        State() as state,
        mock.patch("discretion.device.device.system", return_value=source),
        mock.patch("secrets.token_bytes", return_value=bytes(32)),
    ):
        device, budget = Device(SMALL, state), Budget.of(SMALL, {"a": epsilon})
        return tuple(device.report({"a": value}, budget, round).to_bytes() for round in range(2))


@pytest.mark.parametrize("epsilon", [0.5, 2])
def test_two_rounds_together_reveal_no_more_than_the_level(epsilon: float) -> None:
    """By enumeration; and more than one round does, or the test would show nothing."""
    no, yes = (distribution(partial(two_rounds, value, epsilon)) for value in ("no", "yes"))
    assert no.keys() == yes.keys()
    both = max(yes[reports] / no[reports] for reports in no)
    firsts: list[Counter[bytes]] = [Counter(), Counter()]
    for law, first in zip((no, yes), firsts, strict=True):
        for reports, share in law.items():
            first[reports[0]] += share  # type: ignore[assignment]
    one = max(Fraction(firsts[1][report]) / firsts[0][report] for report in firsts[0])
    assert 1 < one < both <= SMALL.questions["a"].law(int(1000 * epsilon)).ratio
    assert SMALL.questions["a"].law(int(1000 * epsilon)).ratio <= exp_lower(Fraction(epsilon))


def test_a_devices_first_report_follows_the_law() -> None:
    law = SMALL.questions["a"].law(2000, Family.CODEWORDS)
    for code, value in enumerate(["no", "yes"]):
        found: dict[int, Fraction] = {}
        for (first, _), share in distribution(partial(two_rounds, value, 2)).items():
            y = int.from_bytes(read_y(first), "little")
            found[y] = found.get(y, Fraction()) + share
        assert found == {y: law.probability(y, code) for y in law.outputs()}


def read_y(data: bytes) -> bytes:
    from discretion.report import read

    return read(SMALL, data).answers["a"].y


def test_the_words_of_cohorts_differ_where_they_are_hashed() -> None:
    own = codewords(PLAN.questions["mode"].law(1000, Family.CODEWORDS).encoding)
    assert len(set(own)) == COHORTS
    assert all(a != b for a, b in product(own, own) if a is not b)
