"""What runs with the owner: record and budget to report, and the state that keeps it honest."""

from discretion.device.device import Device
from discretion.device.state import State

__all__ = ["Device", "State"]
