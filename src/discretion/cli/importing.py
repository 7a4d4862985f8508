"""``discretion plan import``: a form that people have already becomes a plan."""

from pathlib import Path
from typing import Annotated

import typer

from discretion.cli.options import examples
from discretion.cli.progress import working
from discretion.cli.records import check_output
from discretion.render.formats import counted
from discretion.render.terminal import console

PARTLY = 3  # the exit status where a plan is written and rows are left out
SHORT_HELP = "Make a plan from an XLSForm (ODK, KoboToolbox)."
EPILOG = examples(
    "discretion plan import form.xlsx -o plan.yaml", "discretion plan import form.xlsx -o -"
)


def import_form(
    form: Annotated[Path, typer.Argument(metavar="FORM", help="An XLSForm: .xlsx, .xlsm or .xls.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Where the plan goes; - prints it.")
    ] = Path("plan.yaml"),
    force: Annotated[bool, typer.Option("--force", help="Overwrite what is there.")] = False,
) -> None:
    """Make a plan that asks what FORM asks, and list by row what it cannot ask, with the reason.

    Exit status 0: every row is asked. 3: the plan is written, and some rows are not asked. 1: no
    plan is written.
    """
    from discretion.forms import import_form as imported
    from discretion.forms import report, written

    to_stdout = output == Path("-")
    if not to_stdout:
        check_output(output, form, overwrite=force)
    with working(f"reading {form}"):
        found = imported(form)
    if to_stdout:
        print(written(found), end="")
    else:
        output.write_text(written(found), encoding="utf-8")
    out = console(stderr=to_stdout)
    taken, left = counted(len(found.questions), "question"), counted(len(found.refused), "row")
    out.print(f"{output}: asks {taken} of {form}; {left} left out", soft_wrap=True)
    for line in report(found):
        out.print(line, soft_wrap=True)
    if found.refused:
        raise typer.Exit(PARTLY)
