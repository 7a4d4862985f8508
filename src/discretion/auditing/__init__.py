"""What is leaked: exact and empirical checks of laws, devices, records, and anybody's mechanism."""

from discretion.auditing.budgets import audit_budgets
from discretion.auditing.finding import Audit, Finding, Part
from discretion.auditing.inspection import audit
from discretion.auditing.strangers import audit_callable

__all__ = ["Audit", "Finding", "Part", "audit", "audit_budgets", "audit_callable"]
