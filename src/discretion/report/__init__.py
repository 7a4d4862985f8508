"""The message that leaves a device: its fields, its bytes, and its strict reader."""

from discretion.report.message import Answer, Report
from discretion.report.reader import read

__all__ = ["Answer", "Report", "read"]
