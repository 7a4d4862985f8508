"""A part of the package works without what other parts need, and one line names what is missing."""

import json
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from discretion.errors import DiscretionError, MissingPackage
from discretion.extras import EXTRAS, needed
from tests.cases import for_each

PROJECT = tomllib.loads(Path("pyproject.toml").read_text())["project"]
FIXED = {  # the first release without a vulnerability that is known
    "distributed": "2026.1.1",  # CVE-2026-23528; 2026.1.0 is broken
    "fastapi": "0.109.1",  # CVE-2024-24762
    "h11": "0.16.0",  # CVE-2025-43859
    "httptools": "0.4.0",
    "numpy": "1.22.2",
    "pyarrow": "23.0.1",  # CVE-2023-47248, CVE-2026-25087
    "pyyaml": "5.4",  # CVE-2020-14343
    "scikit-learn": "1.5.0",  # CVE-2024-5206
    "scipy": "1.10.0",  # CVE-2023-25399
    "starlette": "1.3.1",  # CVE-2025-62727, CVE-2026-48710, -48817, -48818, -54282, -54283
    "uvicorn": "0.11.7",  # CVE-2020-7694, CVE-2020-7695
}
WITHOUT = """
import sys

class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Lacking())
"""
MESSAGES = """
import json

def message(call, *arguments):
    try:
        call(*arguments)
    except ImportError as error:
        return str(error)
"""
DEVICE = """
import discretion as ds
from discretion.report import read

plan = ds.Plan.of({
    "name": "commuters",
    "attributes": [{"name": "travel", "kind": "categorical", "values": ["car", "bike"]}],
    "budget": {"average": 2, "least": 0.25, "most": 6},
})
assert ds.Plan.from_bytes(plan.to_bytes()).id == plan.id
report = ds.Device(plan).report({"travel": "bike"}, ds.Budget.even(plan, ["travel"]))
assert read(plan, report.to_bytes()) == report
assert ds.UploadClient and ds.State
print(json.dumps([
    message(getattr, ds, "frequencies"),
    message(ds.Plan.load, sys.argv[1]),
]))
"""
ANALYST = """
import numpy as np
import pyarrow as pa
import discretion as ds
from discretion.collector.store import open_store
from discretion.engine.engine import open_engine
from discretion.forms import import_form
from discretion.table.labelled import read_labelled
from pathlib import Path

plan = ds.census_plan()
reports = ds.simulate(plan, ds.census(200, seed=1), seed=1)
found = ds.frequencies(reports, "travel")
print(json.dumps([
    message(found.plot),
    message(open_store, "postgresql://nobody@localhost/none", plan),
    message(open_engine, "dask"),
    message(open_engine, "jax"),
    message(import_form, Path("form.xlsx")),
    message(read_labelled, Path("people.sav")),
]))
"""
COMMAND = "from discretion.cli.entry import main; main()"


def run(missing: set[str], code: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run Python as if these modules were not installed."""
    whole = WITHOUT.format(missing=missing) + MESSAGES + code
    return subprocess.run([sys.executable, "-c", whole, *arguments], capture_output=True, text=True)


def modules(*extras: str) -> set[str]:
    return {module for extra in extras for module in EXTRAS[extra]}


def bounds() -> dict[str, Version]:
    """Return the lowest version of each package that an installation may have."""
    texts = [*PROJECT["dependencies"]]
    for extra in PROJECT["optional-dependencies"].values():
        texts += extra
    found: dict[str, Version] = {}
    for requirement in map(Requirement, texts):
        (lowest,) = [each.version for each in requirement.specifier] or ["0"]
        found[canonicalize_name(requirement.name)] = Version(lowest)
    return found


installed = cache(packages_distributions)


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_package_of_an_extra_is_known_by_its_modules(extra: str) -> None:
    groups = {"": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}
    wanted = {canonicalize_name(Requirement(text).name) for text in groups[extra]}
    homes = installed()
    known = {canonicalize_name(name) for module in EXTRAS[extra] for name in homes[module]}
    brought = {"dask", "llvmlite"}  # they are imported, and come with what is required
    assert wanted <= known <= wanted | brought


@for_each("name", FIXED)
def test_no_release_with_a_known_vulnerability_fits(name: str) -> None:
    assert bounds()[name] >= Version(FIXED[name])


def test_a_device_needs_nothing_but_python(tmp_path: Path) -> None:
    (tmp_path / "plan.yaml").write_text("name: commuters")
    done = run(modules(*EXTRAS), DEVICE, str(tmp_path / "plan.yaml"))
    assert done.stderr == ""
    assert json.loads(done.stdout) == [
        "discretion.frequencies needs numpy: pip install discretion",
        "a plan in YAML needs PyYAML: pip install discretion",
    ]


def test_an_analyst_needs_no_extra() -> None:
    done = run(modules(*EXTRAS) - modules(""), ANALYST)
    assert done.stderr == ""
    assert json.loads(done.stdout) == [
        "plot() needs matplotlib: pip install 'discretion[plot]'",
        "a store in PostgreSQL needs psycopg: pip install 'discretion[postgres]'",
        "engine 'dask' needs Dask: pip install 'discretion[dask]'",
        "engine 'jax' needs JAX: pip install 'discretion[jax]'",
        "an XLSForm needs pyxform: pip install 'discretion[forms]'",
        "a .sav file needs pyreadstat: pip install 'discretion[stats]'",
    ]


@pytest.mark.parametrize(
    "missing, arguments, line",
    [
        (modules(*EXTRAS), ["send"], "the discretion command needs typer: pip install discretion"),
        (
            modules("collector") - {"pydantic"},  # typer needs it too
            ["serve", "--help"],
            "discretion serve needs the collector's packages: pip install 'discretion[collector]'",
        ),
    ],
)
def test_a_command_ends_in_one_line(missing: set[str], arguments: list[str], line: str) -> None:
    done = run(missing, COMMAND, *arguments)
    assert (done.returncode, done.stderr) == (1, f"discretion: {line}\n")


def test_a_missing_package_is_our_error_and_pythons() -> None:
    with pytest.raises(MissingPackage) as caught, needed("plot()"):
        raise ModuleNotFoundError("No module named 'matplotlib.axes'", name="matplotlib.axes")
    assert isinstance(caught.value, DiscretionError)
    assert isinstance(caught.value, ImportError)
    assert (caught.value.extra, caught.value.module) == ("plot", "matplotlib")


def test_another_missing_module_is_not_hidden() -> None:
    with pytest.raises(ModuleNotFoundError, match="elsewhere"), needed("plot()"):
        raise ModuleNotFoundError("No module named 'elsewhere'", name="elsewhere")
