"""Histories that hypothesis writes, and some that were written down."""

from collections import Counter

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase
from hypothesis.errors import Flaky
from hypothesis.stateful import run_state_machine_as_test

from tests.simulation.faults import FAULTS, Crash
from tests.simulation.machine import (
    History,
    PostgresHistory,
    SecretHistory,
    Tale,
    check,
    driven_by_hand,
)
from tests.simulation.sabotage import SABOTAGES

KINDS = (History, SecretHistory, PostgresHistory)
HISTORIES = {History: 6, SecretHistory: 2, PostgresHistory: 2}  # 10 in all
MANY_HISTORIES = {History: 300, SecretHistory: 100, PostgresHistory: 100}  # 500 in all
STEPS, SEED = 40, 20261115
NOTICED_SOON = SEED + 2  # of five seeds the one after which faults are found with least work
SEEN = (  # in many histories each of these must happen now and then
    *("accepted", "duplicate", "conflict", "deleted", "withdraw True", "snapshot", "cleared"),
    *("refused round_not_open", "refused round_closed", "refused credential_used"),
    *("death before", "death torn", "death after", "death at a snapshot", "death at a sweep"),
    *("closed by a wrong clock",),
    *("settled", "death at a settlement", "meanwhile settle"),
    *("meanwhile upload", "meanwhile delete", "meanwhile count", "meanwhile clear"),
)


def run(kind: type[History], histories: int, seed: int, *, shrink: bool = True) -> Counter[str]:
    """Run so many histories; return how often what happened in them."""
    kind.tale = Tale(Counter())
    settings = hypothesis.settings(
        max_examples=histories,
        stateful_step_count=STEPS,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
    )
    hypothesis.seed(seed)(kind)
    run_state_machine_as_test(kind, settings=settings)
    assert kind.tale.happened["history"] >= histories
    return kind.tale.happened


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_and_nothing_is_double(kind: type[History]) -> None:
    run(kind, HISTORIES[kind], SEED + KINDS.index(kind))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_and_nothing_is_double_in_many_histories(kind: type[History]) -> None:
    seed = SEED + 100 + KINDS.index(kind)
    happened = run(kind, MANY_HISTORIES[kind], seed)
    print(f"\n{kind.__name__}, seed {seed}: {dict(sorted(happened.items()))}")
    assert all(happened[what] for what in SEEN), happened


@pytest.mark.parametrize("what", SABOTAGES)
def test_the_simulation_would_notice(what: str) -> None:
    """Ids are random, so positions are too: a history may show it and, told again, not.

    A process that answered although it had died is noticed when it is asked next (Crash).
    """
    with SABOTAGES[what](), pytest.raises((AssertionError, KeyError, Flaky, Crash)):
        run(History, 100, NOTICED_SOON, shrink=False)


@pytest.mark.parametrize("kind", [History, PostgresHistory])
def test_what_one_credential_may_not_send_another_may_in_the_same_commit(
    kind: type[History],
) -> None:
    """Found: the report was refused for both, as the first had used its credential."""
    with driven_by_hand(kind) as history:
        history.upload([([(0, 0, "own"), (1, 0, "own")], b"one"), ([(1, 0, "own")], None)])


@pytest.mark.parametrize("kind", [History, PostgresHistory])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_snapshot_in_the_making_a_deletion_and_a_death(kind: type[History], fault: str) -> None:
    with driven_by_hand(kind) as history:
        history.upload_together(0, 5, 0)
        history.die_soon(fault, 1)
        history.count_beside("delete", 5, 1, 0)
        check(history)
        history.count(0)
        history.replay_after_withdrawal(3, 0)


@pytest.mark.parametrize("fault", FAULTS)
def test_death_between_the_commits_of_one_group(fault: str) -> None:
    """Some shards have kept their reports, others have not; all of it is sent again."""
    for nth in range(1, 6):
        with driven_by_hand(PostgresHistory) as history:
            history.upload_together(0, 2, 0)
            history.die_soon(fault, nth)
            history.upload_together(0, 16, 0)
            check(history)
            history.upload_together(0, 16, 0)
            check(history)
            history.count(0)


@pytest.mark.parametrize("kind", [History, PostgresHistory])
@pytest.mark.parametrize("fault", FAULTS)
def test_death_at_every_commit_of_a_sweep(kind: type[History], fault: str) -> None:
    for nth in range(1, 6):
        with driven_by_hand(kind) as history:
            history.upload_together(0, 5, 0)
            history.withdraw(2)
            history.die_at_a_sweep(fault, nth, 0)
            check(history)
            history.upload_together(0, 6, 0)
            history.withdraw(1)
            check(history)
            history.collect_garbage()
            check(history)
            history.retry(0, True)


def test_clocks_go_back_between_closing_and_clearing() -> None:
    with driven_by_hand() as history:
        history.upload_together(0, 5, 0)
        history.close_round(0)
        history.step_the_clock(-20)
        history.collect_garbage()
        check(history)
        history.step_the_clock(40)
        history.collect_garbage()
        assert history.tale.happened["cleared"]


@pytest.mark.parametrize("kind", [History, PostgresHistory])
def test_a_round_closed_by_a_clock_in_the_wrong_year_waits_for_the_day(kind: type[History]) -> None:
    with driven_by_hand(kind) as history:
        history.upload_together(0, 5, 0)
        history.step_the_clock(-400)
        history.close_round(0)
        history.close_round(0)  # a retry confirms nothing
        history.step_the_clock(500)
        before = history.tale.happened["cleared"]
        history.collect_garbage()
        assert history.tale.happened["cleared"] == before
        history.close_round(0)
        history.step_the_clock(20)
        history.collect_garbage()
        assert history.tale.happened["cleared"] == before + 1
