"""The workplace: the address has what is asked, and every statistic has its rows and picture."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from discretion.errors import EstimateError, RoundError, UnknownAttribute
from discretion.estimate.legend import Legend
from discretion.statistics import STATISTICS
from discretion.web.dashboard import Found, Inquiry
from discretion.web.dashboard.export import Export
from discretion.web.dashboard.inquiry import asked_of
from discretion.web.dashboard.seen import Seen
from discretion.web.dashboard.words import PENDING
from tests.unit.web.dashboards import (
    EVIL,
    PLANS,
    Page,
    analysed,
    earners,
    hostile,
    inquired,
)

GROUPS = [("attribute", "mode"), ("by", "home")]
EVERYTHING = [
    *[("statistic", "frequencies"), ("attribute", "mode"), ("round", "0"), ("by", "home")],
    *[("against", "town"), ("given:income", "50"), ("bins:income", "0, 50, 100")],
    *[("method", "mle"), ("measure", "column"), ("sort", "-row"), ("find", "ca")],
    ("confidence", "90"),
]
NEEDED = {"cdf": ("points", "5"), "fits": ("shares", "0.1,0.2,0.3,0.2,0.2")}
NEEDED |= {"discover": ("error", "0.1")}


def asked(*given: tuple[str, str], key: str = "plain") -> Inquiry:
    return Inquiry.of(PLANS[key](), [0, 3], 3, given)


def seen(*given: tuple[str, str]) -> Seen:
    inquiry = asked(("round", "0"), *given)
    document = analysed("plain", inquiry).document
    assert document is not None
    return Seen(document["sheet"], inquiry, earners(), Legend())


def chosen(page: Page) -> set[str | None]:
    return {option["value"] for option in page.all("option") if "selected" in option}


def test_an_address_without_anything_asks_the_first_question_of_the_first_attribute() -> None:
    inquiry = asked()
    assert (inquiry.statistic.name, inquiry.about, inquiry.rounds) == ("frequencies", "mode", (3,))
    assert inquiry.values() == {
        "statistic": "frequencies",
        "about": "mode",
        "round": 3,
        "confidence": 0.95,
    }


def test_an_address_has_everything_that_was_chosen() -> None:
    inquiry = asked(*EVERYTHING)
    address = urlsplit(inquiry.address())
    assert address.path == "analysis"
    assert sorted(parse_qsl(address.query)) == sorted(EVERYTHING)
    assert asked(*parse_qsl(address.query)) == inquiry
    values = inquiry.values()
    assert values["given"] == {"income": "50"}
    assert values["bins"] == {"income": [0.0, 50.0, 100.0]}
    assert (values["against"], values["confidence"]) == ("town", 0.9)


def test_what_a_statistic_does_not_have_is_left_out_and_the_rest_stays() -> None:
    inquiry = asked(("statistic", "mean"), ("attribute", "income"), *EVERYTHING[3:])
    assert inquiry.statistic.name == "mean"
    assert inquiry.by == "home"
    assert "method" in inquiry.texts
    other = asked(("statistic", "histogram"), ("attribute", "income"), *EVERYTHING[3:])
    assert dict(other.texts) == {}


def test_a_statistic_that_an_attribute_does_not_have_is_the_one_that_is_asked_first() -> None:
    assert asked(("statistic", "mean"), ("attribute", "mode")).statistic.name == "frequencies"
    assert asked(("statistic", "none"), ("attribute", "income")).statistic.name == "mean"


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownAttribute):
        asked(("attribute", "shoes"))
    with pytest.raises(RoundError):
        asked(("round", "7"))
    with pytest.raises(EstimateError, match="is a bundle of numbers: ask for mine and yours"):
        asked(("attribute", "mine+yours"), key="numbers")


@pytest.mark.parametrize(
    "field, text, said",
    [
        ("confidence", "0", "between 0 and 100, got '0'"),
        ("confidence", "nan", "between 0 and 100, got 'nan'"),
        ("cap", "much", "cap cannot be 'much'"),
        ("bins:income", "few", "bins of income cannot be 'few'"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_name(field: str, text: str, said: str) -> None:
    inquiry = asked(("attribute", "mode"), ("by", "income"), (field, text))
    with pytest.raises(EstimateError, match=said):
        inquiry.values()


@pytest.mark.parametrize("key", PLANS)
def test_everything_that_can_be_asked_is_shown_with_a_table_or_a_reason(key: str) -> None:
    plan = PLANS[key]()
    for name in plan.names:
        for statistic in asked_of(plan, name):
            given = [("statistic", statistic.name), ("attribute", name), ("round", "0")]
            if statistic.name in NEEDED:
                given.append(NEEDED[statistic.name])
            page = inquired(key, *given)
            assert page.tables or "No estimate: " in page.said, given
            for picture in page.all("svg"):
                assert (picture["aria-label"] or "").endswith("Numbers: table below.")
            ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
            assert len(ids) == len(set(ids))


def test_every_attribute_is_there_or_the_page_says_where() -> None:
    page = inquired("numbers")
    assert "mine+yours: ask for mine and yours" in page.said
    linked = [parse_qsl(urlsplit(link["href"] or "").query) for link in page.all("a")]
    for name in PLANS["numbers"]().attributes:
        assert any(("attribute", name) in query for query in linked)


def test_the_confidence_is_that_of_the_intervals() -> None:
    wide, narrow = (seen(("attribute", "mode"), ("confidence", c)) for c in ("99", "50"))
    for one, other in zip(wide.rows, narrow.rows, strict=True):
        assert one["value"] == other["value"]
        assert float(str(one["high"])) >= float(str(other["high"]))
    assert sum(float(str(row["high"])) for row in wide.rows) > 1.1 * sum(
        float(str(row["high"])) for row in narrow.rows
    )
    page = inquired("plain", ("attribute", "mode"), ("confidence", "50"))
    assert page.tables[0].rows[0] == ["mode", "estimate", "50 % interval"]


def test_groups_are_a_crosstab_beside_one_another_and_less_one_of_them() -> None:
    page = inquired("plain", *GROUPS, ("against", "town"), ("confidence", "90"), n=2000)
    table = page.table("Frequencies of mode by home")
    assert "row % with 90 % intervals" in table.caption
    assert list(table.body) == ["town", "country"]
    assert table.rows[0] == ["home", "car", "bus", "train", "bike", "walk"]
    apart = page.table("The other groups less town")
    assert [row[0] for row in apart.rows[1:]] == table.rows[0][1:]
    assert "country beside town: p = " in page.said
    assert [svg["class"] for svg in page.all("svg")] == ["forest", "forest"]


def test_rows_are_sorted_and_found() -> None:
    rows = seen(("attribute", "mode"), ("sort", "-value")).rows
    values = [row["value"] for row in rows]
    assert values == sorted(values, key=lambda v: -float(str(v)))
    assert [row["mode"] for row in seen(("attribute", "mode"), ("find", "TRAI")).rows] == ["train"]
    names = [row["mode"] for row in seen(("attribute", "mode"), ("sort", "mode")).rows]
    assert names == sorted(map(str, names))
    page = inquired("plain", ("attribute", "mode"), ("sort", "-value"))
    heads = {link.get("aria-label"): link["href"] for link in page.all("a")}
    assert "sort=value" in (heads["estimate, sorted, the largest first: sort"] or "")


def test_the_picture_has_the_value_of_every_bar() -> None:
    page = inquired("plain", ("attribute", "mode"))
    written = [row[1] for row in page.tables[0].rows[1:]]
    drawn = [each for each in page.all("text") if each["class"] == "amount"]
    assert len(drawn) == len(written) == 5
    assert all(page.said.count(value) >= 2 for value in written)


def test_files_have_all_rows_with_every_digit() -> None:
    whole = seen(*GROUPS, ("find", "car"))
    export = Export.of(whole.sheet)
    assert len(export.rows) == 10 > len(whole.rows)
    assert export.csv().decode().splitlines()[0].startswith("group,label,row,row_stderr")


def test_names_are_text_whatever_they_look_like() -> None:
    page = inquired("hostile", ("attribute", EVIL))
    assert page.said.count(EVIL) >= 3
    document = analysed("hostile", Inquiry.of(hostile(), [0], 0, [])).document
    assert document is not None
    lines = Export.of(document["sheet"]).csv().decode().splitlines()
    assert {"'=1+1", "'@sum"} <= {line.split(",")[0] for line in lines}


def test_what_is_being_worked_out_says_how_far_it_is() -> None:
    page = inquired("plain", found=Found(seconds=3.4, usual=8.0))
    assert PENDING in page.said
    assert "for 3 seconds, the last of its kind took 8 seconds" in page.said
    (bar,) = page.all("progress")
    assert bar["value"] == "0.42"
    assert "refresh" in {meta.get("http-equiv") for meta in page.all("meta")}
    queued = inquired("plain", found=Found(ahead=2))
    assert "2 questions before it" in queued.said
    assert "value" not in queued.all("progress")[0]


def test_before_the_first_report_it_says_why_there_is_nothing() -> None:
    assert "No estimate: nobody shared 'mode'" in inquired("plain", n=0).said


def test_the_form_shows_what_was_chosen() -> None:
    page = inquired("plain", *GROUPS, ("against", "country"), ("method", "mle"))
    assert {"mode", "home", "country", "mle", "0"} <= chosen(page)
    page = inquired("plain", ("statistic", "quantiles"), ("attribute", "income"), ("at", "0.2"))
    fields = {each.get("name"): each.get("value") for each in page.all("input")}
    assert (fields["at"], fields["confidence"]) == ("0.2", "95")
    assert STATISTICS["quantiles"].help in page.said
