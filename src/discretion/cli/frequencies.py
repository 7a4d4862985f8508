"""Frequencies in a terminal: what ``discretion estimate`` prints about labels."""

from dataclasses import dataclass

import numpy as np
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from discretion.cli.show import GAP, LONG, NARROWEST, SHOWN, WIDEST, Columns, scale_end, whisker
from discretion.estimate import FrequencyEstimate
from discretion.estimate.show import rows

SHORTEST = 16  # a label that is cut so that there is room for a drawing


@dataclass(frozen=True, slots=True)
class FrequencyTable:
    """The frequencies of an attribute, as wide as the console; ``whole``: however many."""

    estimate: FrequencyEstimate
    whole: bool = False

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        shown = self._shown()
        cells = rows(self.estimate)
        heads = [self.estimate.attribute, "estimate", "stderr", "95 % interval"]
        body = [list(cells[code]) for code in shown]
        widths = [max(cell_len(row[i]) for row in [heads, *body]) for i in range(len(heads))]
        room = options.max_width - sum(widths[1:]) - GAP * len(widths)
        drawing = min(max(room - widths[0], NARROWEST), WIDEST)
        if room - drawing >= min(SHORTEST, widths[0]):
            for row, line in zip(
                [heads, *body], self._drawing(shown, drawing, options), strict=True
            ):
                row.append(line)
        yield Columns(heads, body, right=frozenset({1, 2, 3}), elastic=frozenset({0}))
        if hidden := len(self.estimate.labels) - len(shown):
            together = self.estimate.value.sum() - self.estimate.value[shown].sum()
            yield Text(f"... and {hidden:,} more, {together:.4f} together; --all shows them")

    def _shown(self) -> list[int]:
        """Return which codes are shown: all in order, or the most frequent ones first."""
        size = len(self.estimate.labels)
        if self.whole or size <= LONG:
            return list(range(size))
        return np.argsort(-self.estimate.value, kind="stable")[:SHOWN].tolist()

    def _drawing(self, shown: list[int], width: int, options: ConsoleOptions) -> list[str]:
        """Return the ends of the common scale, and a line for each code."""
        low, high = self.estimate.interval()[shown].T
        most = scale_end(float(high.max()))
        ends = np.column_stack([low, self.estimate.value[shown], high]) / most
        lines = [whisker(a, b, c, width, ascii=options.ascii_only) for a, b, c in ends.tolist()]
        return [f"0{most:>{width - 1}.4g}", *lines]
