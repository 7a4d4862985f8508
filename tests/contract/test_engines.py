"""What every engine keeps: the same parts, merged along the same tree, whoever worked on them."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from distributed import Client

from discretion.aggregate import Aggregate
from discretion.crowd import simulate
from discretion.engine import Engine, LocalEngine, open_engine
from discretion.engine.cluster import LAST, DaskEngine
from discretion.engine.engine import FAN
from discretion.errors import EngineError
from discretion.joints import joint
from discretion.labels import frequencies
from discretion.numbers import mean
from discretion.plan import Plan
from discretion.synthesis import publish
from discretion.table import ReportFolder, ReportTable
from tests.builders import crowd, survey
from tests.clusters import cluster, kill_a_worker
from tests.folders import in_folder
from tests.unit.joints.crowds import crowd as dependent_crowd
from tests.unit.joints.crowds import dependent, plan_of

COUNTS = (1, 2, FAN, FAN + 1, FAN * FAN, 12 * FAN * FAN + 5)
SIZES = (3, 4)
WIDE = (40, 40)  # codes: reports that are too long to be counted as integers


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with cluster() as found:
        yield found


@pytest.fixture(params=["one thread", "three threads", "dask", "jax"])
def engine(request: pytest.FixtureRequest) -> Engine:
    if request.param == "jax":
        return open_engine("jax")
    if request.param == "dask":
        return open_engine(request.getfixturevalue("client"))
    return LocalEngine(1 if request.param == "one thread" else 3)


def third(number: int) -> float:
    return number / 3


def paired(one: str, other: str) -> str:
    return f"({one}{other})"


def tree(leaves: list[str]) -> str:
    while len(leaves) > 1:
        groups = [leaves[i : i + FAN] for i in range(0, len(leaves), FAN)]
        leaves = []
        for first, *rest in groups:
            for other in rest:
                first = paired(first, other)
            leaves.append(first)
    return leaves[0]


@pytest.mark.parametrize("count", COUNTS)
def test_parts_are_merged_along_a_tree_of_their_number_alone(engine: Engine, count: int) -> None:
    assert engine.fold(range(count), str, paired) == tree([str(i) for i in range(count)])


@pytest.mark.parametrize("count", COUNTS)
def test_what_is_kept_is_folded_along_the_same_tree(engine: Engine, count: int) -> None:
    kept = engine.keep(range(count), third)
    for factor in (1.0, 7.0):
        found = kept.fold(lambda x, f=factor: str(x * f), paired)  # type: ignore[misc]
        assert found == tree([str(i / 3 * factor) for i in range(count)])


def test_an_error_of_the_work_is_raised(engine: Engine) -> None:
    def work(number: int) -> float:
        return 1 / (number - 5)

    with pytest.raises(ZeroDivisionError):
        engine.fold(range(20), work, max)


class Watched:
    """Notes all that a progress tells."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []
        self.done = threading.Event()

    def __call__(self, done: int, count: int) -> None:
        self.seen.append((done, count))
        if done == count:
            self.done.set()


def test_progress_counts_all_items(client: Client) -> None:
    here, there = Watched(), Watched()
    for engine, watched in ((LocalEngine(2, here), here), (DaskEngine(client, there), there)):
        engine.fold(range(40), float, max)
        assert watched.done.wait(10)
        shown = [done for done, _ in watched.seen]
        assert shown == sorted(set(shown))
        assert watched.seen[-1] == (40, 40)
    assert [done for done, _ in here.seen] == list(range(1, 41))


def test_a_task_is_several_items_but_at_the_end(client: Client) -> None:
    threads = sum(client.nthreads().values())
    last = LAST * threads * FAN
    groups = DaskEngine(client)._grouped(range(3 * FAN + last))
    assert [len(group) for group in groups] == [FAN] * 3 + [1] * last
    assert [item for group in groups for item in group] == list(range(3 * FAN + last))
    assert [len(group) for group in DaskEngine(client)._grouped(range(last))] == [1] * last


def test_products_run_on_one_thread(engine: Engine) -> None:
    def threads(_: int) -> frozenset[int]:
        from threadpoolctl import threadpool_info

        np.ones((2, 2)) @ np.ones((2, 2))
        found = [own["num_threads"] for own in threadpool_info() if own["user_api"] == "blas"]
        return frozenset(found)

    assert engine.fold(range(4), threads, lambda one, other: one | other) == {1}


def test_items_that_find_no_room_are_made_again() -> None:
    made = list[int]()

    def make(number: int) -> np.ndarray:
        made.append(number)
        return np.full(1000, number)

    kept = LocalEngine(1, room=3 * 8500).keep(range(5), make)
    for _ in range(2):
        assert kept.fold(np.sum, lambda a, b: a + b) == 10_000
    assert made == [0, 1, 2, 3, 4, 3, 4]


def test_engines_are_named(client: Client) -> None:
    assert isinstance(open_engine("local"), LocalEngine)
    assert isinstance(open_engine("dask"), DaskEngine)
    there = open_engine(client.scheduler.address)
    assert isinstance(there, DaskEngine)
    there.client.close()
    for wrong in ("spark", 7, None):
        with pytest.raises(EngineError, match='must be "local", "dask", "jax", an address'):
            open_engine(wrong)
    with pytest.raises(EngineError, match="must have a scheduler that answers"):
        open_engine("nowhere://10.0.0.1:8786")


