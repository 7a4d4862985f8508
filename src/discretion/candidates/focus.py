"""The plan of a next round, whose list of answers is what an estimate found.

Its question keeps its name. So a device that keeps an answer can give it again, and states that it
was asked before. The ledger charges it as any other plan.
"""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from discretion.errors import EstimateError
from discretion.plan import Plan
from discretion.plan.document import as_author
from discretion.plan.legibility import LISTS
from discretion.plan.wording import ATTRIBUTE, STATED

MOST, MOST_TOGETHER = 4095, 3
NAMED = ": focus on "
LONGEST_NAME = 150


@runtime_checkable
class Found(Protocol):
    """An estimate that found candidates."""

    plan: Plan
    attribute: str

    def question(self, count: int, sets: int) -> Mapping[str, object]:
        """Return the question about ``count`` of them, up to ``sets`` together, as in a plan."""


def focus(estimate: object, count: int = 64, sets: int = 1) -> Plan:
    """Make the plan of a next round about the most frequent texts or items that were found.

    Discovered texts become a list, with ``other`` for the rest. Of the items of a set the most
    frequent ones remain, with itemsets of them if ``sets`` is above 1. Owners are asked the same
    question as before and can give the same answer. Levels and wording stay.

    Parameters
    ----------
    estimate
        What ``discover`` returned, or ``frequencies`` (or ``top``) of a set.
    count
        The largest number of candidates to list: texts, or items and itemsets.
    sets
        The largest number of items in an itemset: 1, 2 or 3. Itemsets are ranked by the product of
        the shares of their items, as if the most frequent item were in all sets.

    Returns
    -------
    A plan with this one question. Its reports are estimated as others are; ``pool`` combines both
    rounds.

    Examples
    --------
    >>> import discretion as ds
    >>> basket = {"name": "basket", "kind": "set", "items": ["milk", "rye", "tea"], "length": 2}
    >>> plan = ds.Plan.of({"name": "shop", "attributes": [basket], "budget": {"levels": [2, 4]}})
    >>> people = {"basket": [["milk", "rye"], ["milk"], ["rye", "milk"], ["tea"]] * 1000}
    >>> first = ds.frequencies(ds.simulate(plan, people, budgets="levels", seed=1), "basket")
    >>> ds.focus(first, count=4, sets=2).attributes["basket"].labels
    ('milk', 'milk + rye', 'rye', 'milk + tea')
    """
    for name, given, least, most in (("count", count, 2, MOST), ("sets", sets, 1, MOST_TOGETHER)):
        if type(given) is not int or not least <= given <= most:
            rule = f"{name} must be a whole number from {least} to {most}"
            raise EstimateError(f"{rule}, got {given!r}")
    if not isinstance(estimate, Found):
        rule = "focus takes the result of discover, or of frequencies of a set"
        raise EstimateError(f"{rule}, got {type(estimate).__name__}")
    plan, name = estimate.plan, estimate.attribute
    author = as_author(plan.document)
    before = next(own for own in author["attributes"] if own["name"] == name)
    question = _worded(estimate.question(count, sets), before)
    said = {key: author[key] for key in STATED if key in author and key != "sections"}
    named = plan.name.partition(NAMED)[0][:LONGEST_NAME] + NAMED + name
    return Plan.of(
        {
            "name": named[: LONGEST_NAME + len(NAMED)],
            **said,
            "attributes": [{"name": name, **question}],
            "budget": author["budget"],
        },
        source=named,
    )


def _worded(question: Mapping[str, object], before: Mapping[str, object]) -> dict[str, object]:
    """Return a question with the words of the one before it, also for the codes that both have."""
    said = {key: before[key] for key in ATTRIBUTE if key in before}
    lists = {key: _labelled(question[key], before.get(key)) for key in LISTS if key in question}
    return {**question, **lists, **said}


def _labelled(codes: object, before: object) -> object:
    """Return codes with their labels, as far as the list before has any."""
    known = before if isinstance(before, list) else []
    labels = {each["code"]: each for each in known if isinstance(each, Mapping)}
    return [labels.get(code, code) for code in codes] if isinstance(codes, list) else codes
