"""``discretion simulate``: the reports that a crowd with given records would send."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from discretion.cli.options import PlanFile, Records, Share, read_share
from discretion.cli.progress import working
from discretion.cli.records import check_output, read_records, records_in_parts
from discretion.crowd import simulate as simulate_crowd
from discretion.crowd.simulate import simulate_in_parts
from discretion.plan import Plan
from discretion.render.terminal import console
from discretion.table.writer import FolderWriter


def simulate(
    plan: PlanFile,
    data: Records,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            help="Where the reports go: a file, or a folder if it ends with a slash, for a crowd "
            "that may be larger than memory.",
        ),
    ] = "reports.parquet",
    budgets: Annotated[
        str,
        typer.Option(
            help="How owners divide what they may spend: even, dirichlet or levels.",
            autocompletion=lambda: ["even", "dirichlet", "levels"],
        ),
    ] = "even",
    share: Share = "all",
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
    chosen = {"budgets": budgets, "share": read_share(share), "ranges": ranges, "seed": seed}
    if output.endswith("/"):
        count, clamped = _to_folder(Plan.load(plan), data, output, chosen)
    else:
        check_output(Path(output), plan, data)
        count, clamped = _to_file(Plan.load(plan), data, Path(output), chosen)
    out = console()
    out.print(f"{count:,} simulated reports written to {output}", soft_wrap=True)
    for name, outside in clamped.items():
        out.print(f"{name}: {outside:,} numbers outside the range of their owner", soft_wrap=True)


def _to_file(
    plan: Plan, data: Path, output: Path, chosen: dict[str, Any]
) -> tuple[int, Mapping[str, int]]:
    records = read_records(data, plan)
    with working(f"perturbing {records.num_rows:,} records"):
        reports = simulate_crowd(plan, records, **chosen)
    reports.write(output)
    return len(reports), reports.clamped


def _to_folder(
    plan: Plan, data: Path, output: str, chosen: dict[str, Any]
) -> tuple[int, Mapping[str, int]]:
    """Read, perturb and write a part of the records at a time."""
    count, clamped = 0, Counter[str]()
    with working(f"perturbing {data}"), FolderWriter(output) as writer:
        for part in simulate_in_parts(plan, records_in_parts(data, plan), **chosen):
            writer.add(part)
            count += len(part)
            clamped.update(part.clamped)
    return count, clamped
