"""The page of the public results: every plan in every language, whatever its author wrote."""

import json
from contextlib import closing
from html import escape
from pathlib import Path
from typing import Any, cast

import pytest

from discretion.collector import public_results
from discretion.collector.outcome import Incoming
from discretion.collector.public_results import publish
from discretion.collector.store import open_store
from discretion.collector.store.audit_log import today
from discretion.collector.store.results import Results
from discretion.plan import Plan
from discretion.statistics import cards
from discretion.web import STATIC
from discretion.web.owner import OWN, catalogue
from discretion.web.results import ResultsPage, Version
from tests.unit.web.dashboards import EVIL, PLANS, kept, read

NOBODY = {"asker": "", "purpose": ""}
TEXTS = STATIC.parent / "results" / "texts"


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_results, "LEAST", 20)


def version(key: str, folder: Path) -> Version:
    """Return the first version of a crowd's results."""
    own = kept(key)
    with closing(open_store(f"sqlite:///{folder}/{key}.db", own.plan)) as store:
        reports = own.sent.to_reports()
        store.put([Incoming(r.round, bytes.fromhex(r.id), r.to_bytes()) for r in reports])
        assert publish(store, 0, today())
        return cast(Version, Results(store).document(0))


def page(plan: Plan, language: str, shown: Version | None) -> str:
    return ResultsPage.of(plan, NOBODY, [language], 20).html([0, 1], shown)


def test_all_languages_have_the_same_texts() -> None:
    texts = {tag: json.loads((TEXTS / f"{tag}.json").read_text("utf-8")) for tag in OWN}
    for tag in OWN:
        assert texts[tag].keys() == texts["en"].keys()
        assert not texts[tag].keys() & catalogue(tag).keys()
        assert all(text.strip() for text in texts[tag].values() if text != "\u202f")
        for key, text in texts[tag].items():
            assert sorted(_blanks(text)) == sorted(_blanks(texts["en"][key])), (tag, key)


def _blanks(text: str) -> set[str]:
    return {part.partition("}")[0] for part in text.split("{")[1:]}


def test_every_plan_has_a_page_in_every_language(tmp_path: Path) -> None:
    for key, make in PLANS.items():
        plan, shown = make(), version(key, tmp_path)
        elements = set()
        for tag in OWN:
            html = page(plan, tag, shown)
            found = read(html)
            tags = [name for name, _ in found.elements]
            assert not {*tags} & {"script", "style", "form", "b"}
            assert EVIL not in html
            assert f'<html lang="{tag}" dir="{catalogue(tag)["direction"]}">' in html
            assert all(picture["aria-label"] for picture in found.all("svg"))
            assert len(found.all("article")) == len([*cards(plan)]) >= len(shown["estimates"])
            elements.add(tuple(tags))
        assert len(elements) == 1  # languages differ in words alone


def test_what_is_not_published_says_why(tmp_path: Path) -> None:
    plan, shown = PLANS["plain"](), version("plain", tmp_path)
    assert "Nothing is published yet" in read(page(plan, "en", None)).said
    few: Any = {**shown, "estimates": shown["estimates"][1:]}
    assert "Too few answers" in read(page(plan, "en", few)).said
    failed: Any = [{**each, "found": None, "warnings": ["levels"]} for each in shown["estimates"]]
    said = read(page(plan, "en", {**shown, "estimates": failed})).said
    assert said.count("No estimate could be made") == said.count("Careful:") == len(failed) == 3


def test_a_language_is_chosen_by_its_whole_tag_or_its_first_part() -> None:
    plan = PLANS["worded"]()
    assert ResultsPage.of(plan, NOBODY, ["xx", "de-AT"], 1).language == "de"
    assert ResultsPage.of(plan, NOBODY, ["<b>"], 1).language == "en"
    assert escape("Ways & means") in page(plan, "fr", None)


def test_shares_and_dates_are_written_for_readers(tmp_path: Path) -> None:
    """An unbiased share below 0 is none to a reader; a date is whole, a minus before its number."""
    plan, shown = PLANS["plain"](), version("plain", tmp_path)
    labels: Any = next(each for each in shown["estimates"] if each["kind"] == "labels")
    numbers: Any = next(each for each in shown["estimates"] if each["kind"] == "number")
    labels["found"]["frequencies"][0] |= {"value": -0.034, "low": 0.0}
    numbers["found"]["mean"] |= {"value": -12.5, "low": -14.0, "stderr": 0.5}
    english, arabic = (page(plan, tag, shown) for tag in ("en", "ar"))
    assert "-3.4" not in english
    assert "0.0\u00a0%" in english
    assert f"as of \u2066{shown['day'].replace('-', chr(0x2011))}\u2069." in english
    assert "On average -12.50 " in english
    assert "\u200e-12.50" in arabic


def test_the_unit_of_a_number_stands_above_its_table(tmp_path: Path) -> None:
    html = page(PLANS["worded"](), "en", version("worded", tmp_path))
    heads, _, body = html[html.index("<thead", html.index("<details")) :].partition("</thead>")
    assert heads.count("(&lt;km&gt;)") == 2
    assert "km" not in body.partition("</table>")[0]
