"""``discretion estimate --statistic``: whatever the registry has."""

import json as json_format
from collections.abc import Sequence
from typing import Protocol

from discretion.cli.progress import each
from discretion.errors import EstimateError
from discretion.estimate.estimate import check_choice
from discretion.render.terminal import console
from discretion.statistics import STATISTICS
from discretion.table import Reports


class Documented(Protocol):
    """A result that machines can read."""

    def document(self) -> object: ...


def print_statistic(
    table: Reports, name: str, names: Sequence[str], given: Sequence[str], *, json: bool
) -> None:
    """Print one statistic of the attributes that it can be asked of, or of those that are named."""
    check_choice("--statistic", name, STATISTICS)
    statistic = STATISTICS[name]
    if statistic.paired:
        raise EstimateError("two files of reports are compared by: discretion compare FIRST SECOND")
    pairs = [text.partition("=") for text in given]
    values = {name: statistic.option(name).read(value) for name, _, value in pairs}
    asked = names or [n for n in table.shared if statistic.applies(table.plan, n)]
    if statistic.several:
        found = [statistic.result(table, list(asked), **values)]
    else:
        found = [statistic.result(table, name, **values) for name in each("estimating", asked)]
    if json:
        print_documents(found)
        return
    console().print("\n\n".join(map(str, found)), soft_wrap=True)


def print_documents(found: Sequence[Documented]) -> None:
    """Print results as one list in JSON."""
    documents = [result.document() for result in found]
    print(json_format.dumps(documents, indent=2, allow_nan=False))
