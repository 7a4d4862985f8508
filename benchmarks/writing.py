"""A writer process without HTTP, for ``benchmarks.writers``: ADDRESS PLAN FILE TOGETHER WAITING.

It imports nothing of the benchmarks, so that it runs with the sources of an earlier version too.
"""

import asyncio
import sys
from itertools import islice
from pathlib import Path

from discretion import Plan
from discretion.collector.metrics import Metrics
from discretion.collector.store import open_store
from discretion.collector.writer import Writer

QUEUE = 1 << 20


def write(address: str, plan: Plan, file: Path, together: int, waiting: int) -> None:
    """Keep the reports of a file as a server does; begin when a line comes."""
    lines = file.read_bytes().split(b"\n")
    batches = iter([lines[at : at + together] for at in range(0, len(lines), together)])
    store = open_store(address, plan)

    async def send(writer: Writer) -> None:
        for batch in batches:
            await writer.keep(batch, None)

    async def run() -> None:
        writer = Writer(store, QUEUE, Metrics())
        for batch in islice(batches, 1):  # what is slow once
            await writer.keep(batch, None)
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        await asyncio.gather(*(send(writer) for _ in range(waiting)))
        print("done", flush=True)
        await asyncio.to_thread(writer.close)

    asyncio.run(run())
    store.close()


if __name__ == "__main__":
    where, agreed, lines, together, waiting = sys.argv[1:]
    plan = Plan.from_bytes(Path(agreed).read_bytes())
    write(where, plan, Path(lines), int(together), int(waiting))
