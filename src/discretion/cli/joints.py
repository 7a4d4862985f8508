"""Joint tables in a terminal: what ``discretion estimate --joint`` prints."""

from dataclasses import dataclass

import numpy as np
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from discretion.cli.show import GAP, LONG, NARROWEST, SHOWN, WIDEST, Columns, scale_end, whisker
from discretion.joints import JointEstimate

NUMBERS = 42  # columns of the terminal that the numbers of a cell take


@dataclass(frozen=True, slots=True)
class JointTable:
    """The cells of a table, as wide as the console; ``whole``: however many."""

    estimate: JointEstimate
    whole: bool = False

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        e, shown = self.estimate, self._shown()
        value, stderr = e.value.ravel()[shown], e.stderr.ravel()[shown]
        low, high = e.interval().reshape(-1, 2)[shown].T
        most = scale_end(float(high.max()))
        labels = np.unravel_index(shown, e.value.shape)
        words = [[own[i] for i in at] for own, at in zip(e.labels, labels, strict=True)]
        columns = zip(e.attributes, words, strict=True)
        taken = sum(max(map(cell_len, (name, *column))) + GAP for name, column in columns)
        width = min(max(options.max_width - taken - NUMBERS, NARROWEST), WIDEST)
        body = [
            [*names, f"{v:.4f}", f"{s:.4f}", f"{a:.4f} to {b:.4f}", drawing]
            for *names, v, s, a, b, drawing in zip(
                *words,
                value,
                stderr,
                low,
                high,
                self._drawing(shown, most, width, options),
                strict=True,
            )
        ]
        heads = [*e.attributes, "estimate", "stderr", "95 % interval", f"0{most:>{width - 1}.4g}"]
        k = len(e.attributes)
        right, elastic = frozenset({k, k + 1, k + 2}), frozenset(range(k))
        yield Columns(heads, body, right=right, elastic=elastic)
        if hidden := e.value.size - len(shown):
            together = e.value.sum() - value.sum()
            yield Text(f"... and {hidden:,} more, {together:.4f} together; --all shows them")

    def _shown(self) -> list[int]:
        """Return which cells are shown: all in order, or the most frequent ones first."""
        size = self.estimate.value.size
        if self.whole or size <= LONG:
            return list(range(size))
        return np.argsort(-self.estimate.value, axis=None, kind="stable")[:SHOWN].tolist()

    def _drawing(
        self, shown: list[int], most: float, width: int, options: ConsoleOptions
    ) -> list[str]:
        ends = self.estimate.interval().reshape(-1, 2)[shown] / most
        value = self.estimate.value.ravel()[shown] / most
        return [
            whisker(float(low), float(v), float(high), width, ascii=options.ascii_only)
            for v, (low, high) in zip(value, ends, strict=True)
        ]
