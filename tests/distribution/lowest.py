"""``make lowest``: install the oldest versions that the package admits, and use them."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.distribution import trials
from tests.distribution.artefacts import ROOT, build
from tests.distribution.environment import Environment

LOWEST = ["pip", "install", "--quiet", "--resolution", "lowest-direct"]


def main() -> None:
    """Run the demo and a collector on the lower bounds; uv resolves them, from PyPI."""
    with TemporaryDirectory(prefix="discretion-lowest-") as name:
        folder = Path(name)
        subprocess.run([sys.executable, "-m", "venv", str(folder / "uv")], check=True)
        pip = [str(folder / "uv/bin/python"), "-m", "pip", "install", "--quiet", "uv"]
        subprocess.run(pip, check=True)
        (folder / "built").mkdir()
        wheel = build("wheel", ROOT, folder / "built")
        oldest = Environment(folder / "oldest" / "environment")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", oldest.folder], check=True)
        uv = [str(folder / "uv/bin/uv"), *LOWEST, "--python", str(oldest.python), f"{wheel}[all]"]
        subprocess.run(uv, check=True)
        tried(oldest, folder / "plan.json")


def tried(oldest: Environment, plan: Path) -> None:
    """Run the demo, a collector, a device and the owner's page."""
    trials.demo(oldest)
    print("The demo runs on the oldest versions.", flush=True)
    trials.write_plan(oldest, plan)
    with trials.collector(oldest, plan) as url:
        trials.sent(oldest, url, plan)
        files = trials.owners_page(url)
        print(f"A collector takes a report, and serves the owner's page with {files} files.")


if __name__ == "__main__":
    main()
