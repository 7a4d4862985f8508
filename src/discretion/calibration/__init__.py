"""Weights for respondents who selected themselves: estimates with known margins."""

from discretion.calibration.calibrate import Calibration, calibrate, calibrate_json

__all__ = ["Calibration", "calibrate", "calibrate_json"]
