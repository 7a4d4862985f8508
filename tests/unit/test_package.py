"""The names of the package can be called, however often and in whatever order they are used."""

import subprocess
import sys

import pytest

import discretion as ds


@pytest.mark.parametrize("name", [name for name in ds.__all__ if not name.startswith("_")])
def test_every_name_can_be_called_time_and_again(name: str) -> None:
    assert callable(getattr(ds, name))
    assert callable(getattr(ds, name))


@pytest.mark.parametrize("first", ["import discretion.joint", "ds.joint", "ds.JointEstimate"])
def test_joint_can_be_called_although_its_folder_has_that_name(first: str) -> None:
    call = "ds.joint(__import__('types').SimpleNamespace(plan=None), [])"
    done = subprocess.run(
        [sys.executable, "-c", f"import discretion as ds\n{first}\n{call}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr.splitlines()[-1].startswith("discretion.errors.EstimateError: name two")
