"""The bundles of an author's plan: attributes whose cell may be reported as one value."""

from collections.abc import Mapping

from discretion.budget import Policy
from discretion.budget.level import MOST
from discretion.errors import BudgetError
from discretion.plan.field import Field
from discretion.plan.questions import MOST_CODES
from discretion.schema import Attribute, Bundle, Numeric

MECHANISM = "subset"  # of all bundles


def read_bundles(
    field: Field, attributes: Mapping[str, Attribute], *, secret: bool
) -> tuple[Bundle, ...]:
    """Return the bundles; they may overlap, as an owner reports an attribute in one of them."""
    if secret:
        field.fail("must not be in a plan with secret allocation (a subset would tell the level)")
    bundles = [_bundle(item, attributes) for item in field.items()]
    names = [*attributes, *(bundle.name for bundle in bundles)]
    if twice := [bundle.name for bundle in bundles if names.count(bundle.name) > 1]:
        field.fail(f"names must differ, also from those of attributes ({twice[0]})")
    if len({frozenset(bundle.parts) for bundle in bundles}) < len(bundles):
        field.fail("must not bundle the same attributes twice")
    return tuple(bundles)


def check_bundles(field: Field, bundles: tuple[Bundle, ...], policy: Policy, shares: range) -> None:
    """Refuse bundles that some number of shared attributes would leave without a level."""
    for item, bundle in zip(field.items(), bundles, strict=True):
        count = len(bundle.parts)
        for shared in shares:
            try:
                policy.even(max(shared, count), count)
            except BudgetError:
                item.fail(
                    f"must be able to have a level, at most {MOST // 1000} and an equal part for "
                    f"each attribute, where {max(shared, count)} attributes are shared"
                )


def _bundle(field: Field, attributes: Mapping[str, Attribute]) -> Bundle:
    items = field.items()
    names = [item.one_of(attributes) for item in items]
    if len(names) < 2 or len(set(names)) < len(names):
        field.fail("must be two or more different attributes")
    bundle = Bundle(tuple(attributes[name] for name in names))
    for item, part in zip(items, bundle.parts, strict=True):
        if isinstance(part, Numeric) and part.edges is None:
            item.fail("a numeric attribute needs bins to be in a bundle")
    if bundle.size > MOST_CODES:
        field.fail(
            f"must have at most {MOST_CODES} cells (fewer values, or coarser bins), "
            f"and has {bundle.size}"
        )
    return bundle
