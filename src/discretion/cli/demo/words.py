"""What can be learnt from a report, in odds and in plain words, for terminal and page alike.

Bounds are exact fractions from the laws, rounded up where they are written, so that what is written
holds. People who read of lies or false answers choose worse (Bullek et al., CHI 2017): a report is
"what is sent", and it has the true answer in it or not.
"""

from collections.abc import Sequence
from fractions import Fraction

from discretion.budget import epsilon
from discretion.cli.demo.owner import Answer, Owner
from discretion.cli.demo.survey import Comparison
from discretion.device.promise import at_most

_NUMBERS = ("no", "one", "two", "three", "four", "five")


def belief(ratio: Fraction) -> Fraction:
    """Return how sure somebody can be afterwards, at most, who thought it 50:50 before."""
    return ratio / (ratio + 1)


def of_hundred(share: Fraction) -> int:
    """Return a share as people count: how many of a hundred."""
    return round(100 * share)


def kept(answer: Answer) -> str:
    """Say how often the true answer is among what is sent."""
    return f"In {of_hundred(answer.kept)} of 100 such reports the true answer is in what is sent."


def worst_case(ratio: Fraction) -> str:
    """Say how much surer a report can make anybody."""
    return (
        f"The odds grow at most {at_most(ratio)} times: someone who thought it 50:50 before can be "
        f"at most {at_most(100 * belief(ratio))} % sure after."
    )


def together(owner: Owner) -> str:
    """Say what the whole report can tell."""
    count = _NUMBERS[len(owner.answers)]
    return (
        f"All {count} together: the levels add up to {epsilon(owner.budget.total)}. Between two "
        f"records that differ in all {count}, the odds grow at most {at_most(owner.ratio)} times: "
        f"50:50 before is at most {at_most(100 * belief(owner.ratio))} % after."
    )


def worth(comparison: Comparison) -> str:
    """Say how many answers were given, and how many unperturbed ones would tell as much."""
    disclosed, secret = comparison.estimates["disclosed"], comparison.estimates["secret"]
    return (
        f"{disclosed.n:,} reports are worth {disclosed.effective_n:,.0f} unperturbed answers; "
        f"with secret levels {secret.effective_n:,.0f}"
    )


def percent(share: float) -> str:
    """Write a frequency in per cent."""
    return f"{100 * share:.2f}"


def listed(labels: Sequence[str], last: str = "or") -> str:
    """Write labels as people list them."""
    if len(labels) < 2:
        return "".join(labels) or "nothing"
    return f"{', '.join(labels[:-1])} {last} {labels[-1]}"
