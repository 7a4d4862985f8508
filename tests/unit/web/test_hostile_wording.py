"""A plan whose wording attacks: every field, every payload, every place where wording is shown.

What could disguise something is refused, in every field and language. The rest is text: a page has
the same elements with it as with harmless words, and shows it as it is written. Audits and quality
pages show names and codes, which their own tests attack; the demo has no words but its own.
"""

import csv
import json
import re
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

import discretion as ds
from discretion.auditing import audit
from discretion.auditing.page import page as audit_page
from discretion.cli.main import main
from discretion.collector import public_results
from discretion.collector.outcome import Incoming
from discretion.collector.public_results import publish
from discretion.collector.questions import answer
from discretion.collector.store import Store, open_store
from discretion.collector.store.audit_log import today
from discretion.collector.store.results import Results
from discretion.errors import PlanError
from discretion.estimate.legend import Legend
from discretion.plan import Plan
from discretion.plan.wording import ATTRIBUTE, LABEL, SURVEY
from discretion.table import ReportTable
from discretion.web.dashboard import (
    Answers,
    Choice,
    Found,
    Frame,
    Inquiry,
    analysis_page,
    confirm_page,
    dashboard_page,
)
from discretion.web.dashboard.sheet import estimates_sheet
from discretion.web.invitations import cards_page
from discretion.web.owner import listing_page, owner_page, title_of
from discretion.web.results import ResultsPage, Version
from discretion.web.survey import survey
from tests.cases import for_each
from tests.collector.crowds import crowd
from tests.plans import AVERAGE, HOME
from tests.unit.web.dashboards import Kept, collected, read

OPEN = [
    "<script>e()</script>",
    '"><img src=x onerror=e()>',
    "</title>",
    "$x${x}{0}%s",
    "[red]",
    "&lt;",
]
ATTACK = " ".join(OPEN)
HARMLESS = re.sub(r"[^\w ]", "x", ATTACK)  # as long, and wrapped at the same places
SHORT = '"><b>$x{0}[i]'  # of a unit
LIMITS = {**SURVEY, **ATTRIBUTE, "section": LABEL, "label": LABEL}
MARKUP = re.compile(r"(inner|outer|Adjacent)HTML|document\.write|DOMParser|eval\(")
WHY = "control characters|look alike|must not be blank|must be at most"
DISGUISES = {
    "an override": "a\u202eb",
    "an isolate": "a\u2066b",
    "a mark of direction": "a\u200fb",
    "an escape of a terminal": "a\x1b[31mb",
    "a tab": "a\tb",
    "a Cyrillic letter": "p\u0430y",
    "a Greek letter": "h\u03bfw",
    "nothing to see": "\u200d",
    "ten thousand letters": "a" * 10_000,
}


def worded(said: Callable[[str], object]) -> dict[str, Any]:
    """Return an author's plan with a text in every field."""
    values = [{"code": c, "label": said(f"label {c}")} for c in "abc"]
    about = {key: said(key) for key in ("question", "help")}
    kind = {"name": "kind", "kind": "categorical", "values": values, **about}
    size = {"name": "size", "kind": "numeric", "range": [0, 10], "step": 1, **about}
    size |= {"unit": said("unit")}
    return {
        "name": "survey",
        **{key: said(key) for key in SURVEY},
        "sections": [{"title": said("section"), "attributes": ["kind"]}],
        "attributes": [kind, size, HOME],
        "budget": AVERAGE,
    }


def with_one(field: str, text: object) -> dict[str, Any]:
    """Return an author's plan with a text in one field, and harmless words in the others."""
    return worded(lambda key: text if key.split()[0] == field else key)


@for_each("field", LIMITS)
def test_what_disguises_is_refused_in_every_field_and_language(field: str) -> None:
    fine = worded(lambda key: {"en": f"{key} en", "de": key} if key.split()[0] == field else key)
    assert Plan.of(fine).wording.languages == ("en", "de")
    for text in DISGUISES.values():
        for stated in (text, {"en": "fine", "de": text}):
            with pytest.raises(PlanError, match=WHY):
                Plan.of(with_one(field, stated))


@cache
def plan(text: str) -> Plan:
    def said(key: str) -> str:
        unit = SHORT if text == ATTACK else re.sub(r"[^\w]", "x", SHORT)
        return unit if key == "unit" else f"{key} {text}"

    return Plan.of(worded(said))


@cache
def sent(text: str) -> ReportTable:
    return crowd(plan(text), 60, 3)


@cache
def owner(text: str) -> str:
    facts = survey(plan(text), text, text, 30, 0, token=False)
    return owner_page(plan(text), facts)


def listing(text: str) -> str:
    return listing_page({"one": title_of(plan(text))})


@cache
def answers(text: str) -> Answers:
    own = Kept(plan(text), sent(text))

    def found(question: str, **values: Any) -> Found[Any]:
        document = answer(cast(Store, own), question, {"round": 0, **values})
        return Found(json.loads(json.dumps(document)), "", 1)

    return Answers(found("overview"), found("screenings"), found("curves"))


def dashboard(text: str) -> str:
    return dashboard_page(plan(text), collected(60), Choice(0), answers(text), signed=True)


