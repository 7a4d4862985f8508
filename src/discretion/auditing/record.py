"""The contracts: how far records can be distinguished, by the laws and by bytes of reports."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import ceil, prod

from discretion.auditing.distinguisher import lower_bound
from discretion.auditing.exact import measured
from discretion.auditing.exponential import loss, within
from discretion.auditing.finding import Finding, Part
from discretion.auditing.reports import Sender, far_records, views
from discretion.auditing.variants import largest, largest_bounded_ratio, rows_of
from discretion.budget import Budget
from discretion.plan import Plan
from discretion.report import Report


def contracts(plan: Plan, budget: Budget) -> Iterator[Finding]:
    """Compare the product of exact ratios with the levels of what differs."""
    ratios = {name: exact_ratio(plan, name, stratum) for name, stratum in budget.strata.items()}
    for names, part in _parts(plan, budget):
        subject = f"records that differ in {part} alone"
        own = [ratios[name] for name in names]
        yield product(Part.RECORD, subject, own, claim(plan, budget, names))
    subject = "records that differ in everything"
    yield product(Part.RECORD, subject, list(ratios.values()), claim(plan, budget))
    if plan.share.weights:
        yield from _views(plan, budget.total)


def _views(plan: Plan, level: int) -> Iterator[Finding]:
    """Compare the exact ratio of every view with a level: a device may have drawn any of them."""
    drawn = [name for name, _ in plan.share.questions if level in plan.questions[name].menu]
    ratios = {name: exact_ratio(plan, name, level) for name in drawn}
    bounded = [ratio for ratio in ratios.values() if ratio is not None]
    worst = max(bounded) if len(bounded) == len(ratios) else None
    subject = f"records that differ in everything, whichever of {len(drawn)} views is drawn"
    how = "the largest of their exact ratios"
    passes = worst is not None and within(worst, level)
    yield Finding(Part.RECORD, subject, level / 1000, loss(worst), passes, how)


def sampled_contracts(plan: Plan, budget: Budget, send: Sender, alpha: float) -> Iterator[Finding]:
    """Try to distinguish records by the bytes of reports, where one attribute differs or all do.

    ``alpha`` is shared by all comparisons.
    """
    first, last = far_records(plan)
    parts = list(_parts(plan, budget))
    changed = [{**first, part: last[part]} for _, part in parts]
    claims = [(f"{part} alone", claim(plan, budget, names)) for names, part in parts]
    claims.append(("everything", claim(plan, budget)))
    sent = send([[first], *([record] for record in changed), [last]])
    base = next(sent)
    for (what, level), other in zip(claims, sent, strict=True):
        subject = f"reports that differ in {what}"
        yield compared(Part.RECORD, subject, base, other, level, alpha / len(claims))


def exact_ratio(plan: Plan, name: str, stratum: int) -> Fraction | None:
    """Return the largest ratio of a law, as the audit measures it; None: no bound is known.

    Of a variant, by what is not open.
    """
    if variant := plan.questions[name].variant:
        return largest_bounded_ratio(rows_of(plan.questions[name].law(stratum)), variant)
    found, _ = measured(plan.questions[name].law(stratum).permanent)
    return found.ratio if found else None


def claim(plan: Plan, budget: Budget, names: Iterable[str] | None = None) -> int:
    """Return what is promised about records that differ in some names, or in all, in thousandths.

    It is their levels; of a variant, what it allows for the two values that are protected least.
    """
    total = Fraction()
    for name in budget.levels if names is None else names:
        variant = plan.questions[name].variant
        total += Fraction(budget.levels[name] * (largest(variant) if variant else 1000), 1000)
    return ceil(total)


def product(part: Part, subject: str, ratios: Sequence[Fraction | None], level: int) -> Finding:
    """Compare the ratio of independent answers together with a level."""
    bounded = [ratio for ratio in ratios if ratio is not None]
    whole = prod(bounded, start=Fraction(1)) if len(bounded) == len(ratios) else None
    passes = whole is not None and within(whole, level)
    how = "an exact ratio" if len(ratios) == 1 else f"the product of {len(ratios)} exact ratios"
    return Finding(part, subject, level / 1000, loss(whole), passes, how)


def compared(
    part: Part,
    subject: str,
    one: Sequence[Sequence[Report]],
    other: Sequence[Sequence[Report]],
    level: int,
    alpha: float,
) -> Finding:
    """Compare what reports prove with a level."""
    bound = lower_bound(views([*one, *other]), alpha)
    passes = bound.epsilon <= level / 1000
    return Finding(part, subject, level / 1000, bound.epsilon, passes, str(bound))


def _parts(plan: Plan, budget: Budget) -> Iterator[tuple[list[str], str]]:
    """Yield every attribute that a report depends on, and the names whose answers do."""
    shared = [part for name in budget.levels for part in plan.questions[name].parts]
    for part in dict.fromkeys((*shared, *plan.attributes)):
        if names := [name for name in budget.levels if plan.questions[name].concerns(part)]:
            yield names, part
