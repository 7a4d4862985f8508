"""Very many candidates: the most frequent texts of a million, within bounded memory."""

import json
import subprocess
import sys
from textwrap import dedent

import pytest

MEMORY = 1_000_000_000  # bytes, simulation and all
PROGRAM = dedent("""
    import json, resource, time
    import numpy as np, pyarrow as pa
    import discretion as ds

    many, rng = 10**6, np.random.default_rng(20261116)
    f = 1 / np.arange(1, many + 1)
    words = [f"word {i}" for i in range(many)]
    said = pa.array(words).take(pa.array(rng.choice(many, many, p=f / f.sum())))
    plan = ds.Plan.of({
        "name": "words",
        "attributes": [{"name": "word", "kind": "text", "mechanism": "MECHANISM"}],
        "budget": {"levels": [1, 2, 4]},
    })
    reports = ds.simulate(plan, pa.table({"word": said}), budgets="levels", seed=1)
    begun = time.perf_counter()
    found = ds.top(reports, "word", words, 100)
    taken = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"taken": taken, "peak": peak, "labels": found.labels}))
""")


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", ["hcms", "cms"])
def test_the_top_of_a_million_texts(mechanism: str) -> None:
    program = PROGRAM.replace("MECHANISM", mechanism)
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    found = json.loads(run.stdout)
    print(f"{mechanism}: {found['taken']:.1f} s, {found['peak'] / 1e6:.0f} MB")
    assert found["peak"] < MEMORY
    assert set(found["labels"][:5]) == {f"word {i}" for i in range(5)}
