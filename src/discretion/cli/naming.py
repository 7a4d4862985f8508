"""How a command names a plan: by its id, or by a file that has it."""

from discretion.plan import Plan

ID_LENGTH = 64  # hexadecimal digits


def plan_id(named: str) -> str:
    """Return the id that was given, or that of the plan in the file that was given."""
    if len(named) == ID_LENGTH and not set(named) - set("0123456789abcdef"):
        return named
    return Plan.load(named).id
