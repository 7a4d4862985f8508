"""The measurements behind docs/results.md. They import discretion, never the reverse."""
