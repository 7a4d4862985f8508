"""The commutative monoid of what folds make: numbers, arrays, tuples, and mappings by key."""

from typing import Any, TypeVar

Part = TypeVar("Part")


def added(one: Part, other: Part) -> Part:
    """Return the sum of two parts; neither of them is changed.

    Tuples are added entry by entry and mappings key by key, what only one of them has included.
    Everything else has a ``+`` of its own.
    """
    total: Any = _added(one, other)
    found: Part = total
    return found


def _added(one: Any, other: Any) -> Any:
    if isinstance(one, dict):
        both = {key: _added(own, other[key]) for key, own in one.items() if key in other}
        return {**one, **other, **both}
    if isinstance(one, tuple):
        return tuple(_added(a, b) for a, b in zip(one, other, strict=True))
    return one + other
