"""The third-party packages of each part, and the command that installs a missing one."""

from collections.abc import Iterator
from contextlib import contextmanager

from discretion.errors import MissingPackage

COLLECTOR = (
    "fastapi",
    "fastapi_offline",
    "h11",
    "httptools",
    "limits",
    "prometheus_client",
    "pydantic",
    "segno",
    "starlette",
    "structlog",
    "uvicorn",
    "uvloop",
)
EXTRAS = {  # by extra ("" comes without one): each module, and what a message calls it
    "": {
        "llvmlite": "llvmlite",
        "narwhals": "narwhals",
        "networkx": "networkx",
        "numba": "numba",
        "numpy": "numpy",
        "pyarrow": "pyarrow",
        "rich": "rich",
        "scipy": "scipy",
        "threadpoolctl": "threadpoolctl",
        "typer": "typer",
        "yaml": "PyYAML",
    },
    "collector": dict.fromkeys(COLLECTOR, "the collector's packages"),
    "postgres": {"psycopg": "psycopg"},
    "plot": {"matplotlib": "matplotlib"},
    "dask": {"dask": "Dask", "distributed": "Dask", "fsspec": "fsspec"},
    "jax": {"jax": "JAX"},
    "utility": {"sklearn": "scikit-learn"},
    "forms": {"pyxform": "pyxform", "openpyxl": "pyxform"},
    "stats": {"pyreadstat": "pyreadstat", "pandas": "pandas"},
}


@contextmanager
def needed(what: str) -> Iterator[None]:
    """Turn a missing package of ours into one line that says what needs it and how to get it."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        for extra, modules in EXTRAS.items():
            if module in modules:
                raise MissingPackage(what, modules[module], extra, module) from error
        raise
