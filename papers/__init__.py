"""The tables and figures of published papers, repeated with ours beside them: docs/results.

They import discretion, never the reverse.
"""
