"""A real PostgreSQL for every test that asks for one."""

from tests.collector.serving import postgres

__all__ = ["postgres"]
