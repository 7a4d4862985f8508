"""The state: one commit or nothing, what is corrupt counts as spent, files are shared safely."""

import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest

import discretion
from discretion.budget import Budget
from discretion.device import Device, Fate, Outcome, State, database
from discretion.device.database import TABLES, VERSION
from discretion.errors import ReportRefused, StateBusy, StateUnreadable
from discretion.plan import Plan
from tests.plans import sampled_commuters

RECORD = {"mode": "bike", "income": 31_257}


class Killed(BaseException):
    """As sudden as a signal: not an Exception."""


def change(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path)
    with db:
        for statement in statements:
            db.execute(statement)
    db.close()


def test_a_state_in_memory_is_one_in_a_file_and_nobody_elses(path: Path) -> None:
    with State(path) as kept, State() as one, State() as other:
        schemas = [set(database_of(state)) for state in (kept, one, other)]
        assert schemas[0] == schemas[1] == schemas[2]
        assert len(schemas[0]) >= len(TABLES)
        one.set_limit(7)
        with suppress(Killed), one.transaction():
            one.charge("p", 0, "a", 1000)
            raise Killed
        assert (one.limit(), one.spent()) == (7, 0)
        assert other.limit() is None
        with State() as new:
            assert new.limit() is None


def database_of(state: State) -> list[tuple[str | int]]:
    schema = state._db.execute("SELECT sql FROM sqlite_master").fetchall()
    return [*schema, *state._db.execute("PRAGMA user_version").fetchall()]


