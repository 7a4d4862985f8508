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
from discretion.table import ReportTable
from tests.folders import in_folder
from tests.unit.joints.crowds import crowd, dependent, plan_of

SIZES = (3, 4)
MANY = 5_000  # reports: more rows than are summed in double precision anyway
EXACT = 1e-6  # standard errors: sums in double precision, in another order
CLIMBED = 0.05  # standard errors: a climb ends at another of the tables that are as likely


def agree(found: JointEstimate, expected: JointEstimate, errors: float) -> None:
    """Compare in standard errors."""
    assert found.holding == expected.holding
    away = np.abs(found.value - expected.value) / expected.stderr
    assert away.max() < errors
    np.testing.assert_allclose(found.stderr, expected.stderr, rtol=errors)


@pytest.fixture(params=[1 << 18, 256], ids=["at once", "in pieces"])
def engine(request: pytest.FixtureRequest) -> JaxEngine:
    return JaxEngine(rows=request.param)


@pytest.mark.parametrize("method", ["mle", "map", "adaptive"])
@pytest.mark.parametrize("kinds", [("grr", "oue"), ("olh", "subset")], ids="-".join)
def test_joint_tables_are_those_of_this_process(
    method: str, kinds: tuple[str, str], engine: JaxEngine
) -> None:
    """Unequal levels, missing attributes, reports that are equal and others."""
    reports = crowd(plan_of(SIZES, kinds), dependent(SIZES), 700, seed=2, missing=0.3)
    found = joint(reports.on(engine), ["a", "b"], method)
    agree(found, joint(reports, ["a", "b"], method), EXACT)


def test_secret_levels_are_no_special_case(engine: JaxEngine) -> None:
    plan = plan_of(SIZES, "oue", secret=True)
    reports = crowd(plan, dependent(SIZES), 700, seed=2, missing=0.3)
    agree(joint(reports.on(engine), ["a", "b"]), joint(reports, ["a", "b"]), EXACT)


def test_views_are_no_special_case(engine: JaxEngine) -> None:
    plan = plan_of((*SIZES, 2), "subset", bundles=[["a", "b"], ["b", "c"]])
    reports = crowd(plan, dependent((*SIZES, 2)), 700, seed=2, missing=0.3)
    agree(joint(reports.on(engine), ["a", "c"]), joint(reports, ["a", "c"]), EXACT)


@pytest.fixture(scope="module")
def many() -> ReportTable:
    sizes = (16, 20)
    return crowd(plan_of(sizes, "oue"), dependent(sizes), MANY, seed=4)


@pytest.mark.parametrize("differing", [1 << 21, 3], ids=["counted", "in shards"])
def test_sums_in_single_precision_agree(
    many: ReportTable, differing: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discretion.table.distinct.MOST", differing)
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
from discretion.table import ReportTable
import jax
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
