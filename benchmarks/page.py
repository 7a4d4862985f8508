"""docs/benchmarks.md: every claim in one table a section, and how the time grows, as figures."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.claim import ALLOWED, Claim, Curve, Section
from benchmarks.figures import growth

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
HEAD = """\
# Benchmarks

What ours takes, and what a rival, a physical limit or an allowance takes at the same. A ratio is
theirs over ours: how many times as fast or as small ours is. Beside a limit, which no program goes
below, it is a share. Made by `make bench` from `benchmarks/results.json`, never by hand;
`python -m benchmarks.report NAME` measures one section again. `make bench-quick` compares a few
ratios with those in `benchmarks/recorded.json`, and fails where one has become more than half
worse."""
NOTHING = "–"


def write(document: Mapping[str, Any], page: Path = PAGE) -> None:
    """Write the page, and the figures beside it."""
    parts = [HEAD]
    for found in document.values():
        section = Section.of(found)
        parts += [f"## {section.title}", f"{section.about} {made(found['machine'])}"]
        if section.claims:
            parts.append(table(section.claims))
        parts += [*plots(section, page)]
    page.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def made(machine: Mapping[str, Any]) -> str:
    """Say on what it was measured, and when."""
    cores = f"{machine['cores']} cores, {machine['system']}, Python {machine['python']}"
    packages = ", ".join(f"{name} {v}" for name, v in machine.get("versions", {}).items())
    return f"Measured on {machine['date']}: {machine['cpu']}, {cores}{packages and '; '}{packages}."


def table(claims: Iterable[Claim]) -> str:
    """Return a row for each claim."""
    return markdown(("", "ours", "beside", "theirs", "ratio", "bar"), map(_row, claims))


def _row(claim: Claim) -> Sequence[object]:
    theirs, ratio = (
        NOTHING if value is None else number(value) for value in (claim.theirs, claim.ratio)
    )
    allowed = claim.beside == ALLOWED
    bar = "" if claim.bar is None else judged("" if allowed else f"≥ {claim.bar:g}", claim.met)
    ours = f"{number(claim.ours)} {claim.unit}"
    return claim.what, ours, claim.beside or NOTHING, theirs, ratio, bar


def plots(section: Section, page: Path) -> Iterator[str]:
    """Draw a figure for each thing that grows, and yield it with the slopes."""
    for along in dict.fromkeys(curve.along for curve in section.curves):
        own = [curve for curve in section.curves if curve.along == along]
        name = f"figures/scaling-{along}.svg"
        growth({curve.what: curve.points for curve in own}, along, page.parent / name)
        yield f"![Seconds as the {along} grow]({name})"
        yield markdown(("", "as these grow", "seconds", "slope", "bar"), map(_slope, own))


def _slope(curve: Curve) -> Sequence[object]:
    (first, least), *_, (last, most) = curve.points
    ends = f"{curve.along}, {first:,.0f} to {last:,.0f}"
    how = "" if curve.bar is None or curve.slope > curve.bar[0] else ", grows slower"
    bar = "" if curve.bar is None else judged("{:g} to {:g}".format(*curve.bar), curve.met, how)
    return curve.what, ends, f"{number(least)} to {number(most)}", f"{curve.slope:.2f}", bar


def judged(bar: str, met: bool | None, how: str = "") -> str:
    """Write a bar so that a missed one cannot be overlooked."""
    said = f"{bar}: " if bar else ""
    return f"{said}met" if met else f"**{said}missed{how}**"


def markdown(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Write a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def number(value: float) -> str:
    """Write three digits, and no exponent."""
    return f"{value:,.0f}" if value >= 100 else f"{float(f'{value:.3g}'):.6g}"
