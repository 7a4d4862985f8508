"""A release holds all that a checkout does."""

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.distribution.artefacts import ROOT, SCRIPTS, build, unpacked

DEVICE = "discretion/web/static/device/"


def contents(wheel: Path) -> dict[str, bytes]:
    with ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sdist")
    return unpacked(build("sdist", ROOT, out), out / "unpacked")


def test_a_wheel_from_the_sdist_is_the_wheel_from_the_checkout(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "checkout").mkdir()
    (tmp_path / "sdist").mkdir()
    direct = contents(build("wheel", ROOT, tmp_path / "checkout"))
    again = contents(build("wheel", tree, tmp_path / "sdist"))
    assert again.keys() == direct.keys()
    assert again == direct
    own = [path for path in (SCRIPTS / "src").rglob("*") if path.is_file()]
    assert {f"{DEVICE}{path.relative_to(SCRIPTS / 'src')}" for path in own} <= again.keys()


def test_the_sdist_has_what_its_tests_need(tree: Path) -> None:
    for name in (
        "Makefile",
        "constraints.txt",
        "docs/guide.md",
        "clients/js/test",
        "tests/plans.py",
    ):
        assert (tree / name).exists(), name
    assert not (tree / "clients/js/node_modules").exists()


def test_studies_of_papers_travel_with_the_sources_alone(tree: Path, tmp_path: Path) -> None:
    assert (tree / "papers/pldp/page.md").exists()
    names = contents(build("wheel", tree, tmp_path))
    assert not [name for name in names if name.startswith("papers") or "/experiment" in name]


def test_the_package_for_npm_has_the_licence() -> None:
    assert (SCRIPTS / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert "LICENSE" in json.loads((SCRIPTS / "package.json").read_text())["files"]
