"""Many reports as Arrow columns, in Parquet files, and in the frames that analysts use."""

from discretion.table.reports import Refused, ReportTable

__all__ = ["Refused", "ReportTable"]
