"""The vectors of bits of a few codes: their integers, draws of new devices, rounds of one."""

from typing import Any

from discretion.plan import Plan
from tests.golden.staged import vectors

BITS = {"one": (56, 1), "three": (8, 3), "five": (8, 5)}  # of which each has 56 sets
LEVELS = (1, 1000, 8000)
RECORDS = tuple(
    {"one": a, "three": b, "five": c}
    for a, b, c in (("3", "1", "1"), ("4", "2", "2"), ("3", "3", "3"), ("9", "4", "4"))
)
BUDGETS = {"one": 1, "three": 8, "five": 1}


def bitflip_plan() -> Plan:
    """One bit, a few and most of them, and on a number whose grid has a coin."""
    attributes: list[dict[str, Any]] = [
        {
            "name": name,
            "kind": "categorical",
            "values": [str(code) for code in range(size)],
            "mechanism": {"dbitflip": {"bits": bits}},
        }
        for name, (size, bits) in BITS.items()
    ]
    grid = {"name": "grid", "kind": "numeric", "range": [-0.5, 0.2], "step": 0.1}
    attributes.append({**grid, "mechanism": {"dbitflip": {"bits": 5}}})
    levels = [level / 1000 for level in LEVELS]
    return Plan.of({"name": "bits", "attributes": attributes, "budget": {"levels": levels}})


def bitflip() -> dict[str, object]:
    return vectors(bitflip_plan(), RECORDS, BUDGETS)
