"""Joint distributions of several attributes, from personal budgets and partial records."""

import sys
from types import ModuleType

from discretion.joint.advice import Advice, Forecast, advise
from discretion.joint.joint import joint
from discretion.joint.result import JointEstimate, Quantity

__all__ = ["Advice", "Forecast", "JointEstimate", "Quantity", "advise", "joint"]


class _Joint(ModuleType):
    """Python binds ``discretion.joint`` to this folder once it is imported, so it can be called."""

    __call__ = staticmethod(joint)


sys.modules[__name__].__class__ = _Joint
