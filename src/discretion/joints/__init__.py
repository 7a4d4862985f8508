"""Joint distributions of several attributes, from personal budgets and partial records."""

from discretion.joints.information import MutualInformation
from discretion.joints.joint import joint
from discretion.joints.postprocess import postprocess
from discretion.joints.result import JointEstimate

__all__ = ["JointEstimate", "MutualInformation", "joint", "postprocess"]
