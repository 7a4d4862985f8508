"""Structured logs: one JSON object a line, about what the server does, never about who sends."""

import logging
import sys
from typing import Any

import structlog

log: structlog.stdlib.BoundLogger = structlog.get_logger("discretion")


def configure(level: str) -> None:
    """Write events of this level and above to stderr; also those of the server underneath."""
    shared: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    handler = logging.StreamHandler(sys.stderr)
    renderer = structlog.processors.JSONRenderer()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(processor=renderer, foreign_pre_chain=shared)
    )
    root = logging.getLogger()
    root.handlers, root.level = [handler], max(number, logging.WARNING)