def both(reports: ReportTable, place: Path, client: Client) -> tuple[ReportFolder, ReportFolder]:
    folder = in_folder(reports, place)
    return folder, folder.on(client)


def test_counts_and_estimates_are_equal_bit_for_bit(client: Client, tmp_path: Path) -> None:
    here, there = both(crowd(survey(), 500, seed=3), tmp_path, client)
    assert Aggregate.of(there).to_json() == Aggregate.of(here).to_json()
    for name in ("mode", "pet"):
        one, other = (frequencies(reports, name, "mle") for reports in (here, there))
        np.testing.assert_array_equal(other.value, one.value)
        np.testing.assert_array_equal(other.covariance, one.covariance)


def test_numbers_are_equal_bit_for_bit(client: Client, tmp_path: Path) -> None:
    age = {"name": "age", "kind": "numeric", "range": [0, 100], "step": 1}
    budget = {"average": 2.0, "least": 0.25, "most": 6.0}
    plan = Plan.of({"name": "ages", "attributes": [age], "budget": budget})
    ages = np.random.default_rng(1).integers(0, 100, 300)
    here, there = both(simulate(plan, {"age": ages}, seed=1), tmp_path, client)
    assert mean(there, "age").value == mean(here, "age").value


@pytest.mark.parametrize("differing", [1 << 21, 3], ids=["counted", "in shards"])
@pytest.mark.parametrize("method", ["mle", "map", "tensor"])
def test_joints_are_equal_bit_for_bit(
    method: str, differing: int, client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = "discretion.table.distinct.MOST"
    monkeypatch.setattr(most, differing)
    client.run(_set, most, differing)
    reports = dependent_crowd(plan_of(SIZES, ("grr", "oue")), dependent(SIZES), 700, seed=2)
    one, other = (joint(r, ["a", "b"], method) for r in both(reports, tmp_path, client))
    np.testing.assert_array_equal(other.value, one.value)
    np.testing.assert_array_equal(other.root, one.root)
    assert other.holding == one.holding
    client.run(_set, most, 1 << 21)


@pytest.mark.parametrize("secret", [False, True], ids=["disclosed", "secret"])
def test_what_is_published_is_equal_bit_for_bit(
    secret: bool, client: Client, tmp_path: Path
) -> None:
    plan = plan_of((*SIZES, 2), "oue", secret=secret)
    reports = dependent_crowd(plan, dependent((*SIZES, 2)), 700, seed=2)
    one, other = (publish(r, 50, seed=1) for r in both(reports, tmp_path, client))
    assert other.dependence == one.dependence
    for here, there in zip(one.model.cliques, other.model.cliques, strict=True):
        np.testing.assert_array_equal(there.table, here.table)
    assert other.quality().document() == one.quality().document()


def _set(name: str, value: object) -> None:
    from importlib import import_module

    module, _, attribute = name.rpartition(".")
    setattr(import_module(module), attribute, value)


def test_a_worker_that_is_killed_in_the_middle_of_em_changes_nothing(
    client: Client, tmp_path: Path
) -> None:
    reports = dependent_crowd(plan_of(WIDE, "oue"), dependent(WIDE), 400, seed=3)
    here = in_folder(reports, tmp_path)
    expected = joint(here, ["a", "b"], "mle")
    passes = list[int]()

    def progress(done: int, count: int) -> None:
        passes.append(done)
        if len(passes) == 12 * count:  # shards are kept by now, and it climbs
            kill_a_worker(client)

    found = joint(here.on(DaskEngine(client, progress)), ["a", "b"], "mle")
    assert len(passes) > 20 * len(here.shards)
    np.testing.assert_array_equal(found.value, expected.value)
    np.testing.assert_array_equal(found.root, expected.root)


@pytest.mark.slow
def test_many_reports_and_a_worker_that_is_killed(tmp_path: Path) -> None:
    reports = dependent_crowd(plan_of(WIDE, "oue"), dependent(WIDE), 200_000, seed=3)
    here = in_folder(reports, tmp_path, shard=5_000)
    expected = joint(here, ["a", "b"], "mle")
    with cluster() as client:
        killed = threading.Timer(8.0, kill_a_worker, [client])
        killed.start()
        found = joint(here.on(client), ["a", "b"], "mle")
        killed.join()
    np.testing.assert_array_equal(found.value, expected.value)
    np.testing.assert_array_equal(found.root, expected.root)


def test_what_was_kept_on_a_worker_that_died_is_made_again(client: Client) -> None:
    client.wait_for_workers(2)  # another one may have been killed before
    kept = DaskEngine(client).keep(range(20), lambda i: (os.getpid(), i / 3))
    before = kept.fold(lambda held: [held], lambda one, other: one + other)
    kill_a_worker(client)
    after = kept.fold(lambda held: [held], lambda one, other: one + other)
    assert [i for _, i in after] == [i for _, i in before] == [i / 3 for i in range(20)]
    assert {pid for pid, _ in after} != {pid for pid, _ in before}
