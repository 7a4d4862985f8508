"""What an audit found: one line for each claim that was checked, and whether all of them hold."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from discretion.render.formats import privacy_loss


class Part(StrEnum):
    """The parts of an audit, in the order in which they are shown."""

    LAW = "law"
    DRAWS = "draws"
    SAMPLES = "samples"
    RECORD = "record"
    ROUNDS = "rounds"

    @property
    def heading(self) -> str:
        """The part as people read it."""
        return {
            Part.LAW: "The laws, exactly",
            Part.DRAWS: "What is drawn, by every choice of the sampler",
            Part.SAMPLES: "What samples prove",
            Part.RECORD: "Whole records",
            Part.ROUNDS: "Several rounds",
        }[self]


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim, and what was found about it."""

    part: Part
    subject: str
    claim: float  # the epsilon that is promised; inf: nothing is
    loss: float  # what was found: exact, or proved by samples to be at least so much; may be inf
    passes: bool
    how: str  # how it was found, and if it fails, what is wrong

    def document(self) -> dict[str, object]:
        """Return it for machines; a loss or a claim without a bound is null."""
        return {
            "part": str(self.part),
            "subject": self.subject,
            "claim": self.claim if isfinite(self.claim) else None,
            "loss": self.loss if isfinite(self.loss) else None,
            "passes": self.passes,
            "how": self.how,
        }


@dataclass(frozen=True, slots=True)
class Audit:
    """All findings about one subject."""

    title: str
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()  # what was left out, and why

    @property
    def passes(self) -> bool:
        """Whether every claim holds, as far as it was checked."""
        return not self.failures

    @property
    def failures(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if not finding.passes)

    def of(self, part: Part) -> tuple[Finding, ...]:
        """Return the findings about one part."""
        return tuple(finding for finding in self.findings if finding.part is part)

    @property
    def verdict(self) -> str:
        """The result in a sentence."""
        count = len(self.findings)
        if self.passes:
            return f"{self.title}: all {count} claims hold as far as they were checked."
        broken = len(self.failures)
        return f"{self.title}: {broken} of {count} claims {'is' if broken == 1 else 'are'} broken."

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return "\n".join([self.verdict, *(_line(each) for each in self.failures)])

    def document(self) -> dict[str, object]:
        """Return everything for machines."""
        return {
            "title": self.title,
            "passes": self.passes,
            "findings": [finding.document() for finding in self.findings],
            "notes": list(self.notes),
        }


def joined(title: str, findings: Iterable[Finding], notes: Iterable[str] = ()) -> Audit:
    """Return an audit with its findings in the order of the parts."""
    order = list(Part)
    return Audit(title, tuple(sorted(findings, key=lambda f: order.index(f.part))), tuple(notes))


def _line(finding: Finding) -> str:
    found = f"claims {privacy_loss(finding.claim)}, found {privacy_loss(finding.loss)}"
    return f"  {finding.part}: {finding.subject}: {found}: {finding.how}"
