"""Who chooses the functions of hashed attributes: the device by a draw, or the credential.

``{olh: {function: assigned}}`` says that it comes with the credential; otherwise it is drawn.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from discretion.mechanism import HASHED
from discretion.plan.field import Field
from discretion.schema import Attribute

ASSIGNED, DRAWN = "assigned", "drawn"


def read_assigned(attributes: Field, questions: Sequence[tuple[Attribute, str]]) -> tuple[str, ...]:
    """Return the names of the attributes whose functions are assigned."""
    found = []
    for item, (attribute, mechanism) in zip(attributes.items(), questions, strict=True):
        if mechanism in HASHED and _function(item, mechanism) == ASSIGNED:
            found.append(attribute.name)
    return tuple(found)


def write_assigned(mechanism: str) -> dict[str, Any]:
    """Return a mechanism whose function is assigned as it stands in the document."""
    return {mechanism: {"function": ASSIGNED}}


def _function(item: Field, mechanism: str) -> str:
    stated = item.mapping((), item.value).get("mechanism")  # type: ignore[arg-type]
    if stated is None or not isinstance(stated.value, Mapping) or mechanism not in stated.value:
        return DRAWN  # the name alone, or chosen by auto
    parts = stated.mapping((mechanism,))[mechanism].mapping(("function",))
    return parts["function"].one_of((DRAWN, ASSIGNED))
