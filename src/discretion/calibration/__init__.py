"""Weights for respondents who selected themselves: estimates with known margins."""

from discretion.calibration.calibrate import Calibration, calibrate

__all__ = ["Calibration", "calibrate"]
