"""What commands have in common: how they name a plan, and the examples in their help."""

from discretion.plan import Plan

ID_LENGTH = 64  # hexadecimal digits


def plan_id(named: str) -> str:
    """Return the id that was given, or that of the plan in the file that was given."""
    if len(named) == ID_LENGTH and not set(named) - set("0123456789abcdef"):
        return named
    return Plan.load(named).id


def examples(*lines: str) -> str:
    """Return the end of a command's help; its first character keeps the lines apart."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])
