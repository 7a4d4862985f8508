"""What is leaked: exact and empirical checks of laws, devices, records, and anybody's mechanism."""

from discretion.auditing.black_box import audit_callable
from discretion.auditing.budgets import audit_budgets
from discretion.auditing.finding import Audit, Finding, Part
from discretion.auditing.inspection import audit

__all__ = ["Audit", "Finding", "Part", "audit", "audit_budgets", "audit_callable"]
