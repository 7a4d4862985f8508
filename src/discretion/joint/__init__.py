"""Joint distributions of several attributes, from personal budgets and partial records."""

from discretion.joint.joint import joint
from discretion.joint.result import JointEstimate, Quantity

__all__ = ["JointEstimate", "Quantity", "joint"]
