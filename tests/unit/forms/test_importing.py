"""Forms become plans: what is asked, what is not and why, and that nothing is lost in between."""

import re
import zipfile
from datetime import date
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook

from discretion.errors import FormError
from discretion.forms import Imported, cells, import_form, report, written
from discretion.plan import Plan
from tests.workbooks import FORMS, Sheets, workbook

TODAY = date(2026, 11, 18)
YES_NO = "list_name | name | label\nyn | y | Yes\nyn | n | No"
COLUMNS = "type | name | label | constraint | relevant | calculation | choice_filter | parameters"
ASKED = {
    "kobo": ["people", "tenure", "rent", "transport"],
    "odk": ["consent", "born", "work", "shift", "region", "satisfied", "visit"],
    "household": ["HL4", "HL6", "ED4", "ED5", "ED6", "WS1", "WS4", "AN8"],
}
UNSUPPORTED = {  # a row of the form, and a part of the reason
    "start | a": "the moment of an interview",
    "audit": "a log of how the form was filled in",
    "deviceid | b": "data of the device",
    "calculate | c | | | | 1 + 1": "calculated",
    "select_multiple yn | d | D": "several choices",
    "rank yn | e | E": "a ranking",
    "text | f | F": "free text",
    "geopoint | g | G": "a place on the map",
    "image | h | H": "a file says more",
    "audio | i | I": "a file says more",
    "barcode | j | J": "a code identifies",
    "acknowledge | k | K": "asks for a tick",
    "hidden | l": "hidden",
    "select_one yn | m | M | | | | x = 1": "its choices depend on another answer",
    "select_one_from_file p.csv | n | N": "its choices are in a file",
    "select_one ${first} | o | O": "its choices are answers to another question",
    "select_one yn | p | P | | | ${first}": "calculated",
    "integer | q | Q | . > 0": "does not say the most",
    "select_one yn | r | R | | string-length(${first}) > 1": "string-length() is not read",
    "begin_repeat | s | S": "a record has one answer",
    "integer | t | T | . > 0 and . < 9": "inside repeat 's'",
    "end_repeat": "",
    "note | u | U | | ${first} = 'y'": "shown under a condition",
    "frobnicate | v | V": "'frobnicate' is not a type",
}


def imported(tmp_path: Path, survey: str, choices: str = YES_NO, **sheets: str) -> Imported:
    made = {"survey": f"{COLUMNS}\n{survey}", "choices": choices}
    return import_form(workbook(tmp_path / "form.xlsx", {**made, **sheets}), TODAY)


def refused(tmp_path: Path, survey: str, choices: str = YES_NO) -> list[tuple[int, str]]:
    """Return the rows that are not asked, and the reasons; one row below them is."""
    found = imported(tmp_path, f"{survey}\nselect_one yn | last | Last", choices)
    assert found.questions[-1].fields["name"] == "last"
    return [(each.left.row, each.left.reason) for each in found.refused]


def asked(tmp_path: Path, row: str, **sheets: str) -> dict[str, object]:
    """Return the fields of the last row, below a few that it may depend on."""
    above = "select_one yn | first | First\ninteger | age | Age | . >= 0 and . <= 120\n"
    return dict(imported(tmp_path, above + row, **sheets).questions[-1].fields)


def plan_of(found: Imported, folder: Path) -> Plan:
    (folder / "plan.yaml").write_text(written(found), encoding="utf-8")
    return Plan.load(folder / "plan.yaml")


