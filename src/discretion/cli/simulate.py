"""``discretion simulate``: the reports that a crowd with given records would send."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import pyarrow as pa
import typer

from discretion.cli.misfits import misfits_of, misfits_table, passing, refuse
from discretion.cli.options import PlanFile, Records, Share, read_share
from discretion.cli.progress import working
from discretion.cli.records import check_output, read_records, records_in_parts
from discretion.crowd import simulate as simulate_crowd
from discretion.crowd.misfits import Misfits
from discretion.crowd.records import note_misfits
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
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse records with values that do not fit the plan.")
    ] = False,
) -> None:
    """Perturb the records in DATA as a crowd of devices would, and write their reports.

    Values that do not fit the plan become what a device makes of them. A table shows which, and how
    many.
    """
    chosen = {"budgets": budgets, "share": read_share(share), "ranges": ranges, "seed": seed}
    asked, out, misfits = Plan.load(plan), console(), Misfits()
    if output.endswith("/"):
        if strict:
            _check(data, misfits_of(asked, records_in_parts(data, asked)))
        count, changed = _to_folder(asked, data, output, chosen, misfits)
    else:
        check_output(Path(output), plan, data)
        records = read_records(data, asked)
        note_misfits(asked, records, misfits)
        if strict:
            _check(data, misfits)
        count, changed = _to_file(asked, records, Path(output), chosen)
    out.print(f"{count:,} simulated reports written to {output}", soft_wrap=True)
    if misfits.counts:
        out.print("", misfits_table(misfits), sep="\n")
    for name, moved in (Counter(changed) - Counter(misfits.counts)).items():
        out.print(f"{name}: {moved:,} numbers outside the range of their owner", soft_wrap=True)


def _check(data: Path, misfits: Misfits) -> None:
    """Refuse records that do not fit, and show why."""
    if misfits.refused:
        console().print(misfits_table(misfits))
    refuse(data, misfits)


def _to_file(
    plan: Plan, records: pa.Table, output: Path, chosen: dict[str, Any]
) -> tuple[int, Mapping[str, int]]:
    with working(f"perturbing {records.num_rows:,} records"):
        reports = simulate_crowd(plan, records, **chosen)
    reports.write(output)
    return len(reports), reports.changed


def _to_folder(
    plan: Plan, data: Path, output: str, chosen: dict[str, Any], misfits: Misfits
) -> tuple[int, Mapping[str, int]]:
    """Read, perturb and write a part of the records at a time."""
    count, changed = 0, Counter[str]()
    parts = passing(plan, records_in_parts(data, plan), misfits)
    with working(f"perturbing {data}"), FolderWriter(output) as writer:
        for part in simulate_in_parts(plan, parts, **chosen):
            writer.add(part)
            count += len(part)
            changed.update(part.changed)
    return count, changed
