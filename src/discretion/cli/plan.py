"""``discretion plan check``, ``advise`` and ``needed``: what a plan means, and how to ask."""

import json as json_format
from pathlib import Path
from typing import Annotated

import typer

from discretion.budget.policy import listed
from discretion.cli import focusing
from discretion.cli.advice import (
    compared,
    show,
    show_comparisons,
    wanted,
    wanted_means,
    write_proposal,
)
from discretion.cli.agreement import (
    applies_lines,
    level_lines,
    plan_document,
    plan_table,
    to_do_lines,
    wording_lines,
)
from discretion.cli.authoring import plan
from discretion.cli.misfits import misfits_document, misfits_table, refuse
from discretion.cli.options import Json, PlanFile, Share, examples, read_share
from discretion.cli.records import check_output, read_records
from discretion.crowd.misfits import Misfits
from discretion.crowd.records import note_misfits
from discretion.design import MeanAdvice, TableAdvice, advise_means, needed
from discretion.design import advise as forecast
from discretion.errors import EstimateError
from discretion.plan import Plan
from discretion.plan.plan import Contract
from discretion.render.terminal import console

Tables = Annotated[
    list[str] | None,
    typer.Option(
        metavar="A,B",
        help="A table of these attributes, or a number; may be repeated. Default: all pairs of "
        "labels, or all numbers.",
    ),
]
Pilot = Annotated[
    Path | None,
    typer.Option(
        help="Records like theirs, to guess how numbers are distributed; "
        "else uniformly over their range."
    ),
]
Mechanisms = Annotated[
    bool,
    typer.Option(
        "--mechanisms",
        help="Compare the mechanisms of labels instead: bytes, error, work, "
        "false reports. Goes with "
        "--table, for single attributes, -n and --json.",
    ),
]


plan.command("focus", short_help=focusing.SHORT_HELP, epilog=focusing.EPILOG)(focusing.focus_plan)


@plan.callback()
def _plan() -> None:
    """Write and check a plan, the public agreement."""


@plan.command(
    short_help="Say what a plan means, and whether records fit it.",
    epilog=examples(
        "discretion plan check plan.yaml",
        "discretion plan check plan.yaml people.csv",
        "discretion plan check plan.yaml --json",
    ),
)
def check(
    path: PlanFile,
    data: Annotated[
        Path | None, typer.Argument(metavar="DATA", help="Records that it should fit.")
    ] = None,
    json: Json = False,
) -> None:
    """Say what PLAN means and how it is worded, or what is wrong with it.

    With DATA, say whether every value fits, and what becomes of those that do not.
    """
    checked, misfits = Plan.load(path), Misfits()
    if data is not None:
        note_misfits(checked, read_records(data, checked), misfits)
    if json:
        found = plan_document(checked, misfits.rows if data and not misfits.refused else None)
        print(json_format.dumps({**found, "misfits": misfits_document(misfits)}, indent=2))
    else:
        _show(checked)
        if misfits.counts:
            console().print("", misfits_table(misfits), "", sep="\n")
        if data is not None and not misfits.refused:
            console().print(f"records     {misfits.rows:,} fit the plan")
    refuse(data, misfits)


@plan.command(
    short_help="Say how to ask for tables or means: split, sample or bundle.",
    epilog=examples(
        "discretion plan advise plan.yaml",
        "discretion plan advise plan.yaml --table age,income --table work -n 50000 --total 4",
        "discretion plan advise numbers.yaml --pilot people.csv -o proposed.yaml",
        "discretion plan advise plan.yaml --mechanisms",
    ),
)
def advise(
    path: PlanFile,
    table: Tables = None,
    owners: Annotated[int, typer.Option("-n", "--owners", help="How many will answer.")] = 10_000,
    total: Annotated[
        float | None,
        typer.Option(help="What an owner spends in all; else what the plan allows for all tables."),
    ] = None,
    pilot: Pilot = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where to write the plan proposed for numbers."),
    ] = None,
    contract: Annotated[
        Contract | None, typer.Option(help="Which contract that plan has; else as recommended.")
    ] = None,
    mechanisms: Mechanisms = False,
    json: Json = False,
) -> None:
    """Say which way to ask gives the smallest error, how large it is, and what is promised.

    Splitting and sampling keep the attribute contract; bundling gives the record contract. Errors
    of tables are those of the mle where all cells are equally frequent; errors of means are in
    parts of the range.
    """
    asked = Plan.load(path)
    if mechanisms:
        if any(option is not None for option in (total, pilot, output, contract)):
            raise EstimateError("--mechanisms goes with --table, -n and --json only")
        show_comparisons(compared(asked, table, owners), console(), json=json)
        return
    numbers = wanted_means(asked, table)
    if output is not None and numbers is not None:
        check_output(output, path)
    if numbers is None:
        advice: TableAdvice | MeanAdvice = forecast(asked, wanted(asked, table), owners, total)
    else:
        guess = None if pilot is None else read_records(pilot, asked)
        advice = advise_means(asked, owners, total, numbers, guess)
    show(advice, console(), json=json)
    if output is not None and isinstance(advice, MeanAdvice):
        write_proposal(advice, contract, output)
        if not json:
            console().print(f"written to {output}", soft_wrap=True)


