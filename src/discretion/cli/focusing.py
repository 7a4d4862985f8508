"""``discretion plan focus`` and ``discretion pool``: a round about what another one found."""

import json as json_format
from fractions import Fraction
from pathlib import Path
from typing import Annotated, cast

import typer

from discretion.candidates import focus
from discretion.candidates import pool as pooled
from discretion.candidates.pool import First
from discretion.cli.authoring import Output, Overwrite
from discretion.cli.options import REPORTS, Json, Round, Source, examples, read_reports
from discretion.cli.records import check_output
from discretion.discovery.discover import ERROR
from discretion.plan import Plan
from discretion.plan.document import as_author
from discretion.render.terminal import console
from discretion.statistics.registry import first_of
from discretion.table import Reports

SHORT_HELP = "Make the plan of a next round about the most frequent texts or items."
EPILOG = examples(
    "discretion plan focus words.parquet word -o next.yaml",
    "discretion plan focus shop.parquet basket --count 32 --sets 2 -o -",
)
Attribute = Annotated[str, typer.Argument(help="A text to discover, or a set.")]
Error = Annotated[
    float, typer.Option(help="Of texts: the highest probability of any false discovery.")
]


def focus_plan(
    reports: Source,
    attribute: Attribute,
    count: Annotated[int, typer.Option(help="The largest number of candidates to list.")] = 64,
    sets: Annotated[int, typer.Option(help="The largest number of items in an itemset.")] = 1,
    error: Error = ERROR,
    round: Round = None,
    output: Output = Path("next.yaml"),
    force: Overwrite = False,
) -> None:
    """Write the plan of a next round that lists the most frequent texts or items in REPORTS.

    Owners are asked the same question by the same name, and can give the same answer again.
    `discretion pool` combines both rounds.
    """
    to_stdout = output == Path("-")
    if not to_stdout:
        check_output(output, Path(reports), overwrite=force)
    made = focus(_found(read_reports(reports, round), attribute, error), count, sets)
    text = written(made)
    if to_stdout:
        print(text, end="")
        return
    output.write_text(text, encoding="utf-8")
    asked = made.attributes[attribute]
    console().print(f"{output}: {attribute}, {asked.domain}", soft_wrap=True)


def pool(
    first: Annotated[str, typer.Argument(metavar="FIRST", help=REPORTS)],
    second: Annotated[
        str,
        typer.Argument(metavar="SECOND", help="Reports of the plan that focus made from FIRST."),
    ],
    attribute: Attribute,
    common: Annotated[
        int | None,
        typer.Option(
            help="How many owners answered both rounds; by default the most there can be."
        ),
    ] = None,
    error: Error = ERROR,
    round: Round = None,
    other_round: Annotated[
        int | None, typer.Option(help="Which round of SECOND, if there are several.")
    ] = None,
    json: Json = False,
) -> None:
    """Print shares of the candidates that SECOND lists, from both rounds, with 95 % intervals.

    The intervals allow for the selection of the candidates by FIRST.
    """
    before = _found(read_reports(first, round), attribute, error)
    both = pooled(read_reports(second, other_round), before, common)
    if json:
        print(json_format.dumps(both.document(), indent=2, allow_nan=False))
        return
    console().print(str(both), soft_wrap=True)


def _found(reports: Reports, attribute: str, error: float) -> First:
    """Return what is estimated of an attribute first, which is what was found."""
    statistic = first_of(reports.plan.questions[attribute].kind)
    wanted = {"error": error} if any(each.name == "error" for each in statistic.options) else {}
    return cast("First", statistic.function(reports, attribute, **wanted))


def written(plan: Plan) -> str:
    """Return a plan as authors write it, in YAML."""
    import yaml

    author = _plain(as_author(plan.document))
    found: str = yaml.safe_dump(
        author, sort_keys=False, default_flow_style=None, allow_unicode=True
    )
    return found


def _plain(value: object) -> object:
    """Return a document with plain numbers."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    return value
