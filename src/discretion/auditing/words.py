"""What an audit says in sentences: the same on the page and in the terminal."""

from collections.abc import Sequence

from discretion.auditing.finding import Audit, Finding, Part
from discretion.render.formats import privacy_loss

MEANINGS = {
    Part.LAW: "The largest ratio between the probabilities of an output for two inputs, in whole "
    "numbers, against e to the claim. Equal to the claim means that no budget is wasted.",
    Part.DRAWS: "Every choice that the code which draws can make, with its exact weight, against "
    "the law. It is not sampled: there is no chance of error.",
    Part.SAMPLES: "An attack on the running device: samples of two inputs find an event that "
    "tells them apart, other samples judge it. Epsilon is proved to be at least the number found; "
    "a sound device stays below its claim.",
    Part.RECORD: "Two records that differ in one attribute are told apart by at most its budget, "
    "or its bundle's; any two by at most the total. Records are compared exactly; reports are "
    "samples of running devices, looked at byte by byte.",
    Part.ROUNDS: "An answer that stays the same is told once, however many rounds there are. One "
    "that changes is told again, and charged again.",
}
PASSING = (
    "What passes was not broken by this audit. The exact parts are proofs about the laws and the "
    "code that draws, for the cases listed; samples can prove a leak, but never that there is none."
)
OUTSIDE = (
    "The operating system's generator is taken to be random. The time that a device takes, its "
    "memory, and what its owner does outside the plan are not looked at."
)
LIMITS = (PASSING, OUTSIDE)


def heads(part: Part) -> tuple[str, str, str, str, str]:
    """Return the headings of the table of a part."""
    found = "proved, at least" if part is Part.SAMPLES else "found"
    return "what", "claim", found, "verdict", "how"


def cells(finding: Finding) -> tuple[str, str, str, str, str]:
    """Return a finding as the cells of its row."""
    verdict = "holds" if finding.passes else "broken"
    claim, found = privacy_loss(finding.claim), privacy_loss(finding.loss)
    return finding.subject, claim, found, verdict, finding.how


def facts(audit: Audit) -> Sequence[tuple[str, str, str]]:
    """Return the figures that stand first: name, figure, what it is of."""
    exact = [*audit.of(Part.LAW), *audit.of(Part.DRAWS)]
    sampled = audit.of(Part.SAMPLES)
    together = [*audit.of(Part.RECORD), *audit.of(Part.ROUNDS)]
    kinds = (("exact", exact), ("samples", sampled), ("records and rounds", together))
    broken = ("claims broken", str(len(audit.failures)), f"of {len(audit.findings)}")
    return [broken, *(_fact(name, found) for name, found in kinds if found)]


def _fact(name: str, found: Sequence[Finding]) -> tuple[str, str, str]:
    return name, str(sum(each.passes for each in found)), f"of {len(found)} claims hold"
