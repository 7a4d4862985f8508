"""The message that leaves a device: its fields, its bytes, and how strictly it is read."""

from discretion.report.message import Answer, Report
from discretion.report.reading import read

__all__ = ["Answer", "Report", "read"]
