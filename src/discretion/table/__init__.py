"""Many reports as Arrow columns, in Parquet files, and in the frames that analysts use."""

from discretion.table.folder import ReportFolder
from discretion.table.reports import Refused, ReportTable

Reports = ReportTable | ReportFolder  # whatever estimators take

__all__ = ["Refused", "ReportFolder", "ReportTable", "Reports"]