def found(text: str, question: str, **values: Any) -> Found[Any]:
    document = answer(cast(Store, Kept(plan(text), sent(text))), question, values)
    return Found(json.loads(json.dumps(document)), "", 1)


def graph(text: str) -> str:
    """Return the dashboard with the graph of what depends on what."""
    beside = replace(answers(text), graph=found(text, "dependence", round=0))
    choice = Choice(0, graph=True)
    return dashboard_page(plan(text), collected(60), choice, beside, signed=True)


def analysis(text: str) -> str:
    """Return an inquiry by group, with the groups beside one of them."""
    given = {"attribute": "kind", "by": "size", "bins:size": "2", "sort": "-row"}
    inquiry = Inquiry.of(plan(text), [0], 0, [*given.items()])
    known = found(text, "analysis", **inquiry.values())
    assert known.document
    frame = Frame(plan(text), "/analysis", signed=True, round=0)
    return analysis_page(frame, collected(60), inquiry, known)


def notebook(text: str) -> str:
    reports = sent(text)
    results = (ds.frequencies(reports, "kind"), ds.mean(reports, "size"))
    return "".join(each._repr_html_() for each in results)


def results(text: str) -> str:
    """Return the public results, in a survey whose asker and purpose are settings."""
    with (
        TemporaryDirectory() as folder,
        closing(open_store(f"sqlite:///{folder}/reports.db", plan(text))) as store,
    ):
        reports = sent(text).to_reports()
        store.put([Incoming(r.round, bytes.fromhex(r.id), r.to_bytes()) for r in reports])
        assert publish(store, 0, today())
        shown = cast(Version, Results(store).document(0))
    assert {each["name"] for each in shown["estimates"]} >= {"kind", "size"}
    return ResultsPage.of(plan(text), {"asker": text, "purpose": text}, [], 20).html([0], shown)


def cards(text: str) -> str:
    return cards_page(plan(text), ["https://survey.example/#token=code"])


def asked_to_close(text: str) -> str:
    return confirm_page(title_of(plan(text)), "close", 0, token=True, problem=text)


PAGES: Mapping[str, Callable[[str], str]] = {
    "the owner's page without a script": owner,
    "the list of surveys": listing,
    "the dashboard": dashboard,
    "the dashboard with the graph": graph,
    "a statistic of the dashboard": analysis,
    "results in a notebook": notebook,
    "the public results": results,
    "the cards of invitations": cards,
    "the page that asks before a round is closed": asked_to_close,
}


@pytest.mark.parametrize("place", PAGES)
def test_wording_adds_no_element_or_attribute_to_a_page(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_results, "LEAST", 20)
    hostile, harmless = read(PAGES[place](ATTACK)), read(PAGES[place](HARMLESS))
    assert shape(hostile.elements) == shape(harmless.elements)
    for payload in OPEN:
        assert payload in hostile.said


def test_an_audit_shows_codes_and_no_wording() -> None:
    shown = read(audit_page(audit(plan(ATTACK), samples=100)))
    assert "kind" in shown.said
    assert not any(payload in shown.said for payload in OPEN)


def shape(elements: list[tuple[str, dict[str, str | None]]]) -> list[tuple[str, tuple[str, ...]]]:
    """Return elements with the names of their attributes."""
    return [(tag, tuple(own)) for tag, own in elements]


def test_wording_is_text_in_a_figure() -> None:
    figure = ds.frequencies(sent(ATTACK), "kind").plot().figure
    assert isinstance(figure, Figure)
    with BytesIO() as file:
        figure.savefig(file, format="svg")
        names = {
            each.tag.rpartition("}")[2] for each in ElementTree.fromstring(file.getvalue()).iter()
        }
    assert names.isdisjoint({"script", "img", "image", "a", "foreignObject"})


def test_files_have_codes_and_no_wording() -> None:
    own = answers(ATTACK)
    assert own.overview.document
    assert own.curves
    made = estimates_sheet(own.overview.document, own.curves.document, Legend()).csv().decode()
    rows = list(csv.reader(StringIO(made)))
    assert len({len(row) for row in rows}) == 1
    assert not any(payload in made for payload in OPEN)


def test_a_terminal_shows_wording_as_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "2000")
    paths = tmp_path / "plan.json", tmp_path / "reports.parquet"
    paths[0].write_bytes(plan(ATTACK).to_bytes())
    sent(ATTACK).write(paths[1])
    for command in (["plan", "check", str(paths[0])], ["estimate", str(paths[1])]):
        monkeypatch.setattr("sys.argv", ["discretion", *command])
        with pytest.raises(SystemExit) as left:
            main()
        assert not left.value.code
        shown = capsys.readouterr().out
        assert "\x1b" not in shown
        for payload in OPEN:
            assert payload in shown, command


def test_the_pages_scripts_make_no_markup_of_text() -> None:
    """There every text goes through ``el`` and ``say``; ``test_council`` looks at it."""
    root = Path(ds.__file__).parent / "web" / "static"
    paths = [*(root / "owner").rglob("*.js"), *(root / "device").rglob("*.js")]
    sources = {path: path.read_text("utf-8") for path in paths}
    assert len(sources) > 60
    for path, source in sources.items():
        for way in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "DOMParser",
            "eval(",
        ):
            assert way not in source, path
