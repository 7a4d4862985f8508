"""The budget of an author's plan: its policy, and how many attributes an owner shares.

That is as many as she likes, or a few that her device draws. Drawing a few with more for each is
better than all with little for each, where the budget is a total: the best number makes the
variance of all estimates smallest. Of views, which may overlap, a device reports one: it draws an
order of all of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from discretion.budget import Average, Levels, Policy, Total, epsilon
from discretion.budget.level import MOST
from discretion.errors import BudgetError
from discretion.plan.bundles import Bundled
from discretion.plan.field import Field
from discretion.plan.parameters import Asked
from discretion.plan.views import Views
from discretion.schema.bundle import JOINT

STEP = 250  # a quarter, where the author names no step
AUTO = "auto"
MOST_WEIGHT = 1_000_000  # of a view in the draw


def read_policy(field: Field, shares: range) -> Policy:
    """Return the policy, one under which any number of attributes in ``shares`` can be shared."""
    if not isinstance(field.value, dict) or not {"average", "total", "levels"} & field.value.keys():
        field.fail("must be a mapping with average, total or levels")
    read = next(r for key, r in _READERS.items() if key in field.value)
    policy = read(field)
    for shared in shares:
        try:
            policy.even(shared)
        except BudgetError:
            field.fail(f"leaves no level that {shared} attributes can have (try a finer step)")
    return policy


def _average(field: Field) -> Average:
    fields = field.mapping(("average", "least", "most"), ("step",))
    average, least, most = (fields[key].level() for key in ("average", "least", "most"))
    if not least <= average <= most:
        fields["average"].fail(
            f"must lie between least ({epsilon(least)}) and most ({epsilon(most)})"
        )
    if most > MOST:
        field.fail(f"no level may be above {epsilon(MOST)}")
    return Average(average, least, most, _step(fields))


def _total(field: Field) -> Total:
    fields = field.mapping(("total", "spread"), ("step",))
    spread = fields["spread"].level()
    if spread < 1000:
        fields["spread"].fail("must be 1 or more")
    return Total(fields["total"].level(), spread, _step(fields))


def _levels(field: Field) -> Levels:
    levels = field.mapping(("levels",))["levels"]
    menu = tuple(item.level() for item in levels.items())
    if list(menu) != sorted(set(menu)):
        levels.fail("must rise")
    if menu[-1] > MOST:
        field.fail(f"no level may be above {epsilon(MOST)}")
    return Levels(menu)


def _step(fields: dict[str, Field]) -> int:
    return fields["step"].level() if "step" in fields else STEP


_READERS = {"average": _average, "total": _total, "levels": _levels}


@dataclass(frozen=True)
class Share:
    """At least so many attributes; with ``sample``, so many questions that the device draws.

    A question is a bundle, or an attribute that is in none.
    """

    least: int
    questions: tuple[tuple[str, int], ...]  # what is drawn from: names and how many attributes each
    sample: int | None = None
    weights: tuple[int, ...] = ()  # of the questions in the draw of views; () without views
    sizes: Mapping[int, int] = field(default_factory=dict)  # attributes of a view: its least level

    def menu(self, size: int, menu: tuple[int, ...]) -> tuple[int, ...]:
        """Return the levels at which a view of so many attributes is drawn."""
        if size not in self.sizes:
            return menu
        ends = [least for other, least in self.sizes.items() if other > size]
        return tuple(v for v in menu if self.sizes[size] <= v < min(ends, default=menu[-1] + 1))

    @property
    def counts(self) -> range:
        """How many attributes an owner may share in all."""
        if self.weights:
            return range(1, 2)
        sizes = sorted(size for _, size in self.questions)
        if self.sample is None:
            return range(self.least, sum(sizes) + 1)
        return range(self.least, sum(sizes[-self.sample :]) + 1)

    @property
    def document(self) -> dict[str, object]:
        if self.sample is None:
            return {"least": self.least}
        names = (name for name, _ in self.questions)
        weights = dict(zip(names, self.weights, strict=True)) if self.weights else {}
        sizes = {str(size): level for size, level in self.sizes.items()}
        return {
            "sample": self.sample,
            **({"weights": weights} if weights else {}),
            **({"sizes": sizes} if sizes else {}),
        }


def read_share(
    field: Field | None,
    budget: Field,
    asked: Sequence[Asked],
    bundled: Sequence[Bundled],
    views: Views | None = None,
) -> tuple[Share, Policy]:
    """Return the share and a policy under which it can be had.

    ``views``: those of a plan that says how to make them.
    """
    inside = [part.name for bundle, _ in bundled for part in bundle.parts]
    attributes = [attribute.name for attribute, _ in asked]
    alone = [(name, 1) for name in attributes if name not in inside]
    names = (*alone, *((bundle.name, len(bundle.parts)) for bundle, _ in bundled))
    fields: dict[str, Field] = {}
    if field is not None:
        sampled = isinstance(field.value, dict) and "sample" in field.value
        more = ("weights", "sizes") if sampled else ()
        fields = field.mapping(("sample",) if sampled else ("least",), more)
    overlap = len(set(inside)) < len(inside)
    if views is not None or "weights" in fields or ("sample" in fields and overlap):
        if field is not None and any(own.decoded for _, own in bundled):
            field.fail("must be in a plan whose bundles of numbers do not overlap")
        return _views(field, fields, budget, names, attributes, views or Views([], {}, {}))
    if "sizes" in fields:
        fields["sizes"].fail("must be with weights of views")
    if "sample" not in fields:
        least = fields["least"].whole(1, len(asked)) if "least" in fields else 1
        share = Share(least, names)
        return share, read_policy(budget, share.counts)
    sample = fields["sample"]
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


def _views(
    field: Field | None,
    fields: Mapping[str, Field],
    budget: Field,
    names: tuple[tuple[str, int], ...],
    attributes: Sequence[str],
    views: Views,
) -> tuple[Share, Policy]:
    """Return the share of a plan whose devices report the first question of an order they draw.

    An attribute that is in views is drawn by itself as well where it has a weight.
    """
    if field is not None and (fields.get("sample") is None or fields["sample"].value != 1):
        field.fail("must be {sample: 1} with views, or with bundles that overlap")
    weights = {JOINT.join(block): weight for block, weight in views.weights.items()}
    if "weights" in fields:
        stated = fields["weights"].mapping((), [*attributes, *dict(names)])
        weights = {name: own.whole(1, MOST_WEIGHT) for name, own in stated.items()}
    if "sizes" in fields:
        views = views._replace(by_size=_sizes(fields["sizes"]))
    apart = [(name, 1) for name in attributes if name in weights or (name, 1) in names]
    offered = (*apart, *(own for own in names if own not in apart))
    each = tuple(weights.get(name, 1) for name, _ in offered)
    share = Share(1, offered, 1, each, views.by_size)
    return share, read_policy(budget, share.counts)


def check_views(field: Field, bundled: Sequence[Bundled], share: Share, policy: Policy) -> None:
    """Refuse views that no level is drawn at."""
    for item, (bundle, _) in zip(field.items(), bundled, strict=True):
        if not share.menu(len(bundle.parts), policy.menu):
            item.fail("must be drawn at a level of the menu, which the sizes leave it none of")


def _sizes(field: Field) -> dict[int, int]:
    """Return from which level on views of each size are drawn, both rising."""
    if not isinstance(field.value, Mapping) or len(field.value) < 2:
        field.fail("must map two sizes of views or more to levels")
    found = {}
    for key, level in field.each().items():
        if not str(key).isdecimal():
            level.fail("must be the level of a number of attributes")
        found[int(key)] = level.level()
    found = dict(sorted(found.items()))
    if list(found.values()) != sorted(set(found.values())):
        field.fail("must rise: larger views from higher levels on")
    return found


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
    each = (own.relative_variance(attribute, level) for attribute, own in asked)
    return False, sum(each, Fraction()) / shared
