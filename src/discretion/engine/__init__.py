"""Where a fold over shards runs: this process, or a Dask cluster, with equal results."""

from discretion.engine.engine import Engine, Kept, Progress
from discretion.engine.local import LocalEngine
from discretion.engine.monoid import added
from discretion.engine.open import open_engine

__all__ = ["Engine", "Kept", "LocalEngine", "Progress", "added", "open_engine"]
