"""``discretion plan code``: public texts become the prefix code of a text to discover."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from discretion.cli.options import examples
from discretion.cli.progress import working
from discretion.cli.records import check_output
from discretion.errors import RecordError
from discretion.plan.prefixes import BITS
from discretion.plan.public_text import public_code
from discretion.render.formats import counted
from discretion.render.terminal import console
from discretion.schema import CodedText

SHORT_HELP = "Make a prefix code of public texts, for texts to discover."
EPILOG = examples(
    "discretion plan code names.txt -o code.json", "discretion plan code novel.txt --words -o -"
)
WORD = re.compile(r"[^\W\d_]+")


def make_code(
    texts: Annotated[Path, typer.Argument(metavar="TEXTS", help="Public texts, a line each.")],
    words: Annotated[
        bool, typer.Option("--words", help="Each word is a text, in small letters.")
    ] = False,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Where the code goes; - prints it.")
    ] = Path("code.json"),
    force: Annotated[bool, typer.Option("--force", help="Overwrite what is there.")] = False,
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