@plan.command(
    "needed",
    short_help="Say how many people must answer.",
    epilog=examples(
        "discretion plan needed plan.yaml travel --halfwidth 0.02",
        "discretion plan needed plan.yaml income --halfwidth 500 --guess 31000,15000",
        "discretion plan needed plan.yaml travel --effect 0.05 --power 0.9",
        "discretion plan needed plan.yaml travel work --halfwidth 0.01 --share 2",
    ),
)
def needed_owners(
    path: PlanFile,
    attributes: Annotated[
        list[str], typer.Argument(metavar="ATTRIBUTES", help="One, or those of a joint table.")
    ],
    halfwidth: Annotated[
        float | None, typer.Option(help="To know every share, cell or the mean to within this.")
    ] = None,
    effect: Annotated[
        float | None, typer.Option(help="To find this difference between two crowds.")
    ] = None,
    power: Annotated[float, typer.Option(help="How probable finding it shall be.")] = 0.8,
    stated: Annotated[
        bool, typer.Option("--stated", help="The difference is one from stated shares.")
    ] = False,
    guess: Annotated[
        str | None,
        typer.Option(help="Frequencies in the plan's order, or mean and deviation: 0.5,0.3,0.2."),
    ] = None,
    budgets: Annotated[
        str | None, typer.Option(help="even, dirichlet or levels, as simulate has them.")
    ] = None,
    share: Share = "all",
    json: Json = False,
) -> None:
    """Say how many people must answer, with the budgets that one expects.

    The table also shows what fewer or more people would give.
    """
    found = needed(
        Plan.load(path),
        attributes[0] if len(attributes) == 1 else attributes,
        halfwidth=halfwidth,
        effect=effect,
        power=power,
        sides=1 if stated else 2,
        guess=None if guess is None else _guess(guess),
        budgets=budgets,
        share=read_share(share),
    )
    if json:
        print(json_format.dumps(found.document(), indent=2, allow_nan=False))
        return
    console().print(str(found), soft_wrap=True)


def _guess(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise EstimateError(f"--guess must be numbers between commas, got {text!r}") from None


def _show(checked: Plan) -> None:
    """Print what a plan means: its questions, and the rules that all of them share."""
    out = console()
    out.print(plan_table(checked), "", sep="\n")
    for head, said in (
        *wording_lines(checked.wording),
        *applies_lines(checked),
        *level_lines(checked),
    ):
        out.print(f"{head:12}{said}", soft_wrap=True)
    for i, bundle in enumerate(checked.bundles):
        title = "" if i else "bundles"
        levels = listed(checked.questions[bundle.name].menu)
        out.print(f"{title:12}{bundle.name}: levels {levels}", soft_wrap=True)
    for name in checked.attributes:
        if menu := checked.questions[name].written_ranges:
            listed_ranges = ", ".join(f"{low} to {high}" for low, high in menu)
            out.print(f"ranges      {name}: {listed_ranges}", soft_wrap=True)
    if checked.sample is not None:
        offered = len(checked.share.questions)
        drawn = "an order of its" if checked.share.weights else f"{checked.sample} of"
        noun = "views, and reports the first it can" if checked.share.weights else "questions, once"
        out.print(f"share       each device draws {drawn} {offered} {noun}")
    out.print(f"allocation  {'secret' if checked.secret else 'disclosed'}")
    varied = [question for question in checked.questions.values() if question.variant]
    apart = ", except for variants" if varied else ""
    out.print(f"contract    {checked.contract}{apart}: {checked.contract.meaning}")
    for question in varied:
        said = question.variant.promise(question.labels) if question.variant else ""
        out.print(f"variant     {question.name}, {question.mechanism}: {said}", soft_wrap=True)
    if checked.bundles:
        out.print("            an attribute in a bundle, by at most the bundle's whole level")
    out.print(f"plan id     {checked.id}", soft_wrap=True)
    for head, said in to_do_lines(checked):
        out.print(f"{head:12}{said}", soft_wrap=True)
