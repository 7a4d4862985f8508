"""The settings in docs/operate.md. To write them anew: python -m tests.docs.settings."""

from pathlib import Path

from discretion.collector.settings import SETTINGS, Setting

PAGE = Path(__file__).parents[2] / "docs" / "operate.md"
START, END = "<!-- settings: python -m tests.docs.settings -->\n", "<!-- end of settings -->\n"
HEAD = "| option | variable | default | what it is |\n|---|---|---|---|\n"


def table() -> str:
    """Return the settings as a table, in the order of the command."""
    return HEAD + "".join(map(_row, SETTINGS))


def parts(text: str) -> tuple[str, str, str]:
    """Return what stands before the settings, the settings, and what stands behind them."""
    before, start, rest = text.partition(START)
    settings, end, after = rest.partition(END)
    if not start or not end:
        raise ValueError(f"{PAGE.name} must have the lines {START!r} and {END!r}")
    return before + start, settings, end + after


def page() -> str:
    """Return the whole page, with the settings as they are."""
    before, _, after = parts(PAGE.read_text(encoding="utf-8"))
    return before + table() + after


def _row(setting: Setting) -> str:
    names = f"`{setting.option}` | `{setting.variable}`"
    return f"| {names} | {_shown(setting.default)} | {setting.help} |\n"


def _shown(default: object) -> str:
    if default == "":
        return "empty"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
