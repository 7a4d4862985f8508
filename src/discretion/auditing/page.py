"""How an audit is shown: as tables in a terminal, or as one HTML page that fetches nothing."""

from collections.abc import Iterator, Sequence
from importlib.metadata import version

from discretion.auditing.finding import Audit, Finding, Part
from discretion.render.formats import privacy_loss
from discretion.render.markup import element, lines, text
from discretion.render.page import fact, paragraphs, section, standalone_page, table_card
from discretion.render.tables import Table

MEANINGS = {
    Part.LAW: "The largest ratio between the probabilities of an output for two inputs, in whole "
    "numbers, against e to the claim. Equal to the claim means that no budget is wasted.",
    Part.DRAWS: "Every choice that the code which draws can make, with its exact weight, against "
    "the law. It is enumerated, not sampled, so sampling error is impossible.",
    Part.SAMPLES: "An attack on the running device: samples of two inputs find an event that "
    "distinguishes them, others judge it. Epsilon is proved to be at least the number found; "
    "a sound device stays below its claim.",
    Part.RECORD: "Two records that differ in one attribute can be distinguished by at most "
    "its budget, or its bundle's; any two by at most the total. Records are compared exactly; "
    "reports are samples of running devices, compared byte by byte.",
    Part.ROUNDS: "An answer that stays the same is drawn once, however many rounds there are. One "
    "that changes is drawn again, and charged again.",
}
PASSING = (
    "What passes was not broken by this audit. The exact parts are proofs about the laws and the "
    "code that draws, for the cases listed; samples can prove a leak, but never that there is none."
)
OUTSIDE = (
    "The operating system's generator is taken to be random. The time that a device takes, its "
    "memory, and what its owner does outside the plan are not audited."
)


def page(audit: Audit) -> str:
    """Return the whole page."""
    broken = table_card(table(Part.LAW, audit.failures), titled=False)
    parts = [
        text("h1", f"What is leaked: {audit.title}"),
        text("p", audit.verdict, class_="lead"),
        element("dl", *_facts(audit), class_="cards"),
        paragraphs(audit.notes),
        *([] if audit.passes else [section("broken", "What is broken", broken)]),
        *(_part(part, audit.of(part)) for part in Part if audit.of(part)),
        section("limits", "What this does not say", paragraphs((PASSING, OUTSIDE))),
    ]
    footer = text("footer", f"Discretion {version('discretion')}.")
    return standalone_page("Discretion: an audit", lines([element("main", *parts), footer]))


def table(part: Part, findings: Sequence[Finding]) -> Table:
    """Return the findings about a part, for a page or a terminal."""
    found = "proved, at least" if part is Part.SAMPLES else "found"
    heads = ("what", "claim", found, "verdict", "how")
    left, elastic = frozenset({0, 3, 4}), frozenset({0, 4})
    return Table(
        heads, [_cells(each) for each in findings], part.heading, left=left, elastic=elastic
    )


def _cells(finding: Finding) -> tuple[str, ...]:
    verdict = "holds" if finding.passes else "broken"
    claim, found = privacy_loss(finding.claim), privacy_loss(finding.loss)
    return finding.subject, claim, found, verdict, finding.how


def _facts(audit: Audit) -> Iterator[str]:
    """Yield the figures that stand first."""
    broken = len(audit.failures)
    alert = "alert" if broken else ""
    yield fact("claims broken", str(broken), f"of {len(audit.findings)}", alert)
    exact, sampled = (Part.LAW, Part.DRAWS), (Part.SAMPLES,)
    kinds = {"exact": exact, "samples": sampled, "records and rounds": (Part.RECORD, Part.ROUNDS)}
    for name, parts in kinds.items():
        if found := [finding for part in parts for finding in audit.of(part)]:
            holding = sum(finding.passes for finding in found)
            yield fact(name, str(holding), f"of {len(found)} claims hold")


def _part(part: Part, findings: Sequence[Finding]) -> str:
    found = table_card(table(part, findings), titled=False)
    return section(part, part.heading, text("p", MEANINGS[part]), found)
