"""``discretion demo``: the whole line on a generated census."""

import secrets
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from discretion.cli.show import frequency_table
from discretion.crowd import census, census_plan, simulate
from discretion.crowd.records import code_columns
from discretion.estimate import frequencies
from discretion.estimate.show import summary
from discretion.table.columns import present

OWNERS = 50_000


def demo(
    seed: Annotated[int | None, typer.Option(help="Repeat a demonstration.")] = None,
) -> None:
    """Ask 50,000 generated owners, each with a budget of her own, and compare with the truth.

    Example: discretion demo --seed 7
    """
    seed = secrets.randbelow(1 << 32) if seed is None else seed
    console = Console(highlight=False)
    plan, people = census_plan(), census(OWNERS, seed)
    console.print(
        f"{OWNERS:,} generated owners. Each shares one to five attributes and divides a budget of "
        "2 per shared attribute among them as she likes; her device perturbs, and only the report "
        f"leaves. (seed {seed})\n"
    )
    reports = simulate(plan, people, budgets="dirichlet", share=(1, len(plan.names)), seed=seed)
    codes = code_columns(plan, people, np.random.default_rng(seed))
    covered = []
    for j, name in enumerate(plan.names):
        estimate = frequencies(reports, name, target="owners")
        asked = codes[present(reports.data[f"{name}.y"]), j]  # everyone sent a report, in order
        truth = np.bincount(asked, minlength=len(estimate.labels)) / len(asked)
        console.print(summary(estimate))
        console.print(frequency_table(estimate, truth), "")
        low, high = estimate.interval().T
        covered += list((low <= truth) & (truth <= high))
    console.print(
        f"{sum(covered)} of {len(covered)} intervals hold the truth; 95 % of them should."
    )
