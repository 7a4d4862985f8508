"""docs/statistics.md, and the routes in docs/operate.md: what the registry says of itself.

To write both anew: python -m tests.docs.statistics.
"""

from pathlib import Path

from discretion.statistics import STATISTICS, Option, Statistic

DOCS = Path(__file__).parents[2] / "docs"
PAGE, OPERATE = DOCS / "statistics.md", DOCS / "operate.md"
START = "<!-- statistics: python -m tests.docs.statistics -->\n"
END = "<!-- end of statistics -->\n"
HEAD = """\
# Statistics

This page lists everything that can be asked about reports. `python -m tests.docs.statistics` writes
it from the registry, `discretion.statistics`. The [guide](guide.md) shows statistics at work;
[operate.md](operate.md#endpoints) has the other routes of a collector.

In Python, a statistic is a function of the reports (or of an `Aggregate`, where counts suffice), an
attribute, and options. Its result has `to_frame()`, `document()` for machines, and a text that fits
a screen. The command is `discretion estimate REPORTS NAME --statistic STATISTIC`, with
`--set OPTION=VALUE` for options. Over HTTP, every statistic has a route with the same options and
`round`.
"""


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *map(_section, STATISTICS.values())])


def operate() -> str:
    """Return the page for operators with the routes as they are."""
    before, start, rest = OPERATE.read_text(encoding="utf-8").partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise ValueError(f"{OPERATE.name} must have the lines {START!r} and {END!r}")
    rows = "".join(
        f"| `GET /v1/{each.path}` | `analyse` | {each.help} |\n" for each in STATISTICS.values()
    )
    return f"{before}{start}\n| | role | statistic |\n|---|---|---|\n{rows}\n{end}{after}"


def _section(statistic: Statistic) -> str:
    kinds = ", ".join(f"{kind.noun}" for kind in statistic.kinds)
    about = f"Two or more attributes, each {kinds}" if statistic.several else f"Of {kinds}"
    source = "reads the reports" if statistic.reports else "counts suffice"
    if statistic.methods_on_reports:
        source += f", but for {' and '.join(statistic.methods_on_reports)}"
    python, command = f"discretion.{statistic.function_name}", f"--statistic {statistic.name}"
    lines = [
        f"## {statistic.name}\n",
        f"{statistic.help} {about}; {source}.\n",
        f"Python `{python}`, command `{command}`, HTTP `GET /v1/{statistic.path}`.\n",
    ]
    if statistic.options:
        lines += ["| option | default | |\n|---|---|---|", *map(_row, statistic.options), ""]
    return "\n".join(lines)


def _row(option: Option) -> str:
    choices = ", ".join(f"`{name}`" for name in option.values())
    default = "none" if option.default is None else f"`{option.default}`"
    return (
        f"| `{option.name}` | {default} | {option.help}{f' One of {choices}.' if choices else ''} |"
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    OPERATE.write_text(operate(), encoding="utf-8")
