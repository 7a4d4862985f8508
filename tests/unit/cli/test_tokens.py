"""Tokens from the command line: for one plan, or for all plans of a store."""

from contextlib import closing
from pathlib import Path

import pytest

from discretion.collector.store import open_database, open_store
from discretion.collector.tokens import Tokens
from discretion.plan import Plan
from tests.unit.cli.conftest import Run

STORE = ("--store", "sqlite:///survey.db")
ANALYSE = ("--role", "analyse")
OTHER = "0" * 64


def found(secret: str, plan: str) -> str | None:
    with closing(open_database("sqlite:///survey.db")) as database:
        token = Tokens(database).find(secret, plan)
    return None if token is None else token.name


def test_a_token_is_for_one_plan_by_its_file_or_its_id(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = Plan.load("plan.yaml").id
    secrets = {}
    for name, more in (("file", "plan.yaml"), ("id", plan), ("later", OTHER), ("all", "")):
        named = ("--plan", more) if more else ()
        assert run("token", "new", name, *ANALYSE, *named, *STORE) == 0
        secrets[name] = capsys.readouterr().out.strip()
    assert [found(secret, plan) for secret in secrets.values()] == ["file", "id", None, "all"]
    assert [found(secret, OTHER) for secret in secrets.values()] == [None, None, "later", "all"]

    open_store("sqlite:///survey.db", Plan.load("plan.yaml")).close()
    assert run("token", "list", *STORE) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[0] == ["name", "roles", "plan"]
    assert rows[-4:] == [
        ["all", "analyse", "all"],
        ["file", "analyse", "census", plan[:12]],
        ["id", "analyse", "census", plan[:12]],
        ["later", "analyse", OTHER[:12]],
    ]


def test_a_token_for_a_plan_that_cannot_be_read_is_not_made(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.yaml").write_text("name: bad\n")
    for named in ("nothing.yaml", "bad.yaml", OTHER[1:]):
        assert run("token", "new", "ada", *ANALYSE, "--plan", named, *STORE) == 1
        assert len(capsys.readouterr().err.splitlines()) == 1
    assert not Path("survey.db").exists()


def test_a_folder_without_a_plan_is_refused_in_one_line(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "plans").mkdir()
    assert run("serve", "plans", *STORE) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "discretion: plan must be in the folder (.yaml, .yml, .json), got 'plans'"
    assert not Path("survey.db").exists()
