"""How many attributes an owner shares: as many as she likes, or a few that her device draws.

Drawing a few with more for each is better than all with little for each, where the budget is a
total: the best number makes the variance of all estimates smallest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from discretion.budget import Policy
from discretion.errors import BudgetError
from discretion.plan.bundles import Bundled
from discretion.plan.field import Field
from discretion.plan.parameters import Asked
from discretion.plan.policy import read_policy

AUTO = "auto"


@dataclass(frozen=True)
class Share:
    """At least so many attributes; with ``sample``, so many questions that the device draws.

    A question is a bundle, or an attribute that is in none.
    """

    least: int
    questions: tuple[tuple[str, int], ...]  # what is drawn from: names and how many attributes each
    sample: int | None = None

    @property
    def counts(self) -> range:
        """How many attributes an owner may share in all."""
        sizes = sorted(size for _, size in self.questions)
        if self.sample is None:
            return range(self.least, sum(sizes) + 1)
        return range(self.least, sum(sizes[-self.sample :]) + 1)

    @property
    def document(self) -> dict[str, object]:
        return {"least": self.least} if self.sample is None else {"sample": self.sample}


def read_share(
    field: Field | None,
    budget: Field,
    asked: Sequence[Asked],
    bundled: Sequence[Bundled],
) -> tuple[Share, Policy]:
    """Return the share and a policy under which it can be had."""
    inside = [part.name for bundle, _ in bundled for part in bundle.parts]
    alone = [(attribute.name, 1) for attribute, _ in asked if attribute.name not in inside]
    names = (*alone, *((bundle.name, len(bundle.parts)) for bundle, _ in bundled))
    fields: dict[str, Field] = {}
    if field is not None:
        sampled = isinstance(field.value, dict) and "sample" in field.value
        fields = field.mapping(("sample",) if sampled else ("least",))
    if "sample" not in fields:
        least = fields["least"].whole(1, len(asked)) if "least" in fields else 1
        share = Share(least, names)
        return share, read_policy(budget, share.counts)
    sample = fields["sample"]
    if len(set(inside)) < len(inside):
        sample.fail("must be in a plan whose bundles do not overlap")
    if sample.value != AUTO:
        share = Share(1, names, sample.whole(1, len(names)))
        return share, read_policy(budget, share.counts)
    if bundled:
        sample.fail("must be a number in a plan with bundles")
    if other := [own.mechanism for _, own in asked if not own.foreseen]:
        sample.fail(f"must be a number in a plan with {other[0]}")
    policy = read_policy(budget, range(1, 2))
    best = min(range(1, len(names) + 1), key=lambda k: _risk(k, asked, policy))
    share = Share(1, names, best)
    return share, read_policy(budget, share.counts)


def _risk(shared: int, asked: Sequence[Asked], policy: Policy) -> tuple[bool, Fraction]:
    """Return the variance of estimates from one of the drawn, in units of that of true answers.

    Averaged over the attributes, labels and numbers being spread evenly; per answer, so that it
    falls with the number drawn as well. What the policy does not allow, to all owners or to those
    who lack some of what they draw, comes last.
    """
    try:
        *_, level = [policy.even(count) for count in range(1, shared + 1)]
    except BudgetError:
        return True, Fraction()
    each = (own.relative_variance(attribute.size, level) for attribute, own in asked)
    return False, sum(each, Fraction()) / shared