@pytest.mark.parametrize("name", FORMS)
def test_a_form_becomes_a_plan_and_every_row_is_asked_or_listed(name: str, tmp_path: Path) -> None:
    path = workbook(tmp_path / f"{name}.xlsx", FORMS[name])
    found = import_form(path, TODAY)
    plan = plan_of(found, tmp_path)
    assert [*plan.attributes] == ASKED[name]
    assert plan == Plan.of(found.document)
    rows = load_workbook(path)["survey"].iter_rows(min_row=2, values_only=True)
    kinds = {number: str(row[0]) for number, row in enumerate(rows, 2)}
    silent = re.compile(r"end|begin[_ ]group|None")  # the rest is asked, listed, or in a help text
    helped = {int(row) for note in found.notes for row in re.findall(r"note in row (\d+)", note)}
    seen = {each.item.row for each in found.questions} | {each.left.row for each in found.refused}
    metadata = {number for number, kind in kinds.items() if kind == "end"}
    expected = {number for number, kind in kinds.items() if not silent.match(kind)} | metadata
    assert seen | helped == expected
    said = "\n".join(report(found))
    for each in found.refused:
        assert re.search(rf"row {each.left.row} .*{re.escape(each.left.reason)}", said)


def test_a_form_of_unsupported_constructs_gives_a_complete_list(tmp_path: Path) -> None:
    found = refused(tmp_path, "\n".join(["select_one yn | first | First", *UNSUPPORTED]))
    wanted = [(row, part) for row, part in enumerate(UNSUPPORTED.values(), 3) if part]
    assert len(wanted) >= 20
    assert [row for row, _ in found] == [row for row, _ in wanted]
    for (row, reason), (_, part) in zip(found, wanted, strict=True):
        assert part in reason, row


def test_questions_have_their_texts_labels_units_and_sections(tmp_path: Path) -> None:
    plan = plan_of(import_form(workbook(tmp_path / "k.xlsx", FORMS["kobo"]), TODAY), tmp_path)
    wording = plan.wording
    assert (wording.languages, wording.title) == (("en", "fr"), "A town and its homes")
    assert wording.of("rent").unit == {"en": "EUR", "fr": "EUR"}
    assert wording.of("tenure").label("owned") == {"en": "Owned", "fr": "Propriétaire"}
    assert wording.of("people").help["fr"].startswith("Ces questions")  # type: ignore[index]
    (section,) = wording.sections
    assert section.title == {"en": "Your household", "fr": "Votre ménage"}
    assert section.attributes == ("people", "tenure", "rent")
    odk = import_form(workbook(tmp_path / "o.xlsx", FORMS["odk"]), TODAY)
    assert [names for _, names in odk.sections] == [
        tuple(ASKED["odk"][:1]),
        tuple(ASKED["odk"][1:5]),
    ]
    assert odk.sections[0][0] == "Working hours"  # what stands above a group is asked above it
    rent = plan.attributes["rent"]
    assert rent.quantity is not None
    assert rent.quantity.points()[-1] > 4000
    assert [str(each) for each in rent.conditions] == ["tenure is rented or sublet"]
    assert [str(each) for each in plan.attributes["transport"].conditions] == ["people is 1 to 20"]


def test_columns_without_a_language_are_named_once_and_gaps_are_filled(tmp_path: Path) -> None:
    found = import_form(workbook(tmp_path / "o.xlsx", FORMS["odk"]), TODAY)
    assert found.languages == ("en", "es")
    assert any("taken as en" in remark for remark in found.remarks)
    fields = {each.fields["name"]: each.fields for each in found.questions}
    assert fields["work"]["question"]["en"] == "What do you do?"  # without the asterisks
    assert fields["work"]["fallback"] == "dk"
    assert fields["region"]["question"]["en"] == "Where do you live, …?"
    assert fields["born"]["range"] == ["1930-01-01", "2026-11-18"]
    assert fields["visit"] == {**fields["visit"], "kind": "date"}
    assert fields["visit"]["range"] == ["2026-01-01", "2026-12-31"]


@pytest.mark.parametrize(
    "constraint, low, high",
    [
        (". >= 0 and . <= 120", 0, 120),
        ("(.>0) and (121 > .)", 1, 120),
        (". >= -5 and . <= 5.5", -5, 5),
        (". <= 95 and . >= 18 or . = 98 or . = 99", 18, 95),
        (". >= 0 and (. <= 95 or . = 98)", 0, 95),
        ("0 <= . and . != 7 and . <= 9", 0, 9),
    ],
)
def test_a_constraint_becomes_a_range(constraint: str, low: int, high: int, tmp_path: Path) -> None:
    fields = asked(tmp_path, f"integer | x | X | {constraint}")
    assert fields["range"] == [low, high]


