"""An imported form as the YAML of a plan, with a comment for everything that is not in it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from discretion.design.proposal import BUDGET as BUDGET_EXPLAINED
from discretion.forms.importing import BUDGET, Imported, Refused
from discretion.forms.questions import Question
from discretion.forms.workbook import Left
from discretion.plan.file import comment, flow
from discretion.render.formats import counted, listed

HEADER = """\
Made from {source}: {taken} of {all} rows are asked. Each question says in which row of sheet
"survey" it stood; rows that cannot be asked are comments, with the reason. To see what the plan
means: discretion plan check PLAN"""
ASKER = """\
What the form does not say, and owners want to know. Complete these lines, and take the # away:"""
UNSAID = {
    "asker": "who asks",
    "purpose": "what for",
    "contact": "whom to write to",
    "retention": "how long reports are kept",
}


def written(form: Imported) -> str:
    """Return the plan in YAML."""
    questions = [(each.item.row, _asked(each)) for each in form.questions]
    refused = [(each.left.row, _refused(each)) for each in form.refused]
    rows = [text for _, text in sorted(questions + refused, key=lambda pair: pair[0])]
    survey = {"name": form.name, "title": form.title, "languages": list(form.languages)}
    head = [f"{key}: {flow(value)}" for key, value in survey.items() if value]
    parts = [
        comment("\n\n".join([_header(form), *form.remarks])),
        "\n".join(head),
        "\n".join([comment(ASKER), *(f"# {key}: {flow(said)}" for key, said in UNSAID.items())]),
        "attributes:\n" + "\n\n".join(rows),
        _sections(form),
        f"{comment(BUDGET_EXPLAINED)}\nbudget: {flow(BUDGET)}\n",
    ]
    return "\n\n".join(part for part in parts if part)


def _header(form: Imported) -> str:
    taken, left = len(form.questions), len(form.refused)
    return HEADER.format(source=form.source, taken=taken, all=taken + left)


def _asked(question: Question) -> str:
    notes = "".join(f" {_sentence(note)}" for note in question.notes)
    said = comment(f"Row {question.item.row}: {question.item.stated}.{notes}", "  ")
    return "\n".join([said, *_fields(question.fields, "  ")])


def _refused(refused: Refused) -> str:
    left = refused.left
    name = f" {left.name}" if left.name else ""
    said = f"Row {left.row}, left out:{name} ({left.type or 'no type'}). {_sentence(left.reason)}"
    if not refused.fields:
        return comment(said, "  ")
    fields = {"name": left.name, **refused.fields}
    more = f"{said} If you know its range, change it here and take the # away:"
    return "\n".join([comment(more, "  "), *_fields(fields, "  # ")])


def _fields(fields: Mapping[str, Any], margin: str) -> Iterator[str]:
    """Yield the fields of an attribute, a value with a label on a line of its own."""
    for index, (key, value) in enumerate(fields.items()):
        lead = f"{margin}{'  ' if index else '- '}"
        if key == "values" and isinstance(value[0], dict):
            yield f"{lead}values:"
            yield from (f"{margin}    - {flow(each)}" for each in value)
        else:
            yield f"{lead}{key}: {flow(value)}"


def _sections(form: Imported) -> str:
    if not form.sections:
        return ""
    rows = [{"title": title, "attributes": [*names]} for title, names in form.sections]
    return "\n".join(["sections:", *(f"  - {flow(row)}" for row in rows)])


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def report(form: Imported) -> Iterator[str]:
    """Yield what became of the form, line by line: what is not asked, then what was changed."""
    if form.refused:
        yield "left out:"
        yield from _aligned(each.left for each in form.refused)
    if form.notes or form.remarks:
        yield "changed, or not carried over:"
        for note, rows in form.notes.items():
            yield f"  {_rows(rows)}: {note}"
        yield from (f"  {remark}" for remark in form.remarks)


def _aligned(left: Iterable[Left]) -> Iterator[str]:
    rows = [(f"row {each.row}", f"{each.name} ({each.type})".strip(), each.reason) for each in left]
    widths = [max(len(row[place]) for row in rows) for place in range(2)]
    for row, name, reason in rows:
        yield f"  {row:{widths[0]}}  {name:{min(widths[1], 40)}}  {reason}"


def _rows(rows: list[int]) -> str:
    shown = listed([str(row) for row in rows[:12]])
    more = f" and {counted(len(rows) - 12, 'more')}" if len(rows) > 12 else ""
    return f"row {shown}{more}" if len(rows) == 1 else f"rows {shown}{more}"
