"""A fresh virtual environment with the wheel in it, away from the source tree."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tests.distribution.artefacts import ROOT

NAMES = """
import importlib.metadata as metadata, json
print(json.dumps(sorted({each.metadata["Name"] for each in metadata.distributions()})))
"""
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Environment:
    """What pip installed into ``folder``; pip itself is not in it, so that it weighs nothing."""

    folder: Path

    @classmethod
    def made(cls, folder: Path, wheel: Path, *options: str, extra: str = "") -> Self:
        """Install the wheel with an extra, in the versions that are tested."""
        made = cls(folder)
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
        pip = [sys.executable, "-m", "pip", "--python", str(made.python), "install", "--quiet"]
        constraints = ["--constraint", str(ROOT / "constraints.txt"), *options]
        wanted = f"{wheel}[{extra}]" if extra else str(wheel)
        subprocess.run([*pip, "--disable-pip-version-check", *constraints, wanted], check=True)
        return made

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def command(self) -> Path:
        return self.folder / "bin" / "discretion"

    @property
    def third_party(self) -> list[str]:
        """The names of all packages but ours."""
        names: list[str] = json.loads(self.run(self.python, "-c", NAMES).stdout)
        return [name for name in names if name != "discretion"]

    @property
    def megabytes(self) -> float:
        """The size of all files that were installed."""
        (packages,) = self.folder.glob("lib/python*/site-packages")
        return sum(f.lstat().st_size for f in packages.rglob("*") if f.is_file()) / MEGABYTE

    def run(
        self, *command: object, check: bool = True, user: int | None = None
    ) -> "subprocess.CompletedProcess[str]":
        """Run a program beside the environment; nothing of the source tree is in its reach."""
        return subprocess.run(
            [str(each) for each in command],
            cwd=self.folder.parent,
            env=surroundings(self.folder.parent),
            check=check,
            user=user,
            stdout=subprocess.PIPE,
            stderr=None if check else subprocess.PIPE,
            text=True,
        )


def surroundings(home: Path) -> dict[str, str]:
    """Return the variables of a user whose home is a folder, without any of Python's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "HOME": str(home), "OPENBLAS_NUM_THREADS": "1"}
