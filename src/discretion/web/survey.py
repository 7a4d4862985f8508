"""The survey document for owners: who asks, what for, how long, and what a level brings."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

from discretion.plan import Plan
from discretion.web.stops import stops


def survey(
    plan: Plan, asker: str, purpose: str, retention: int, round: int | None, *, token: bool
) -> dict[str, Any]:
    """Return it as a document; what protects owners is in the plan."""
    return {
        "plan": plan.id,
        "name": plan.name,
        "asker": asker,
        "purpose": purpose,
        "retention": retention,
        "round": round,
        "token": token,
        "stops": _stops(plan),
    }


@cache
def _stops(plan: Plan) -> Mapping[str, Any]:
    return {name: [asdict(stop) for stop in stops(plan, name)] for name in plan.names}