@pytest.mark.parametrize("step", ["charge", "remember", "seal"])
def test_a_device_killed_while_it_seals_has_charged_remembered_and_sealed_nothing(
    plan: Plan, budget: Budget, path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = getattr(State, step)

    def then_die(*args: object) -> None:
        original(*args)
        raise Killed

    with State(path) as state:
        with monkeypatch.context() as patch:
            patch.setattr(State, step, then_die)
            with pytest.raises(Killed):
                Device(plan, state).report(RECORD, budget)
        assert state.spent() == 0
        assert state.sealed(plan.id, 0) is None
        assert state.recall(plan.id, "mode", "bike", 3500) is None
        device = Device(plan, state)
        device.report({"mode": "car", "income": 0}, budget)
        assert device.spent == budget.total


def test_a_process_that_dies_before_the_commit_leaves_nothing(
    plan: Plan, budget: Budget, path: Path
) -> None:
    script = f"""
import os
from discretion.budget import Budget
from discretion.device import Device, State
from discretion.plan import Plan

def die(*args):
    original(*args)
    os._exit(9)

original, State.seal = State.seal, die
plan = Plan.from_bytes({plan.to_bytes()!r})
budget = Budget.of(plan, {{"mode": 3.5, "income": 0.5}})
Device(plan, State({str(path)!r})).report({RECORD!r}, budget)
"""
    environment = {**os.environ, "PYTHONPATH": str(Path(discretion.__file__).parents[1])}
    died = subprocess.run([sys.executable, "-c", script], env=environment, check=False)
    assert died.returncode == 9
    with State(path) as state:
        device = Device(plan, state)
        assert device.spent == 0
        assert device.outbox() == []
        device.report(RECORD, budget)
        assert device.spent == budget.total


@pytest.mark.parametrize(
    "damage",
    ["y = x''", "y = x'00010203'", "y = zeroblob(51)", "y = 'text'"],
)
def test_a_corrupt_answer_counts_as_spent_and_is_drawn_and_charged_again(
    plan: Plan, budget: Budget, path: Path, damage: str
) -> None:
    """Neither its width nor its law, nor even its type, is that of a response."""
    with State(path) as state:
        first = Device(plan, state).report(RECORD, budget, 0)
    change(path, f"UPDATE memo SET {damage} WHERE attribute = 'income'")
    with State(path) as state:
        device = Device(plan, state)
        again = device.report(RECORD, budget, 1)
        assert device.spent == 4000 + 500
        assert again.answers["mode"] == first.answers["mode"]
        assert device.report(RECORD, budget, 2).answers == again.answers
        assert device.spent == 4000 + 500


def test_a_lost_memo_counts_as_spent(plan: Plan, budget: Budget, path: Path) -> None:
    with State(path) as state:
        Device(plan, state).report(RECORD, budget, 0)
    change(path, "DELETE FROM memo")
    with State(path) as state:
        device = Device(plan, state)
        device.report(RECORD, budget, 1)
        assert device.spent == 8000


def test_a_corrupt_seal_is_refused_and_not_drawn_again(
    plan: Plan, budget: Budget, path: Path
) -> None:
    with State(path) as state:
        Device(plan, state).report(RECORD, budget)
    change(path, "UPDATE outbox SET report = x'7b'")
    with State(path) as state:
        device = Device(plan, state)
        with pytest.raises((StateUnreadable, ReportRefused)):
            device.report(RECORD, budget)
        assert device.spent == budget.total


@pytest.mark.parametrize(
    "content", [b"not a database" * 100, b"SQLite format 3\x00" + bytes(4096)], ids=["text", "torn"]
)
def test_a_corrupt_file_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(StateUnreadable, match=r"owner\.db: cannot read .* it counts as spent"):
        State(path)
    assert path.read_bytes() == content


def test_a_file_damaged_while_it_is_open_is_refused(plan: Plan, budget: Budget, path: Path) -> None:
    with State(path) as state:
        device = Device(plan, state)
        device.report(RECORD, budget)
        path.write_bytes(b"damage" * 5000)
        with pytest.raises(StateUnreadable):
            device.report(RECORD, budget, 1)


def test_a_state_of_another_version_is_refused(path: Path) -> None:
    State(path).close()
    change(path, f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(StateUnreadable, match=f"version {VERSION + 1} is not {VERSION}"):
        State(path)


def test_a_state_of_the_first_version_is_read_and_can_hold_bundles(
    plan: Plan, bundled_plan: Plan, budget: Budget, path: Path
) -> None:
    with State(path) as state:
        first = Device(plan, state).report(RECORD, budget)
    change(path, "DROP TABLE bundled", "PRAGMA user_version = 1")
    for _ in range(2):
        with State(path) as state:
            assert Device(plan, state).report(RECORD, budget) == first
            assert (state.spent(), state.spent("mode")) == (4000, 3500)
    with State(path) as state:
        bundles = Budget.of(bundled_plan, {"mode+age": 4})
        Device(bundled_plan, state).report({"mode": "bus", "age": 50}, bundles)
        assert (state.spent(), state.spent("mode"), state.spent("age")) == (8000, 7500, 4000)


def test_a_state_of_the_second_version_is_read_and_can_keep_a_draw(
    plan: Plan, budget: Budget, path: Path
) -> None:
    with State(path) as state:
        first = Device(plan, state).report(RECORD, budget)
    change(path, "DROP TABLE draws", "PRAGMA user_version = 2")
    sensitivities = dict.fromkeys(sampled_commuters().names, 1)
    drawn = set()
    for _ in range(2):
        with State(path) as state:
            assert Device(plan, state).report(RECORD, budget) == first
            drawn.add(tuple(Device(sampled_commuters(), state).sample(sensitivities).levels))
    assert len(drawn) == 1


def test_a_state_of_the_third_version_is_read_and_can_keep_a_cohort(
    plan: Plan, budget: Budget, path: Path
) -> None:
    with State(path) as state:
        first = Device(plan, state).report(RECORD, budget)
    change(path, "DROP TABLE cohorts", "PRAGMA user_version = 3")
    for _ in range(2):
        with State(path) as state:
            assert Device(plan, state).report(RECORD, budget) == first
    with State(path) as state:
        state.keep_cohort(plan.id, 2)
    with State(path) as state:
        assert (state.cohort(plan.id), state.cohort("other")) == (2, None)


def test_a_state_of_the_fourth_version_is_read_and_can_know_a_collector(
    plan: Plan, budget: Budget, path: Path
) -> None:
    with State(path) as state:
        first = Device(plan, state).report(RECORD, budget, 0)
        later = Device(plan, state).report(RECORD, budget, 1)
        Device(plan, state).acknowledge(0)
    gone = [f"DROP TABLE {name}" for name in ("fates", "withdrawals", "pins")]
    change(path, *gone, "PRAGMA user_version = 4")
    for _ in range(2):
        with State(path) as state:
            device = Device(plan, state)
            assert device.report(RECORD, budget, 0) == first
            assert device.outbox() == [(1, later.to_bytes())]
            assert device.fate(0) is None
    with State(path) as state:
        state.settle(plan.id, 1, Outcome.DROPPED, "round_closed")
        state.withdraw(plan.id, 0)
        state.pin("https://collector.example", plan.id, plan.to_bytes())
    with State(path) as state:
        device, receipt = Device(plan, state), Device(plan, state).receipt(0)
        assert device.outbox() == []
        assert device.fate(1) == Fate(Outcome.DROPPED, "round_closed")
        assert state.withdrawals(plan.id) == [(0, receipt)]
        assert state.pinned("https://collector.example") == (plan.id, plan.to_bytes())


def test_a_state_of_the_fifth_version_knows_the_plans_that_it_answered(
    plan: Plan, bundled_plan: Plan, budget: Budget, path: Path
) -> None:
    """As far as it knows their documents: those that were pinned last."""
    here, there = "https://one.example", "https://two.example"
    with State(path) as state:
        Device(plan, state).report(RECORD, budget)
        bundles = Budget.of(bundled_plan, {"mode+age": 4})
        Device(bundled_plan, state).report({"mode": "bus", "age": 50}, bundles)
        state.pin(here, plan.id, plan.to_bytes())
        state.pin(there, sampled_commuters().id, sampled_commuters().to_bytes())
    change(path, "DROP TABLE plans", "DROP TABLE contacts", "PRAGMA user_version = 5")
    for _ in range(2):
        with State(path) as state:
            assert state.plans() == {plan.id: plan.to_bytes()}
            first = {(plan.id, "mode"), (plan.id, "income")}
            second = {(bundled_plan.id, "mode"), (bundled_plan.id, "age")}
            assert set(state.answered()) == first | second
            assert (state.spent_with(here, "new"), state.spent_with(there, "new")) == (4000, 0)
            assert state.spent_with(there, plan.id) == 4000
            assert not state.is_new(plan.id)
            assert state.is_new(sampled_commuters().id)


@pytest.mark.parametrize("version", range(1, 7))
def test_every_older_version_lacks_only_tables_and_gets_them(
    plan: Plan, budget: Budget, path: Path, version: int
) -> None:
    added = {2: ["bundled"], 3: ["draws"], 4: ["cohorts"], 5: ["fates", "withdrawals", "pins"]}
    added |= {6: ["plans", "contacts"], 7: ["roots"]}
    with State(path) as state:
        first = Device(plan, state).report(RECORD, budget)
    lacking = [table for since, tables in added.items() if since > version for table in tables]
    change(path, *(f"DROP TABLE {t}" for t in lacking), f"PRAGMA user_version = {version}")
    with State(path) as state:
        device = Device(plan, state)
        assert device.outbox() == [(0, first.to_bytes())]
        device.acknowledge()
        assert device.fate() == Fate(Outcome.ACCEPTED)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)


def test_a_commit_is_on_the_disk_when_it_returns(path: Path) -> None:
    """EXTRA (3): with a rollback journal, FULL (2) does not sync the folder."""
    with State(path) as state:
        assert state._db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert state._db.execute("PRAGMA synchronous").fetchone() == (3,)
        assert state._db.execute("PRAGMA fullfsync").fetchone() == (1,)


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
def test_a_new_file_is_its_owners_alone_and_an_old_one_keeps_its_permissions(path: Path) -> None:
    State(path).close()
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o640)
    State(path).close()
    assert path.stat().st_mode & 0o777 == 0o640


