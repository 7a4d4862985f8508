"""A Dask cluster of processes on this machine, for tests."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from distributed import Client, LocalCluster
from distributed.utils import get_mp_context

from tests.forks import FORKS


@contextmanager
def cluster(workers: int = 2) -> Iterator[Client]:
    """Run so many workers of one thread each, and yield a client of theirs."""
    assert get_mp_context() is FORKS
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            host="127.0.0.1",
        ) as found,
        Client(found) as client,
    ):
        yield client


def kill_a_worker(client: Client) -> None:
    """End the process of one worker, as if its machine had lost power."""
    os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
