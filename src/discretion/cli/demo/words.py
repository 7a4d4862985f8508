"""What can be learnt from a report, in odds and in plain words, for terminal and page alike.

Bounds are exact fractions from the laws, rounded up where they are written, so that what is written
holds. People who read of lies or false answers choose worse (Bullek et al., CHI 2017), so the text
says "what is sent", and that the true answer is in it or not.
"""

from fractions import Fraction

from discretion.budget import epsilon
from discretion.cli.demo.number import Number
from discretion.cli.demo.owner import Answer, Owner
from discretion.cli.demo.pair import Pair
from discretion.cli.demo.survey import Comparison, Rows, coverage
from discretion.device.promise import at_most
from discretion.render.formats import listed, percent

_NUMBERS = ("no", "one", "two", "three", "four", "five")
_SETS = {1: "single attributes", 2: "pairs", 3: "triples"}


def belief(ratio: Fraction) -> Fraction:
    """Return how sure somebody who thought it 50:50 before can be afterwards, at most."""
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
    """Say what the whole report can reveal."""
    count = _NUMBERS[len(owner.answers)]
    return (
        f"All {count} together: the levels add up to {epsilon(owner.budget.total)}. Between two "
        f"records that differ in all {count}, the odds grow at most {at_most(owner.ratio)} times: "
        f"50:50 before is at most {at_most(100 * belief(owner.ratio))} % after."
    )


def worth(comparison: Comparison) -> str:
    """Say how many answers were given, and how many unperturbed ones would be as precise."""
    disclosed, secret = comparison.estimates["disclosed"], comparison.estimates["secret"]
    return (
        f"{disclosed.n:,} reports are worth {disclosed.effective_n:,.0f} unperturbed answers; "
        f"with secret levels {secret.effective_n:,.0f}"
    )


def pairs(pair: Pair) -> str:
    """Say what a table of two attributes is made from."""
    one, other = pair.names
    return (
        f"How frequent each pair of {one} and {other} is, from the same reports with disclosed "
        f"levels. Nobody was asked for pairs: each answer was perturbed on its own. {pair.both:,} "
        f"reports have both, and the {pair.estimates['disclosed'].n - pair.both:,} with one of "
        "the two count as well."
    )


def moved(pair: Pair) -> str:
    """Say what it means that a table is off, and by how much one is that ignores the pairs."""
    one, other = pair.names
    return (
        "A table is off by the share of people who would have to change cells to make it right "
        f"(total variation). With {one} and {other} taken as unrelated, and each of them exactly "
        f"known, it would be off by {percent(pair.unrelated)}; this one is off by "
        f"{percent(pair.distance('disclosed'))}."
    )


def moved_secret(pair: Pair) -> str:
    """Say the same of secret levels, in a line."""
    return f"With secret levels the table is off by {percent(pair.distance('secret'))}."


def dependence(pair: Pair) -> str:
    """Say how much two attributes depend on each other."""
    one, other = pair.names
    found = pair.dependence
    return (
        f"How much {one} reveals about {other} (mutual information; 0 is nothing): "
        f"{found.value:.3f} nats with a standard error of {found.stderr:.3f}; "
        f"the truth is {pair.true_dependence:.3f}."
    )


def held(pair: Pair) -> str:
    """Say how many intervals of a table cover the true value."""
    count, cells = coverage([pair], "disclosed")
    return f"{count} of {cells} intervals cover the true value."


def numbers(number: Number) -> str:
    """Say how the number was asked for, and what weights are worth."""
    gain = (number.alike.stderr / number.mean.stderr) ** 2
    return (
        f"Here {number.attribute} itself is asked for, on a grid of 500; everybody picks one of "
        "five levels from 0.25 to 4. More precise reports count more in the mean: its squared "
        f"error is {gain:.0f} times smaller than if all counted alike. A smallest or largest "
        "number leaves no trace in private reports, but quantiles do."
    )


def held_of(number: Number) -> str:
    """Say how many of the intervals cover the true value."""
    rows = list(number.rows())
    return f"{sum(row.holds for row in rows)} of {len(rows)} intervals cover the true value."


def rows_of(rows: Rows) -> str:
    """Say where synthetic rows come from."""
    found = rows.publication.dependence
    return (
        "Rows of nobody: from the reports with disclosed levels alone, a test finds which pairs of "
        f"attributes depend on each other ({len(found.edges)} of {len(found.pairs)}; most of all "
        f"{listed(rows.edges[:2])}), a model of the whole record is fitted to all reports "
        "together, and rows are drawn from it. They may be given to anybody: what is made of "
        "reports reveals nothing that the reports did not."
    )


def rows_off(rows: Rows) -> str:
    """Say how far the model is from the truth, and what it would be without dependence."""
    parts = [
        f"{percent(d.mean)} for {_SETS[d.order]} ({percent(d.unrelated)} if unrelated)"
        if d.order > 1
        else f"{percent(d.mean)} for {_SETS[d.order]}"
        for d in rows.distances
    ]
    return f"On average over all tables, the model is off by {listed(parts)}."
