"""Where a fold over shards runs: this process, or a Dask cluster, with equal results."""

from discretion.engine.arrays import array_code, namespace
from discretion.engine.engine import Engine, Kept, Progress, added, open_engine
from discretion.engine.local import LocalEngine
from discretion.engine.threads import single_threaded

__all__ = [
    "Engine",
    "Kept",
    "LocalEngine",
    "Progress",
    "added",
    "array_code",
    "namespace",
    "open_engine",
    "single_threaded",
]
