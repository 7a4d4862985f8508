"""Which plans a process serves, and under which names."""

from pathlib import Path

import pytest

from discretion.collector.catalogue import RESERVED, load_plans
from discretion.collector.errors import SettingError
from discretion.errors import PlanError
from tests.collector.serving import people

TRAVEL, WORK = people("travel"), people("work")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, plan in (("travel.json", TRAVEL), ("work-2.yaml", WORK)):
        (tmp_path / name).write_bytes(plan.to_bytes())
    return tmp_path


def test_one_file_has_no_name(folder: Path) -> None:
    anything = folder / "Any name, v1.json"
    anything.write_bytes(TRAVEL.to_bytes())
    assert load_plans([anything]) == {"": TRAVEL}


def test_several_files_are_named_after_themselves(folder: Path) -> None:
    files = [folder / "work-2.yaml", folder / "travel.json"]
    assert list(load_plans(files).items()) == [("work-2", WORK), ("travel", TRAVEL)]


def test_a_folder_has_its_plans_and_nothing_else(folder: Path) -> None:
    for other in ("readme.md", ".hidden.yaml", "people.csv"):
        (folder / other).write_text("nothing")
    (folder / "old.yaml").mkdir()
    assert load_plans([folder]) == {"travel": TRAVEL, "work-2": WORK}


def test_a_folder_with_one_plan_names_it(tmp_path: Path) -> None:
    (tmp_path / "travel.json").write_bytes(TRAVEL.to_bytes())
    assert load_plans([tmp_path]) == {"travel": TRAVEL}


def test_folders_and_files_go_together(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other") / "play.json"
    other.write_bytes(people("play").to_bytes())
    assert [*load_plans([other, folder])] == ["play", "travel", "work-2"]


def test_a_folder_without_a_plan_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"plan must be in the folder \(\.yaml, \.yml, \.json\)"):
        load_plans([tmp_path])


@pytest.mark.parametrize("name", [*RESERVED, "Travel", "a b", "-x", "ä", "a.b", "_x", "x" + "\n"])
def test_a_name_that_cannot_stand_in_a_path_is_refused(folder: Path, name: str) -> None:
    (folder / f"{name}.json").write_bytes(people("other").to_bytes())
    with pytest.raises(SettingError, match="the name of a plan must"):
        load_plans([folder])


def test_two_plans_with_one_name_are_refused(folder: Path) -> None:
    (folder / "travel.yaml").write_bytes(people("other").to_bytes())
    with pytest.raises(
        SettingError, match=r"must not have the name of another, got .*travel\.yaml"
    ):
        load_plans([folder])


def test_a_plan_that_is_there_twice_is_refused(folder: Path) -> None:
    (folder / "z.json").write_bytes(TRAVEL.to_bytes())
    with pytest.raises(SettingError, match=r"must not be the same as another, got .*z\.json"):
        load_plans([folder])


def test_a_plan_that_is_none_is_refused_by_its_file(folder: Path) -> None:
    (folder / "bad.yaml").write_text("name: bad\n")
    with pytest.raises(PlanError, match=r"bad\.yaml"):
        load_plans([folder])
