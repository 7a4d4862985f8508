"""Weights that were part of an estimate: to which margins, how unequal, and what that costs."""

from dataclasses import dataclass

from discretion.errors import EstimateError
from discretion.estimate.documents import Weighted
from discretion.render.formats import listed


@dataclass(frozen=True, slots=True)
class Weighting:
    """The attributes whose margins an estimate has, and the weights that give it them."""

    attributes: tuple[str, ...]
    design_effect: float  # Kish's: the mean of the squared weights over the square of their mean
    effective_n: float  # respondents, over the design effect
    least: float
    most: float

    @property
    def note(self) -> str:
        """Say it in a line, after the estimate."""
        return (
            f"weighted to the margins of {listed(self.attributes)} (weights {self.least:.2f} to "
            f"{self.most:.2f}, design effect {self.design_effect:.2f})"
        )

    def document(self) -> Weighted:
        """Return it for machines."""
        return {
            "attributes": list(self.attributes),
            "design_effect": self.design_effect,
            "effective_n": self.effective_n,
            "least": self.least,
            "most": self.most,
        }


def weighted_to(weighting: Weighting | None) -> dict[str, Weighted]:
    """Return what a document says of weights, under its name; nothing where there are none."""
    return {} if weighting is None else {"weighted": weighting.document()}


def check_weights(weights: object, **given: bool) -> None:
    """Refuse what is no calibration, and options that weights leave no room for."""
    if not isinstance(getattr(weights, "weighting", None), Weighting):
        raise EstimateError(f"weights must come from calibrate(reports, margins), got {weights!r}")
    if beside := [name for name, is_given in given.items() if is_given]:
        rule = "weighted estimates are of a population's attributes, from all reports"
        raise EstimateError(f"{rule}: leave {listed(beside)} out beside weights")
