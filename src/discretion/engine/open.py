"""An engine by its name, by the address of a scheduler, or by a client that there is."""

from typing import TYPE_CHECKING

from discretion.engine.engine import Engine, Progress
from discretion.engine.local import LocalEngine
from discretion.errors import EngineError
from discretion.extras import needed

if TYPE_CHECKING:
    from distributed import Client

LOCAL, DASK = "local", "dask"


def open_engine(engine: object = LOCAL, progress: Progress | None = None) -> Engine:
    """Return the engine that is meant.

    ``"local"``: threads of this process. ``"dask"``: the client that was made last. An address such
    as ``"tcp://10.0.0.1:8786"``, or a ``distributed.Client``: that cluster.
    """
    if engine == LOCAL:
        return LocalEngine(progress=progress)
    if isinstance(engine, Engine):
        return engine
    client = _client(engine)
    from discretion.engine.cluster import DaskEngine

    return DaskEngine(client, progress)


def _client(engine: object) -> "Client":
    with needed(f"engine {engine!r}"):
        from distributed import Client, default_client
    if isinstance(engine, Client):
        return engine
    try:
        if engine == DASK:
            return default_client()
        if isinstance(engine, str) and "://" in engine:
            return Client(engine)
    except (OSError, ValueError) as error:
        raise EngineError(f"must have a scheduler that answers ({error})", engine) from None
    raise EngineError(
        'must be "local", "dask", an address such as tcp://HOST:8786 or a Client', engine
    )