def test_the_first_recorded_outcome_of_a_report_stays(plan: Plan, budget: Budget) -> None:
    with State() as state:
        device = Device(plan, state)
        device.report(RECORD, budget)
        state.settle(plan.id, 0, Outcome.ACCEPTED)
        state.settle(plan.id, 0, Outcome.DROPPED, "late")
        assert device.fate() == Fate(Outcome.ACCEPTED)


def test_a_round_without_a_report_has_no_fate_and_cannot_be_withdrawn(plan: Plan) -> None:
    with State() as state:
        state.settle(plan.id, 3, Outcome.ACCEPTED)
        state.withdraw(plan.id, 3)
        assert state.fate(plan.id, 3) is None
        assert state.withdrawn(plan.id, 3) is None


OPENING = """
import sys
from discretion.device import State
print("ready", flush=True)
for path in sys.stdin.readline().split("|"):
    State(path.strip()).close()
"""
DYING = """
import os, sqlite3, sys
from discretion.device import State

class Connection(sqlite3.Connection):
    def execute(self, statement, *rest):
        if sys.argv[2] in statement:
            os._exit(9)
        return super().execute(statement, *rest)

original = sqlite3.connect
sqlite3.connect = lambda *args, **named: original(*args, factory=Connection, **named)
State(sys.argv[1])
"""


