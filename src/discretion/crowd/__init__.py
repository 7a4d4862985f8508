"""Many devices at once: simulation, with a seed and NumPy instead of a secure generator."""

from discretion.crowd.census import census, census_plan
from discretion.crowd.simulate import simulate

__all__ = ["census", "census_plan", "simulate"]
