"""What people look at: the owner's page and the analyst's dashboard, as text; no server is here."""

from importlib.resources import files
from pathlib import Path

from discretion.estimate.look import DARK, LIGHT

STATIC = Path(str(files("discretion.web"))) / "static"
"""Scripts and styles, served under /static; ``device`` in it is the JavaScript device."""


def colours() -> str:
    """Return the style sheet of the colours, for both modes."""
    dark = f"@media (prefers-color-scheme: dark) {{ :root {{ {DARK.css} }} }}"
    return f":root {{ color-scheme: light dark; {LIGHT.css} }}\n{dark}\n"
