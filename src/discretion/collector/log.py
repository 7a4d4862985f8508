"""Structured logs: one JSON object a line, about what the server does, never about who sends."""

import logging
import sys
from contextlib import suppress
from typing import TextIO, cast

import structlog
from structlog.typing import Processor

log: structlog.stdlib.BoundLogger = structlog.get_logger("discretion")


class Lines:
    """Stderr, as it is whenever something is written. A log that nobody takes stops nothing."""

    def write(self, text: str) -> None:
        with suppress(AttributeError, OSError, ValueError):  # there is none, it broke, it is closed
            sys.stderr.write(text)

    def flush(self) -> None:
        with suppress(AttributeError, OSError, ValueError):
            sys.stderr.flush()


def configure(level: str) -> None:
    """Write events of this level and above to stderr; also those of the server underneath."""
    shared: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", Lines())),
    )
    handler = logging.StreamHandler(sys.stderr)
    renderer = structlog.processors.JSONRenderer()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(processor=renderer, foreign_pre_chain=shared)
    )
    root = logging.getLogger()
    root.handlers, root.level = [handler], max(number, logging.WARNING)
