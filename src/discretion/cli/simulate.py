"""``discretion simulate``: the reports that a crowd with given records would send."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from discretion.cli.records import read_records
from discretion.crowd import simulate as simulate_crowd
from discretion.errors import BudgetError
from discretion.plan import Plan


def simulate(
    plan: Annotated[Path, typer.Argument(help="A plan in YAML or JSON.")],
    data: Annotated[Path, typer.Argument(help="True records, CSV or Parquet.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where the reports go.")] = Path(
        "reports.parquet"
    ),
    budgets: Annotated[str, typer.Option(help="even, dirichlet or levels.")] = "even",
    share: Annotated[
        str, typer.Option(help="all, a number, LOW-HIGH, or a probability such as 0.5.")
    ] = "all",
    seed: Annotated[int | None, typer.Option(help="Repeat a simulation.")] = None,
) -> None:
    """Perturb the records in DATA as a crowd of devices would, and write their reports.

    Example: discretion simulate plan.yaml people.csv -o reports.parquet --budgets dirichlet
    """
    agreement = Plan.load(plan)
    records = read_records(data, agreement)
    reports = simulate_crowd(agreement, records, budgets=budgets, share=_share(share), seed=seed)
    reports.write(output)
    Console().print(f"{len(reports):,} simulated reports written to {output}", highlight=False)


def _share(text: str) -> object:
    low, dash, high = text.partition("-")
    try:
        if text == "all":
            return text
        if dash:
            return int(low), int(high)
        return float(text) if "." in text else int(text)
    except ValueError:
        rule = "share must be all, a number, LOW-HIGH or a probability"
        raise BudgetError(rule, repr(text)) from None
