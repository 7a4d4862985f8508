"""The pages: the owner's page and the analyst's dashboard, rendered to text; no server is here."""

from importlib.resources import files
from pathlib import Path

STATIC = Path(str(files("discretion.web"))) / "static"
"""Scripts and styles, served under /static; ``device`` in it is the JavaScript device."""
