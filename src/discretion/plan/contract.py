"""The two privacy contracts: what an owner's budget promises about her records."""

from enum import StrEnum


class Contract(StrEnum):
    """Which one holds follows from the plan: ``record`` where attributes are bundled."""

    ATTRIBUTE = "attribute"
    RECORD = "record"

    @property
    def meaning(self) -> str:
        """What is promised about two records, in a few words."""
        if self is Contract.ATTRIBUTE:
            return "what differs is told apart by at most its budgets"
        return "any two records are told apart by at most the total"
