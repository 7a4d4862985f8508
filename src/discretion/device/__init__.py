"""What runs with the owner: record and budget to report, what keeps it honest, what carries it."""

from discretion.device.courier import Courier, Delivery
from discretion.device.device import Device
from discretion.device.patience import Patience
from discretion.device.state import Fate, Outcome, State

__all__ = ["Courier", "Delivery", "Device", "Fate", "Outcome", "Patience", "State"]
