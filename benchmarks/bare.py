"""What the collector is compared with: a route that only reads, and inserts that only insert.

As a program it serves the bare route: ``python -m benchmarks.bare PORT``.
"""

import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from time import perf_counter

import psycopg
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from discretion.collector.outcome import Incoming
from discretion.collector.store import open_database
from discretion.collector.store.shards import shard_of
from discretion.collector.store.sqlite import SQLite

_INSERT = "INSERT INTO reports (plan, round, id, body) VALUES (1, ?, ?, ?)"
_COPY = """
COPY discretion.reports (plan, round, shard, id, position, body) FROM STDIN (FORMAT BINARY)
"""
_TYPES = ["int4", "int4", "int4", "bytea", "int8", "bytea"]


async def read(request: Request) -> Response:
    """Read the body, and say yes."""
    await request.body()
    return Response(b'{"outcome":"accepted"}', 201, media_type="application/json")


def insert(path: Path, batches: Sequence[Sequence[Incoming]]) -> float:
    """Insert batches into a new SQLite store, a commit each; return the seconds."""
    database = SQLite(path)
    with database._connection() as connection:
        start = perf_counter()
        for batch in batches:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(_INSERT, [report[:3] for report in batch])
            connection.execute("COMMIT")
        seconds = perf_counter() - start
    database.close()
    return seconds


def copy(address: str, batches: Sequence[Sequence[Incoming]]) -> float:
    """Copy batches into a new PostgreSQL store, a commit each; return the seconds."""
    database = open_database(address)
    with database.writing() as session:
        session.begin(1, 0)
    database.close()
    positions = count(1)
    with psycopg.connect(address) as connection:
        start = perf_counter()
        for batch in batches:
            with connection.cursor().copy(_COPY) as writing:
                writing.set_types(_TYPES)
                for own in batch:
                    shard = shard_of(own.id, database.shards)
                    row = 1, own.round, shard, own.id, next(positions), own.body
                    writing.write_row(row)
            connection.commit()
        return perf_counter() - start


if __name__ == "__main__":
    routes = [Route("/v1/reports", read, methods=["POST"])]
    uvicorn.run(
        Starlette(routes=routes), port=int(sys.argv[1]), access_log=False, log_level="error"
    )
