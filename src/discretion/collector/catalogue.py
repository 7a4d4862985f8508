"""The plans that a process serves, by the names that stand first in their paths.

One file is served alone, without a name. Several, or a folder, are named after their files.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from discretion.collector.errors import SettingError
from discretion.plan import Plan

SUFFIXES = (".yaml", ".yml", ".json")
RESERVED = ("v1", "static", "dashboard", "results", "docs", "health", "metrics")  # of one alone
NAMES = "must have lower-case letters, digits, - and _ before its ending, as they are in its path"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")


def load_plans(paths: Sequence[Path]) -> dict[str, Plan]:
    """Read plans from files and folders; what changes there later changes nothing."""
    if len(paths) == 1 and not paths[0].is_dir():
        return {"": Plan.load(paths[0])}
    plans = dict[str, Plan]()
    for file in (file for path in paths for file in _files(path)):
        name, plan = _name(file), Plan.load(file)
        if name in plans:
            raise SettingError("plan", "must not have the name of another", str(file))
        if plan.id in {known.id for known in plans.values()}:
            raise SettingError("plan", "must not be the same as another", str(file))
        plans[name] = plan
    return plans


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(
        file
        for file in path.iterdir()
        if file.suffix in SUFFIXES and not file.name.startswith(".") and file.is_file()
    )
    if not found:
        raise SettingError("plan", f"must be in the folder ({', '.join(SUFFIXES)})", str(path))
    return found


def _name(file: Path) -> str:
    if not _NAME.fullmatch(file.stem):
        raise SettingError("the name of a plan", NAMES, str(file))
    if file.stem in RESERVED:
        raise SettingError("the name of a plan", f"must not be {file.stem}", str(file))
    return file.stem
