"""``discretion plan``: write and check the public agreement."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from discretion.budget.policy import describe
from discretion.cli.records import read_records
from discretion.crowd.records import code_columns
from discretion.plan import Plan
from discretion.schema import Categorical

plan = typer.Typer(help="Check the public agreement.", no_args_is_help=True)


@plan.callback()
def _plan() -> None:
    """Check the public agreement."""


@plan.command()
def check(
    path: Annotated[Path, typer.Argument(metavar="PLAN", help="A plan in YAML or JSON.")],
    data: Annotated[
        Path | None, typer.Argument(metavar="[DATA]", help="Records that it should fit.")
    ] = None,
) -> None:
    """Say what PLAN means, or what is wrong with it; with DATA, whether every value fits.

    Example: discretion plan check commuters.yaml commuters.csv
    """
    checked = Plan.load(path)
    console = Console()
    table = Table("attribute", "values", "mechanism", "bytes", "unknown labels", box=None)
    for name, attribute in checked.attributes.items():
        fallback = attribute.fallback if isinstance(attribute, Categorical) else "clamped"
        values = f"{attribute.size}: {attribute.labels[0]} ... {attribute.labels[-1]}"
        width = str(checked.width(name))
        table.add_row(name, values, checked.mechanisms[name], width, fallback)
    console.print(table)
    console.print(f"levels      {describe(checked.policy.menu)}", highlight=False)
    console.print(f"allocation  {'secret' if checked.secret else 'disclosed'}")
    console.print("contract    attribute: what differs is told apart by at most its budgets")
    console.print(f"plan id     {checked.id}", highlight=False, soft_wrap=True)
    if data is not None:
        records = read_records(data, checked)
        code_columns(checked, records, np.random.default_rng())
        console.print(f"records     {records.num_rows:,} fit the plan")
