"""The two privacy contracts: what an owner's budget promises about her records."""

from enum import StrEnum

from discretion.plan.field import Field


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


def check_contract(field: Field, holds: Contract) -> None:
    """Refuse a contract other than the one that holds, and say why that is."""
    if field.one_of(list(Contract)) == holds:
        return
    if holds is Contract.RECORD:
        field.fail(
            "must be record in a plan with bundles (each attribute of a bundle is protected by "
            "the bundle's whole budget only)"
        )
    field.fail("must be attribute in a plan without bundles (which promises more than record)")
