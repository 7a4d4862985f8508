"""``discretion demo --serve``: a collector with the reports of a generated crowd, and its pages."""

import os
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from rich.console import Console

from discretion.cli.demo.survey import OWNERS
from discretion.collector.outcome import Incoming
from discretion.collector.settings import Settings
from discretion.collector.store import open_store
from discretion.collector.store.audit_log import today
from discretion.crowd import census, census_plan, simulate
from discretion.plan import Plan

DAYS = 14  # over which the reports came
ASKER = "The town of Lyra, transport office (a demonstration: nobody asks)"
PURPOSE = "To plan bus lines and cycle lanes for those who live here."


def serve_demo(out: Console, seed: int) -> None:
    """Fill a collector, open its two pages, and serve them until Ctrl-C; then all of it is gone."""
    from discretion.collector.server import serve

    plan = demo_plan()
    with TemporaryDirectory(prefix="discretion-demo-") as folder:
        store = f"sqlite:///{Path(folder) / 'reports.db'}"
        out.print(f"Filling a collector with {OWNERS:,} reports (seed {seed}) ...")
        fill(store, plan, OWNERS, seed)
        named = {"asker": ASKER, "purpose": PURPOSE, "log": "warning"}
        settings = Settings.of(store=store, port=0, open="upload,analyse", **named)
        serve({"": plan}, settings, lambda port: _announce(out, f"http://127.0.0.1:{port}"))


def demo_plan() -> Plan:
    """Return the plan of the census with the income as a number, not in bins."""
    labels = [a for a in census_plan().document["attributes"] if a["name"] != "income"]
    income = {"name": "income", "kind": "numeric", "range": [0, 150_000], "step": 500}
    return Plan.of(
        {
            "name": "Everyday life in Lyra",
            "attributes": [*labels, income],
            "budget": {"average": 2, "least": 0.25, "most": 6, "step": 0.25},
        }
    )


def fill(address: str, plan: Plan, owners: int, seed: int) -> None:
    """Put the reports of a generated crowd into a store, as if they had come over two weeks."""
    people = census(owners, seed)
    table = simulate(plan, people, budgets="dirichlet", share=(1, len(plan.names)), seed=seed)
    reports = (
        Incoming(report.round, bytes.fromhex(report.id), report.to_bytes())
        for report in table.to_reports()
    )
    with closing(open_store(address, plan)) as store:
        for day, count in _days(owners, np.random.default_rng(seed)):
            store.put(list(islice(reports, count)), day=day)


def _days(owners: int, rng: np.random.Generator) -> Iterator[tuple[date, int]]:
    """Yield how many came on each day: many at the start, fewer later, never quite alike."""
    weights = np.geomspace(4, 1, DAYS) * rng.uniform(0.7, 1.3, DAYS)
    counts = rng.multinomial(owners, weights / weights.sum())
    first = today() - timedelta(days=DAYS - 1)
    for later, count in enumerate(counts.tolist()):
        yield first + timedelta(days=later), count


def _announce(out: Console, where: str) -> None:
    pages = {"The owner's page": f"{where}/", "The analyst's dashboard": f"{where}/dashboard"}
    shown = any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    beside = sys.platform in ("darwin", "win32") or shown  # a browser opens beside the terminal
    for what, address in pages.items():
        out.print(f"{what}: {address}", soft_wrap=True)
        if beside:
            webbrowser.open(address)
    out.print("Ctrl-C ends it, and removes what was collected.")
