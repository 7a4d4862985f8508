"""What the simulation needs from outside: a PostgreSQL."""

from tests.collector.serving import postgres

__all__ = ["postgres"]
