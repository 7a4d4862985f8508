"""Weights for respondents who selected themselves: estimates with known margins."""

from discretion.calibration.calibrate import calibrate, calibrate_json
from discretion.calibration.calibration import Calibration

__all__ = ["Calibration", "calibrate", "calibrate_json"]
