"""The public results: when a version is made, and of what. The rule is in decision 0067.

A version has at least ``LEAST`` reports, and differs from any earlier one by at least so many that
came or were deleted. The same holds for the answers behind each estimate; one with fewer stays as
it was. A round is looked at once a day and when its state changes, never because a report comes or
goes, and closing it does not lower the bar.
"""

import json
from datetime import date
from typing import Any

from discretion.aggregate import Aggregate
from discretion.collector.overview import card
from discretion.collector.store import Store
from discretion.collector.store.results import Results, Tally
from discretion.errors import EstimateError
from discretion.estimate.documents import finite
from discretion.numbers.number_evidence import NumberEvidence
from discretion.order.evidence import is_ordered
from discretion.plan import Plan
from discretion.statistics import Statistic, cards

LEAST = 100  # reports of a version, answers of an estimate, and what any two of these do not share
UNREAD = ("weights", "steps")  # fields of an estimate that nobody reads here
REPORTS = "reports"  # the key of all of them; those of estimates have a name in them
Document = dict[str, Any]


def publish(store: Store, round: int, day: date) -> bool:
    """Look at a round, and publish what has enough answers; False where nothing was published."""
    results = Results(store)
    if not results.claim(round, day):
        return False
    tally = results.tally(round, answers)
    if tally is None or not _enough(tally, REPORTS):
        return False
    made = {"version": len(tally.versions) + 1, "day": day.isoformat()}
    before = results.document(round)
    known = {each["key"]: each for each in before["estimates"]} if before else {}
    renewed = {key: each for key, each in published(store.plan).items() if _enough(tally, key)}
    for key, (name, statistic) in renewed.items():
        found = card(tally.counts, name, statistic)
        shown = {k: v for k, v in (found["found"] or {}).items() if k not in UNREAD} or None
        head = {"key": key, "answers": tally.answers[key], **made}
        known[key] = {**head, **found, "found": shown}
    document = {
        "plan": store.plan.id,
        "round": round,
        **made,
        "reports": tally.counts.reports,
        "least": LEAST,
        "estimates": [known[key] for key in published(store.plan) if key in known],
    }
    text = json.dumps(finite(document), ensure_ascii=False, allow_nan=False)
    counted = {key: tally.answers[key] for key in (REPORTS, *renewed)}
    return results.keep(round, tally, counted, text)


def published(plan: Plan) -> dict[str, tuple[str, Statistic]]:
    """Return every estimate that can be published, by its key: what a card needs nothing for.

    Texts that were found are not among them: an analyst reads them first.
    """
    return {
        f"{statistic.name} {name}": (name, statistic)
        for name, statistic in cards(plan)
        if not (statistic.needed(plan, name) or statistic.reads_reports(plan, name))
    }


def answers(data: Aggregate) -> dict[str, int]:
    """Count the reports, and the answers that each estimate is made from, by its key."""
    return {REPORTS: data.reports} | {
        key: _answers(data, name, statistic)
        for key, (name, statistic) in published(data.plan).items()
    }


def _answers(data: Aggregate, name: str, statistic: Statistic) -> int:
    if statistic.name != "mean" or is_ordered(data, name):
        return sum(tally.n for tally in data.counted(name).values())
    try:
        return NumberEvidence.of(data, name).n  # alone, and in bundles
    except EstimateError:  # nobody shared it
        return 0


def _enough(tally: Tally, key: str) -> bool:
    """Whether there is enough to publish, and enough to set it apart from all versions before."""
    apart = tally.apart(key)
    return tally.answers[key] >= LEAST and (apart is None or apart >= LEAST)
