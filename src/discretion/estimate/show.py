"""How an estimate looks: as text, and as an HTML table in a notebook."""

from html import escape

from discretion.estimate.result import FrequencyEstimate

UNPROCESSED = "standard errors and intervals: unprocessed"


def summary(estimate: FrequencyEstimate) -> str:
    """Say in one line what was estimated, from how much, and how well it fits together."""
    parts = [
        f"{estimate.attribute}: {estimate.method} estimate for the {estimate.target}"
        + "".join(f", then {step}" for step in estimate.steps),
        f"{estimate.n:,} reports worth {estimate.effective_n:,.0f} unperturbed answers",
    ]
    if estimate.homogeneity is not None:
        parts.append(f"levels agree with p = {estimate.homogeneity.pvalue:.2g}")
    if estimate.unprocessed is not None:
        parts.append(UNPROCESSED)
    return "; ".join(parts)


def rows(estimate: FrequencyEstimate) -> list[tuple[str, str, str, str]]:
    """Return label, value, standard error and 95 % interval as text, a row a code."""
    cells = zip(estimate.labels, estimate.value, estimate.stderr, estimate.interval(), strict=True)
    return [
        (label, f"{v:.4f}", f"{e:.4f}", f"{lo:.4f} to {hi:.4f}") for label, v, e, (lo, hi) in cells
    ]


def text(estimate: FrequencyEstimate) -> str:
    """Write a table for a terminal."""
    table = [(estimate.attribute, "value", "stderr", "95 % interval"), *rows(estimate)]
    width = max(len(row[0]) for row in table)
    lines = [f"{a:<{width}}  {b:>8}  {c:>8}  {d}" for a, b, c, d in table]
    return "\n".join([summary(estimate), *lines])


def html(estimate: FrequencyEstimate) -> str:
    """Write a table for a notebook."""
    head = "".join(f"<th>{h}</th>" for h in ("", "value", "stderr", "95 % interval"))
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in rows(estimate)
    )
    caption = f"<caption>{escape(summary(estimate))}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
