"""Where the ``discretion`` command starts; it needs nothing but Python to say what is missing."""

import sys

from discretion.errors import MissingPackage
from discretion.extras import needed


def main() -> None:
    """Run the command, or end in one line that says what to install."""
    try:
        with needed("the discretion command"):
            from discretion.cli.main import main as run
    except MissingPackage as error:
        sys.exit(f"discretion: {error}")
    run()
