"""A crowd's memory is that of its reports, whatever the domain."""

import subprocess
import sys
import textwrap
import tracemalloc

import numpy as np
import pytest

from discretion.crowd import simulate
from tests.builders import disclosed

SIZE = 1024
GIGABYTE = 10**9


def peak(owners: int) -> int:
    """Return the most bytes that were allocated at once while a crowd reported."""
    plan = disclosed("oue", SIZE)
    records = {"x": np.arange(owners) % SIZE, "z": [None] * owners}
    tracemalloc.start()
    try:
        simulate(plan, records, budgets="levels", seed=1)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_more_owners_need_the_memory_of_their_reports_only() -> None:
    few, many, report = 20_000, 40_000, SIZE // 8
    peak(1)  # what is loaded once does not count
    assert peak(few) < few * SIZE  # less than a byte a bit
    assert peak(many) - peak(few) < (many - few) * 4 * report


MEASURED = """
    import numpy as np
    from discretion.crowd import simulate
    from tests.builders import disclosed

    records = {"x": np.arange(10**6) % 1024, "z": np.full(10**6, None)}
    table = simulate(disclosed("oue", 1024), records, budgets="levels", seed=1)
    assert len(table) == 10**6
    assert table.data["x.level"].null_count == 0
"""
LAUNCHER = """
    import resource, subprocess, sys

    subprocess.run([sys.executable, "-c", sys.argv[1]], check=True)
    unit = 1 if sys.platform == "darwin" else 1024
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit)
"""


@pytest.mark.slow
def test_a_million_owners_with_a_thousand_codes_fit_in_a_gigabyte(
    pytestconfig: pytest.Config,
) -> None:
    """The launcher keeps the size of this process out of its grandchild's peak."""
    command = [sys.executable, "-c", textwrap.dedent(LAUNCHER), textwrap.dedent(MEASURED)]
    root = pytestconfig.rootpath
    run = subprocess.run(command, check=True, capture_output=True, text=True, cwd=root)
    assert 128 * 10**6 < int(run.stdout) < GIGABYTE, f"peak {int(run.stdout) / 1e6:.0f} MB"
