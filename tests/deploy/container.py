"""The Containerfile read, and what it starts, run in a scratch folder with the rest read-only."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self

import discretion
from discretion.plan import Plan
from tests.collector.serving import Server

ROOT = Path(__file__).parents[2]
FILE = ROOT / "deploy" / "Containerfile"
PROGRAM = "/opt/discretion/bin/discretion"
READ_ONLY = """
for folder in "$0" "$1"; do mount --bind "$folder" "$folder" || exit; done
shift
mount -o remount,ro,bind / && exec "$@"
"""


class Step(NamedTuple):
    """One instruction, its continued lines joined."""

    name: str
    text: str

    @property
    def words(self) -> list[str]:
        return json.loads(self.text) if self.text.startswith("[") else shlex.split(self.text)


def steps(name: str | None = None) -> list[Step]:
    """Return the instructions of the file, or those of one name."""
    lines = [line for line in FILE.read_text().splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    found = [Step(*line.split(" ", 1)) for line in joined.splitlines() if line]
    return [step for step in found if name in (None, step.name)]


def only(name: str) -> Step:
    (step,) = steps(name)
    return step


def environment() -> Mapping[str, str]:
    return dict(word.split("=", 1) for word in only("ENV").words)


def in_scratch(text: str, scratch: Path) -> str:
    """Return a path, or an address with one, as it is below a scratch folder."""
    return re.sub("/(?=(var|etc)/)", f"{scratch}/", text)


def read_only(scratch: Path) -> list[str]:
    """Return what to put before a command so that it can write to little, if that can be done.

    That is the scratch folder, and the package, where compiled kernels are kept.
    """
    package = Path(discretion.__file__).parent
    command = ["unshare", "--mount", "sh", "-c", READ_ONLY, str(scratch), str(package)]
    try:
        tried = subprocess.run([*command, "true"], capture_output=True, check=False)
    except FileNotFoundError:
        return []
    return [] if tried.returncode else command


class Contained(Server):
    """What the image runs, from its ENTRYPOINT, CMD and ENV, on a port of the loopback address."""

    def __init__(self, scratch: Path, plan: Plan, **settings: Any) -> None:
        super().__init__(scratch, plan, **settings)
        self._scratch = scratch
        for folder in ("etc/discretion", "var/lib/discretion", "tmp"):
            (scratch / folder).mkdir(parents=True)
        (scratch / "etc/discretion/plan.yaml").write_bytes(plan.to_bytes())
        own = {name: in_scratch(value, scratch) for name, value in environment().items()}
        self.store = own["DISCRETION_STORE"]
        del own["NUMBA_CACHE_DIR"]  # to compile all kernels again takes half a minute
        loopback = {
            "DISCRETION_HOST": "127.0.0.1",
            "DISCRETION_PORT": str(self.port),
            "DISCRETION_PROXY": "127.0.0.1",
        }
        self._environment = {**own, **loopback, "TMPDIR": str(scratch / "tmp")}
        self.prefix = read_only(scratch)

    def start(self, *, wait: bool = True) -> Self:
        entry, *more = [*only("ENTRYPOINT").words, *only("CMD").words]
        assert entry == PROGRAM
        words = [str(Path(sys.executable).with_name("discretion"))]
        words += [in_scratch(word, self._scratch) for word in more]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self.prefix, *words],
                env={**os.environ, **self._environment},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        if wait:
            self.wait()
        return self
