"""What the devices that JAX finds estimate: the same as this process, up to how sums are rounded.

Here they are one processor, or two for the same work; a GPU runs the same code.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from discretion.engine import open_engine
from discretion.engine.accelerator import JaxEngine
from discretion.engine.arrays import array_code, namespace
from discretion.errors import MissingPackage
from discretion.joints import joint
from discretion.joints.result import JointEstimate
from discretion.synthesis import publish
from discretion.synthesis.tree import Tree
from discretion.synthesis.wiring import TreeEvidence
from tests.folders import in_folder
from tests.unit.joints.crowds import crowd, dependent, plan_of
from tests.unit.synthesis.test_tree_evidence import a_model
from tests.unit.synthesis.trees import evidence_of, reports_of

SIZES = (3, 4)
MANY = 5_000  # reports: more rows than are summed in double precision anyway
EXACT = 1e-6  # standard errors: sums in double precision, in another order
SINGLE = 1e-5  # of a mean of posteriors in single precision
FITTED = 1e-4  # of a probability: how far two fits to single precision are apart
CLIMBED = 0.05  # standard errors: a climb ends at another of the tables that are as likely


def agree(found: JointEstimate, expected: JointEstimate, errors: float) -> None:
    """Compare in standard errors."""
    assert found.holding == expected.holding
    away = np.abs(found.value - expected.value) / expected.stderr
    assert away.max() < errors
    np.testing.assert_allclose(found.stderr, expected.stderr, rtol=errors)


CASES = [
    ("mle", "grr", "oue", 1 << 18),
    ("map", "oue", "subset", 256),
    ("adaptive", "olh", "grr", 256),
]


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few reports go to a device too."""
    monkeypatch.setattr("discretion.joints.build.FEWEST", 0)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("method, one, other, rows", CASES)
def test_joint_tables_are_those_of_this_process(
    method: str, one: str, other: str, rows: int
) -> None:
    """Unequal levels, missing attributes, reports that are equal and others."""
    reports = crowd(plan_of(SIZES, (one, other)), dependent(SIZES), 700, seed=2, missing=0.3)
    found = joint(reports.on(JaxEngine(rows=rows)), ["a", "b"], method)
    agree(found, joint(reports, ["a", "b"], method), EXACT)


@pytest.mark.usefixtures("compiled")
def test_secret_levels_are_no_special_case() -> None:
    plan = plan_of(SIZES, "oue", secret=True)
    reports = crowd(plan, dependent(SIZES), 700, seed=2, missing=0.3)
    found = joint(reports.on(JaxEngine(rows=256)), ["a", "b"])
    agree(found, joint(reports, ["a", "b"]), EXACT)


@pytest.mark.usefixtures("compiled")
def test_views_are_no_special_case() -> None:
    plan = plan_of((*SIZES, 2), "subset", bundles=[["a", "b"], ["b", "c"]])
    reports = crowd(plan, dependent((*SIZES, 2)), 700, seed=2, missing=0.3)
    agree(joint(reports.on("jax"), ["a", "c"]), joint(reports, ["a", "c"]), EXACT)


@pytest.mark.parametrize("kind", ["bundled", "secret"])
def test_beliefs_as_arrays_are_those_of_the_kernel(kind: str) -> None:
    """Questions about several attributes, silent reports, levels that hang together."""
    reports = reports_of(kind, 300, missing=0.3)
    here, there = evidence_of(reports), evidence_of(reports.on(JaxEngine(rows=128)))
    tree = Tree.of(here.shape, [(0, 1), (1, 2), (2, 3), (0, 3)])
    conditionals, _ = a_model(tree)
    value, means = TreeEvidence(tree, here).expected(conditionals)
    found, others = TreeEvidence(tree, there).expected(conditionals)
    assert found == pytest.approx(value, rel=SINGLE)
    np.testing.assert_allclose(others, means, rtol=SINGLE, atol=SINGLE)


