"""The address of a store: which database it means, and how it is shown."""

import re
from pathlib import Path
from urllib.parse import unquote

SQLITE, POSTGRES = "sqlite:///", ("postgresql://", "postgres://")
ADDRESSES = "must be sqlite:///FILE or postgresql://..."
_SECRET = re.compile(r"(?<=//)[^/@]*@|\?.*")


def is_address(text: str) -> bool:
    """Whether it is one of the kinds that are known."""
    return sqlite_path(text) is not None or text.startswith(POSTGRES)


def sqlite_path(text: str) -> Path | None:
    """Return the file that an address of SQLite means."""
    name = unquote(text.removeprefix(SQLITE)) if text.startswith(SQLITE) else ""
    return Path(name) if name and name != ":memory:" else None


def shown(text: str) -> str:
    """Return an address without what is secret in it."""
    return _SECRET.sub("", text)