@pytest.mark.parametrize(
    "constraint, reason",
    [
        (". >= 5", "does not say the most"),
        (". < 5", "does not say the least"),
        ("", "does not say the least and the most"),
        ("regex(., '[0-9]+')", "regex() is not read"),
        (". > 3 and . < 5", "leaves no two values"),
        (". >= 0 and . <= ${age}", "compares two answers"),
        ("(. > 1 and . < 5) or (. > 8 and . < 12)", "allows two ranges"),
        (". >= 0 and . <= 99999999999", "no whole number of steps"),
        (". >= and", "cannot be read"),
    ],
)
def test_a_number_without_a_range_is_left_for_its_author(
    constraint: str, reason: str, tmp_path: Path
) -> None:
    above = "select_one yn | first | First\ninteger | age | Age | . >= 0 and . <= 120\n"
    ((row, said),) = refused(tmp_path, f"{above}integer | x | X | {constraint}")
    assert (row, reason in said) == (4, True), said


@pytest.mark.parametrize(
    "condition, applies",
    [
        ("${first} = 'y'", {"first": ["y"]}),
        ("'y' = ${first}", {"first": ["y"]}),
        ("selected(${first}, 'y') and ${age} >= 18", {"first": ["y"], "age": [18, 120]}),
        ("not(selected(${first}, 'y'))", {"first": ["n"]}),
        ("${first} != 'y'", {"first": ["n"]}),
        ("${age} > 17 and ${age} <= '65'", {"age": [18, 65]}),
        ("${age} < 3 or ${age} = 3", {"age": [0, 3]}),
        ("${age} >= 0", None),  # everybody
    ],
)
def test_a_condition_says_to_whom_a_question_applies(
    condition: str, applies: object, tmp_path: Path
) -> None:
    assert asked(tmp_path, f"select_one yn | x | X | | {condition}").get("applies") == applies


@pytest.mark.parametrize(
    "condition, reason",
    [
        ("${first} = 'y' or ${age} > 3", "by or"),
        ("${first} = 'z'", "never holds"),
        ("${age} < 3 or ${age} > 9", "is no range"),
        ("${first} > 3", "as numbers"),
        ("${first} != ''", "was answered"),
        ("${x} = 'y'", "does not ask above it"),
        (". = 'y'", "about the question itself"),
        ("position(..) > 1", "position() is not read"),
        ("(" * 3000 + "${first} = 'y'" + ")" * 3000, "too deep"),
        ("${first} = 'y' ${age}", "more than is read"),
    ],
)
def test_a_condition_that_cannot_be_kept_is_a_reason(
    condition: str, reason: str, tmp_path: Path
) -> None:
    above = "select_one yn | first | First\ninteger | age | Age | . >= 0 and . <= 120\n"
    ((row, said),) = refused(tmp_path, f"{above}select_one yn | x | X | | {condition}")
    assert (row, reason in said) == (4, True), said


def test_conditions_on_conditional_questions_count_those_without_an_answer(tmp_path: Path) -> None:
    rows = (
        "select_one yn | a | A\nselect_one yn | b | B | | ${a} = 'y'\n"
        "select_one yn | c | C | | ${b} != 'y'\n"
        "select_one yn | d | D | | ${a} = 'y' and ${b} != 'y'"
    )
    fields = [each.fields for each in imported(tmp_path, rows).questions]
    assert fields[2]["applies"] == {"b": ["n", "not applicable"]}
    assert fields[3]["applies"] == {"a": ["y"], "b": ["n"]}