@pytest.mark.slow
def test_what_is_published_agrees(tmp_path: Path) -> None:
    """A folder, whose shards have other sizes than pieces, and what its quality report says."""
    plan = plan_of((*SIZES, 2), "subset")
    reports = crowd(plan, dependent((*SIZES, 2)), 3000, seed=2, missing=0.3)
    folder = in_folder(reports, tmp_path)
    one, other = publish(folder, 50, seed=1), publish(folder.on("jax"), 50, seed=1)
    for here, there in zip(one.dependence.pairs, other.dependence.pairs, strict=True):
        assert there.statistic == pytest.approx(here.statistic, rel=1e-4)
    for mine, theirs in zip(one.model.cliques, other.model.cliques, strict=True):
        assert theirs.axes == mine.axes
        np.testing.assert_allclose(theirs.table, mine.table, atol=FITTED)
    assert [a.misses for a in other.quality().two_way] == [a.misses for a in one.quality().two_way]


@pytest.mark.slow
def test_sums_in_single_precision_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = (16, 20)
    many = crowd(plan_of(sizes, "oue"), dependent(sizes), MANY, seed=4)
    monkeypatch.setattr("discretion.table.distinct.MOST", 3)  # different reports: so, in shards
    folder = in_folder(many, tmp_path)
    found = joint(folder.on("jax"), ["a", "b"], "mle")
    agree(found, joint(folder, ["a", "b"], "mle"), CLIMBED)


def test_what_finds_no_room_on_a_device_is_read_again() -> None:
    made = list[int]()

    def make(number: int) -> np.ndarray:
        made.append(number)
        return np.full(1000, float(number))

    kept = JaxEngine(room=3 * 8500).keep(range(5), make)
    for _ in range(2):
        assert kept.fold(_total) == 10_000
    assert sorted(made) == [0, 1, 2, 3, 3, 4, 4]


@array_code
def _total(array: np.ndarray) -> np.ndarray:
    return namespace(array).sum(array)


@array_code
def _size(array: np.ndarray) -> tuple[str, int]:
    return array.dtype.name, len(array)


def test_double_precision_stays_double_and_single_stays_single() -> None:
    engine = JaxEngine()
    for kind in ("float32", "float64"):
        kept = engine.keep([3], lambda count, kind=kind: np.zeros(count, kind))  # type: ignore[misc]
        assert kept.fold(_size) == (kind, 3)


def test_nothing_is_set_for_others() -> None:
    import jax

    before = jax.numpy.asarray(1.0).dtype
    open_engine("jax").keep([3], np.zeros).fold(_total)
    assert jax.numpy.asarray(1.0).dtype == before == np.float32


def test_without_jax_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)
    monkeypatch.delitem(sys.modules, "discretion.engine.accelerator", raising=False)
    with pytest.raises(MissingPackage, match=r"pip install 'discretion\[jax\]'"):
        open_engine("jax")


TWO = """
import sys
import numpy as np
from discretion.engine.accelerator import JaxEngine
from discretion.joints import joint
from discretion.joints import build
from discretion.table import ReportTable
import jax
build.FEWEST = 0
assert len(jax.devices()) == 2
engine = JaxEngine(rows=128)
kept = engine.keep([2, 3, 4], np.zeros)
assert kept.fold(len) == 9
assert [kept._placed[i].arrays[0].device for i in range(3)] == [*jax.devices(), jax.devices()[0]]
reports = ReportTable.read(sys.argv[1])
found = joint(reports.on(engine), ["a", "b"], "mle")
print(found.value.ravel().tolist())
"""


def test_two_devices_share_the_blocks(tmp_path: Path) -> None:
    reports = crowd(plan_of(SIZES, ("grr", "oue")), dependent(SIZES), 700, seed=2, missing=0.3)
    reports.write(tmp_path / "reports.parquet")
    done = subprocess.run(
        [sys.executable, "-c", TWO, str(tmp_path / "reports.parquet")],
        env={**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = np.array(json.loads(done.stdout))
    np.testing.assert_allclose(found, joint(reports, ["a", "b"], "mle").value.ravel(), atol=1e-9)
