"""What the figures were measured on: the machine, and the versions that took part.

Standard library only. As a program it prints the versions that its environment has.
"""

import json
import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

OURS = ("discretion", "numba", "numpy", "pyarrow", "scipy")
PACKAGES = (*OURS, "pure-ldp", "multi-freq-ldpy", "opendp")


def machine() -> dict[str, str | int]:
    """Return the processor, its cores, the Python and the day; nothing that names a place."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "date": datetime.now(UTC).date().isoformat(),
    }


def versions() -> dict[str, str]:
    """Return the versions of the packages that matter and are installed here."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _cpu() -> str:
    """Return the model's name where Linux tells it, else what Python knows."""
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


if __name__ == "__main__":
    print(json.dumps(versions()))
