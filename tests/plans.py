"""Plans that tests share, as their authors write them."""

from functools import cache
from typing import Any

from discretion.plan import Plan

MODE = {"name": "mode", "kind": "categorical", "values": ["car", "bus", "train", "bike", "walk"]}
AGE = {"name": "age", "kind": "numeric", "range": [16, 100], "step": 1, "mechanism": "grr"}
INCOME = {"name": "income", "kind": "numeric", "range": [0, 200000], "step": 500}
TEMPERATURE = {
    "name": "temperature",
    "kind": "numeric",
    "range": [-0.5, 1.5],
    "step": 0.1,
    "bins": [-0.5, 0, 0.3, 1.5],
}
AGE_GROUP = {"name": "age", "kind": "numeric", "range": [16, 100], "step": 1, "mechanism": "grr"}
AGE_GROUP |= {"bins": [16, 30, 60, 100]}
HOME = {"name": "home", "kind": "categorical", "values": ["town", "country"], "mechanism": "oue"}
AVERAGE = {"average": 2.0, "least": 0.25, "most": 6.0}


def author(**changes: Any) -> dict[str, Any]:
    """Return the commuters' plan with some fields changed; None leaves a field out."""
    whole = {"name": "commuters", "attributes": [MODE, AGE, INCOME], "budget": AVERAGE, **changes}
    return {key: value for key, value in whole.items() if value is not None}


@cache
def commuters() -> Plan:
    return Plan.of(author())


@cache
def secret_commuters() -> Plan:
    return Plan.of(author(attributes=[MODE, TEMPERATURE], allocation="secret"))


@cache
def bundled_commuters() -> Plan:
    """Two bundles that overlap: an owner can report one of them."""
    bundles = [["mode", "age"], ["age", "home"]]
    return Plan.of(author(attributes=[MODE, AGE_GROUP, HOME], bundles=bundles))
