"""``discretion simulate``: the reports that a crowd with given records would send."""

from pathlib import Path
from typing import Annotated

import typer

from discretion.cli.progress import working
from discretion.cli.records import check_output, read_records
from discretion.cli.show import console
from discretion.crowd import simulate as simulate_crowd
from discretion.errors import BudgetError
from discretion.plan import Plan


def simulate(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="A plan in YAML or JSON.")],
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Records: CSV, .csv.gz, .parquet.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where the reports go.")] = Path(
        "reports.parquet"
    ),
    budgets: Annotated[
        str,
        typer.Option(
            help="How owners divide what they may spend: even, dirichlet or levels.",
            autocompletion=lambda: ["even", "dirichlet", "levels"],
        ),
    ] = "even",
    share: Annotated[
        str,
        typer.Option(
            help="How many attributes they share: all, a number, a span such as 1-3, "
            "or a probability such as 0.5."
        ),
    ] = "all",
    ranges: Annotated[
        str,
        typer.Option(
            help="In which ranges they answer about numbers: whole, or menu (any of the plan's).",
            autocompletion=lambda: ["whole", "menu"],
        ),
    ] = "whole",
    seed: Annotated[int | None, typer.Option(help="Repeat a simulation.")] = None,
) -> None:
    """Perturb the records in DATA as a crowd of devices would, and write their reports."""
    sharing = _share(share)
    check_output(output, plan, data)
    agreement = Plan.load(plan)
    records = read_records(data, agreement)
    with working(f"perturbing {records.num_rows:,} records"):
        reports = simulate_crowd(
            agreement, records, budgets=budgets, share=sharing, ranges=ranges, seed=seed
        )
    reports.write(output)
    out = console()
    out.print(f"{len(reports):,} simulated reports written to {output}", soft_wrap=True)
    for name, count in reports.clamped.items():
        out.print(f"{name}: {count:,} numbers outside the range of their owner", soft_wrap=True)


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
