"""Known margins of the population in a file, and the weights that they give to reports."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from discretion.errors import EstimateError

if TYPE_CHECKING:
    from discretion.calibration import Calibration
    from discretion.table import Reports

Calibrate = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Weight respondents to known margins of the population, in YAML or JSON.",
    ),
]


def weights_of(reports: "Reports", path: Path | None) -> "Calibration | None":
    """Return the weights for the margins in a file, if one is named."""
    from discretion.calibration import calibrate  # not before a command needs it

    return None if path is None else calibrate(reports, _margins(path))


def as_option(path: Path | None) -> list[str]:
    """Return the margins in a file as an option of a statistic, if a file is named."""
    if path is None:
        return []
    try:
        return [f"calibrate={json.dumps(_margins(path))}"]
    except TypeError as error:
        raise EstimateError(f"{path}: margins must be names and numbers ({error})") from None


def _margins(path: Path) -> object:
    from discretion.plan.file import read_file  # not before a command needs it

    return read_file(path)
