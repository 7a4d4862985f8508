"""How an answer is perturbed: exact integer laws of a few shapes, and their names."""

from discretion.mechanism.choice import Choice
from discretion.mechanism.law import Inclusion, Law, Mechanism
from discretion.mechanism.registry import MECHANISMS, law
from discretion.mechanism.subset import Subset
from discretion.mechanism.unary import Unary

__all__ = ["MECHANISMS", "Choice", "Inclusion", "Law", "Mechanism", "Subset", "Unary", "law"]