BROKEN: dict[str, tuple[Sheets, str]] = {
    "no survey": ({"Sheet1": "a | b", "other": "a"}, "must have a sheet named 'survey'"),
    "no rows": ({"survey": COLUMNS}, "sheet survey has no rows"),
    "no types": ({"survey": "name | label\na | A"}, "'type'"),
    "duplicate names": (
        {"survey": f"{COLUMNS}\ninteger | a | A\ninteger | a | A"},
        "row 3: On the 'survey' sheet, the 'name' value 'a' is invalid",
    ),
    "no such list": (
        {"survey": f"{COLUMNS}\nselect_one nope | a | A", "choices": YES_NO},
        "row 2: List name not in choices sheet: nope",
    ),
    "no choices": ({"survey": f"{COLUMNS}\nselect_one yn | a | A"}, "should be a choices sheet"),
    "an open group": (
        {"survey": f"{COLUMNS}\nbegin_group | g | G\nselect_one yn | a | A", "choices": YES_NO},
        "row 2: Unmatched",
    ),
    "nothing to ask": ({"survey": f"{COLUMNS}\ntext | a | A"}, "row 2: free text"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_form_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    sheets, part = BROKEN[name]
    with pytest.raises(FormError) as caught:
        import_form(workbook(tmp_path / "form.xlsx", sheets), TODAY)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["form.xlsx", "form.xls", "form.pdf"])
@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04hello", b"\xd0\xcf\x11\xe0" * 200])
def test_what_is_no_workbook_is_refused(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormError, match="workbook"):
        import_form(tmp_path / name)


def test_a_workbook_that_would_fill_the_memory_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "form.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as parts, parts.open("x", "w") as part:
        for _ in range(257):
            part.write(bytes(1 << 20))
    with pytest.raises(FormError, match="must have at most 256 MB, and has 257"):
        import_form(path)


def test_names_that_would_collide_are_told_apart_or_listed(tmp_path: Path) -> None:
    rows = (
        "select_one yn | a | A\nbegin_group | g | G\nselect_one yn | a | A\nend_group\n"
        "select_one yn | A | A\nselect_one yn | field | B\nselect_one yn | ﬁeld | B"
    )
    found = imported(tmp_path, rows)
    assert [each.fields["name"] for each in found.questions] == ["a", "g_a", "A", "field"]
    ((row, reason),) = [(each.left.row, each.left.reason) for each in found.refused]
    assert (row, reason) == (8, "its name looks like that of another question (ﬁeld)")


def test_choices_that_a_plan_cannot_have_are_a_reason(tmp_path: Path) -> None:
    many = "\n".join(f"many | c{i} | Choice {i}" for i in range(5_000))
    rest = "alike | 1 | Yes\nalike | 2 | Ｙｅｓ\none | 1 | Yes\nmixed | 1 | Nо\nmixed | 2 | Yes"
    rows = "\n".join(
        f"select_one {name} | {name} | A" for name in ("many", "alike", "one", "mixed")
    )
    found = refused(tmp_path, rows, f"{YES_NO}\n{many}\n{rest}")
    assert found == [
        (2, "has 5,000 choices, and a question has 2 to 4,096"),
        (3, "a plan refuses 'Ｙｅｓ': must not look like 'Yes' (equal after NFKC)"),
        (4, "has 1 choices, and a question has 2 to 4,096"),
        (5, "a plan refuses 'Nо': must not mix letters that look alike in one word (Nо)"),
    ]


def test_formulas_are_not_computed_and_macros_are_not_looked_at(tmp_path: Path) -> None:
    rows = 'select_one yn | a | =CONCATENATE("x", "y")\nselect_one yn | b | =1+1\n'
    found = imported(tmp_path, rows, settings='form_title\n=WEBSERVICE("http://x.example")')
    texts = [each.fields["question"] for each in found.questions]
    assert texts == ['=CONCATENATE("x", "y")', "=1+1"]
    assert found.title == '=WEBSERVICE("http://x.example")'
    assert "sheet survey: formulas in C2, C3: their text is used" in found.remarks
    macros = tmp_path / "form.xlsm"
    macros.write_bytes((tmp_path / "form.xlsx").read_bytes())
    with zipfile.ZipFile(macros, "a") as parts:
        parts.writestr("xl/vbaProject.bin", b"Sub AutoOpen()")
    assert import_form(macros, TODAY).document == found.document


def test_a_very_wide_sheet_is_read_and_its_columns_are_counted(tmp_path: Path) -> None:
    book = Workbook()
    survey = book.worksheets[0]
    survey.title = "survey"
    survey.append(["type", "name", "label", *(f"c{i}" for i in range(1000))])
    survey.append(["integer", "a", "A", *"x" * 1000])
    survey.append(["range", "b", "B", *"x" * 1000])
    book.save(tmp_path / "wide.xlsx")
    (question,) = import_form(tmp_path / "wide.xlsx", TODAY).questions
    assert question.notes[0] == "c0: not carried over"
    assert question.notes[-1] == "988 more columns: not carried over"


def test_what_stands_far_from_the_form_is_listed_and_nothing_is_lost(tmp_path: Path) -> None:
    """Readers end behind 60 empty rows and 20 empty columns; a stray cell may be anywhere."""
    gap = "...\n" * 61
    found = imported(
        tmp_path,
        f"select_one yn | a | A{' |' * 26} far\n{gap}select_one yn | b | B",
        f"{YES_NO}\n{gap}yn | u | Unsaid",
    )
    ((row, reason),) = [(each.left.row, each.left.reason) for each in found.refused]
    assert (row, reason) == (64, "behind more than 60 empty rows, where forms end: not read")
    assert "sheet choices: rows 65: behind more than 60 empty rows, where forms end, not read" in (
        found.remarks
    )
    book = load_workbook(tmp_path / "form.xlsx")
    book["survey"]["AF1"] = "hint"
    book["survey"]["XFD1048576"] = "a stray cell"
    book.save(tmp_path / "far.xlsx")
    far = import_form(tmp_path / "far.xlsx", TODAY)
    assert [each.left.row for each in far.refused] == [64, 1048576]
    assert "sheet survey: hint: behind 20 empty columns, not read" in far.remarks


def test_a_sheet_that_is_larger_than_it_says_or_very_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported(tmp_path, "select_one yn | a | A\nselect_one yn | b | B")
    small = tmp_path / "small.xlsx"
    with zipfile.ZipFile(tmp_path / "form.xlsx") as parts, zipfile.ZipFile(small, "w") as out:
        for name in parts.namelist():
            said = re.sub(rb'<dimension ref="A1:\w+"', b'<dimension ref="A1:C2"', parts.read(name))
            out.writestr(name, said)
    with pytest.raises(FormError, match="sheet survey is larger than it says: save it once"):
        import_form(small, TODAY)
    monkeypatch.setattr(cells, "MOST", 20)
    with pytest.raises(FormError, match="must have at most 20 places for cells"):
        import_form(tmp_path / "form.xlsx", TODAY)


def test_texts_that_a_plan_has_no_room_for_are_cut_or_left_out_and_noted(tmp_path: Path) -> None:
    long, rows = "word " * 70, "list_name | name | label\nyn | y | Yes\nyn | n | " + "x" * 201
    found = imported(
        tmp_path,
        f"select_one yn | a | {long}\nselect_one yn | b | a\u202eb\n"
        "select_one yn | c | <b>C</b> &amp; D",
        rows,
    )
    first, second, third = (each.fields for each in found.questions)
    assert first["question"].endswith("word…")
    assert first["help"] == long.strip()
    assert len(first["values"][1]["label"]) == 200
    assert "question" not in second
    assert third["question"] == "C & D"
    assert {"labels of more than 200 characters are cut"} < {*found.notes}


def test_what_a_form_does_not_say_is_for_the_author_to_complete(tmp_path: Path) -> None:
    text = written(import_form(workbook(tmp_path / "h.xlsx", FORMS["household"]), TODAY))
    for field in ("asker", "purpose", "contact", "retention"):
        assert f"# {field}: " in text
    completed = text.replace("# asker", "asker").replace("# purpose", "purpose")
    completed = re.sub(r"^  # (- name: AN11|  kind|  range|  step)", r"  \1", completed, flags=re.M)
    (tmp_path / "plan.yaml").write_text(completed, encoding="utf-8")
    plan = Plan.load(tmp_path / "plan.yaml")
    assert plan.wording.asker == "who asks"
    assert [*plan.attributes] == [*ASKED["household"], "AN11"]
