"""``discretion plan import``, ``code`` and ``new``: write a plan, or what it states."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from discretion.cli.options import Records, examples
from discretion.cli.progress import working
from discretion.cli.records import check_output, read_table
from discretion.design.proposal import note_of, propose
from discretion.errors import RecordError
from discretion.plan import Plan
from discretion.plan.prefixes import BITS
from discretion.plan.public_text import public_code
from discretion.render.formats import counted
from discretion.render.terminal import console
from discretion.schema import CodedText

plan = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
PARTLY = 3  # the exit status where a plan is written and rows are left out
WORD = re.compile(r"[^\W\d_]+")
Overwrite = Annotated[bool, typer.Option("--force", help="Overwrite what is there.")]
Output = Annotated[Path, typer.Option("--output", "-o", help="Where the plan goes; - prints it.")]


@plan.command(
    "import",
    short_help="Make a plan from an XLSForm (ODK, KoboToolbox).",
    epilog=examples(
        "discretion plan import form.xlsx -o plan.yaml", "discretion plan import form.xlsx -o -"
    ),
)
def import_form(
    form: Annotated[Path, typer.Argument(metavar="FORM", help="An XLSForm: .xlsx, .xlsm or .xls.")],
    output: Output = Path("plan.yaml"),
    force: Overwrite = False,
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


@plan.command(
    "code",
    short_help="Make a prefix code of public texts, for texts to discover.",
    epilog=examples(
        "discretion plan code names.txt -o code.json",
        "discretion plan code novel.txt --words -o -",
    ),
)
def make_code(
    texts: Annotated[Path, typer.Argument(metavar="TEXTS", help="Public texts, a line each.")],
    words: Annotated[
        bool, typer.Option("--words", help="Each word is a text, in small letters.")
    ] = False,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Where the code goes; - prints it.")
    ] = Path("code.json"),
    force: Overwrite = False,
) -> None:
    """Make a code by which texts like those in TEXTS have few bits; a plan states it as `code`.

    TEXTS must be public, and say nothing that owners said: the code stands in the plan for all to
    read.
    """
    to_stdout = output == Path("-")
    if not to_stdout:
        check_output(output, texts, overwrite=force)
    with working(f"reading {texts}"):
        said = list(_texts(texts, words=words))
        code = public_code(said)
    written = json.dumps(code.document, ensure_ascii=False, separators=(",", ":"))
    if to_stdout:
        sys.stdout.write(f"{written}\n")
    else:
        output.write_text(f"{written}\n", encoding="utf-8")
    attribute = CodedText("text", code, BITS)
    different = sorted({attribute.answer(text) for text in said})
    lengths = sorted(attribute.codeword(text).length for text in different)
    long = sum(attribute.codeword(text) == code.other for text in different)
    about = f"{counted(len(code.alphabet), 'character')}, {counted(len(code.contexts), 'context')}"
    note = f"{output}: {about}; half of {len(lengths):,} texts have {lengths[len(lengths) // 2]} "
    out = console(stderr=to_stdout)
    out.print(f"{note}bits or fewer, {long:,} have more than {BITS}", soft_wrap=True)


@plan.command(
    short_help="Propose a plan for a file of records.",
    epilog=examples(
        "discretion plan new people.csv -o plan.yaml", "discretion plan new people.csv -o -"
    ),
)
def new(
    data: Records,
    output: Output = Path("plan.yaml"),
    force: Overwrite = False,
) -> None:
    """Propose a plan for records like those in DATA, with the reasons as comments."""
    to_stdout = output == Path("-")
    if not to_stdout:
        check_output(output, data, overwrite=force)
    with working(f"reading {data}"):
        records = read_table(data)
        text = propose(records, name=data.name.partition(".")[0])
    if to_stdout:
        print(text, end="")
        return
    output.write_text(text, encoding="utf-8")
    asked = Plan.load(output).attributes
    out = console()
    out.print(f"{output}: asks for {len(asked)} of {records.num_columns} columns", soft_wrap=True)
    for field in records.schema:
        if note := note_of(field):
            out.print(f"{field.name}: {note}", soft_wrap=True)
    if missed := [name for name in records.column_names if name not in asked]:
        out.print(f"left out, for the reasons stated there: {', '.join(missed)}", soft_wrap=True)


def _texts(path: Path, *, words: bool) -> Iterator[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(str(path), "must be a file of text in UTF-8", str(error)) from None
    for line in lines:
        if words:
            yield from WORD.findall(line.lower())
        elif line:
            yield line