def python(script: str, *arguments: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONPATH": str(Path(discretion.__file__).parents[1])}
    command = [sys.executable, "-c", script, *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)


def test_processes_that_open_a_new_state_at_once_all_succeed(tmp_path: Path) -> None:
    paths = [str(tmp_path / f"{i}.db") for i in range(5)]
    processes = [python(OPENING) for _ in range(6)]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("|".join(paths) + "\n")
        process.stdin.flush()
    for process in processes:
        process.communicate()
    assert [process.returncode for process in processes] == [0] * 6
    for path in paths:
        State(path).close()


def test_a_state_that_another_process_creates_meanwhile_is_opened(
    path: Path, plan: Plan, budget: Budget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one is quicker, after this one saw that there is nothing."""
    looked = database._version

    def meanwhile(*arguments: object) -> int:
        monkeypatch.setattr(database, "_version", looked)
        found = looked(*arguments)  # type: ignore[arg-type]
        with State(path) as quicker:
            Device(plan, quicker).report(RECORD, budget)
        return found

    monkeypatch.setattr(database, "_version", meanwhile)
    with State(path) as state:
        assert state.spent() == budget.total


@pytest.mark.parametrize(
    "last", ["BEGIN IMMEDIATE", "EXISTS draws", f"user_version = {VERSION}", "COMMIT"]
)
def test_a_process_killed_while_it_creates_a_state_leaves_nothing_that_is_refused(
    path: Path, last: str
) -> None:
    died = python(DYING, str(path), last)
    died.communicate()
    assert died.returncode == 9
    with State(path) as state:
        assert state.spent() == 0
        assert state._db.execute("PRAGMA user_version").fetchone() == (VERSION,)


@pytest.mark.parametrize("made", [1, 4, 10])
def test_a_state_that_an_older_version_left_half_made_is_completed(path: Path, made: int) -> None:
    change(path, *TABLES[:made])
    with State(path) as state:
        assert state.spent() == 0
        assert state.plans() == {}


def test_a_database_with_a_table_of_the_same_name_is_another_programs(path: Path) -> None:
    change(path, "CREATE TABLE ledger (plan TEXT)")
    with pytest.raises(StateUnreadable, match="another program's database"):
        State(path)


def test_a_folder_is_not_a_state(tmp_path: Path) -> None:
    with pytest.raises(StateUnreadable):
        State(tmp_path)


def test_a_closed_state_is_refused(plan: Plan, budget: Budget) -> None:
    state = State()
    state.close()
    with pytest.raises(StateUnreadable, match="closed"):
        Device(plan, state).report(RECORD, budget)


def test_two_states_on_one_file_are_one(plan: Plan, budget: Budget, path: Path) -> None:
    with State(path) as here, State(path) as there:
        one, other = Device(plan, here), Device(plan, there)
        first = one.report(RECORD, budget, 0)
        assert other.report(RECORD, budget, 0) == first
        later = other.report(RECORD, budget, 1)
        assert later.answers == first.answers
        assert one.outbox() == other.outbox() == [(0, first.to_bytes()), (1, later.to_bytes())]
        assert one.spent == other.spent == budget.total


def test_devices_that_race_for_a_round_send_the_same_bytes(
    plan: Plan, budget: Budget, path: Path
) -> None:
    def report(_: int) -> bytes:
        with State(path) as state:
            return Device(plan, state).report(RECORD, budget).to_bytes()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(report, range(8)))) == 1
    with State(path) as state:
        assert state.spent() == budget.total


def test_a_state_can_be_opened_and_read_while_another_seals(
    plan: Plan, budget: Budget, path: Path
) -> None:
    with State(path) as busy:
        Device(plan, busy).report(RECORD, budget)
        with busy.transaction(), State(path) as reader:
            assert reader.spent() == budget.total


def test_a_transaction_that_fails_to_commit_can_be_tried_again(path: Path) -> None:
    """Another process reads while this one commits: SQLite gives up, and nothing is half done."""
    with State(path) as state:
        state._db.execute("PRAGMA busy_timeout = 0")
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM ledger").fetchall()
        with pytest.raises(StateBusy, match="in use"), state.transaction():
            state.charge("plan", 0, "mode", 500)
        reader.close()
        assert state.spent() == 0
        with state.transaction():
            state.charge("plan", 0, "mode", 250)
        assert state.spent() == 250


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE theirs (x)")
    with pytest.raises(StateUnreadable, match="another program's database"):
        State(path)
