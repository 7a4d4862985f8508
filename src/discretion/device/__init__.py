"""The owner's device: from record and budget to a report, its state, and the upload client."""

from discretion.device.device import Device
from discretion.device.retry import RetryPolicy
from discretion.device.state import Fate, Outcome, State
from discretion.device.upload import Delivery, UploadClient

__all__ = ["Delivery", "Device", "Fate", "Outcome", "RetryPolicy", "State", "UploadClient"]
