"""The budget policy of an author's plan."""

from discretion.budget import Average, Levels, Policy, Total, epsilon
from discretion.budget.level import MOST
from discretion.errors import BudgetError
from discretion.plan.field import Field

STEP = 250  # a quarter, where the author names no step


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
