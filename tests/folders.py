"""Folders of reports with shards so small that a few hundred reports make many of them."""

from pathlib import Path
from unittest.mock import patch

from discretion.table import ReportFolder, ReportTable


def in_folder(reports: ReportTable, place: str | Path, shard: int = 70) -> ReportFolder:
    """Write reports in shards of so many, three to a file."""
    with patch("discretion.table.writer.SHARD", shard), patch("discretion.table.writer.SHARDS", 3):
        return ReportFolder.write(place, [reports])
