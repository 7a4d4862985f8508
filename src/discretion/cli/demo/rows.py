"""Synthetic rows of the crowd: what depends on what, a few rows, and how far they are off."""

from dataclasses import dataclass

import pyarrow as pa

from discretion.cli.demo.survey import OWNERS, Crowd
from discretion.synthesis import Publication, publish
from discretion.synthesis.utility import Distance, by_order

SHOWN = 6


@dataclass(frozen=True)
class Rows:
    """A publication, and how far it is from the truth for one, two and three attributes."""

    publication: Publication
    distances: tuple[Distance, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return self.publication.model.names

    @property
    def first(self) -> list[list[str]]:
        """The first rows, as text."""
        rows = self.publication.rows.slice(0, SHOWN).to_pylist()
        return [[f"{row[name]}" for name in self.names] for row in rows]

    @property
    def edges(self) -> list[str]:
        """The pairs that depend on each other, strongest first."""
        return [f"{edge.one} with {edge.other}" for edge in self.publication.dependence.edges]


def draw_rows(crowd: Crowd, people: pa.Table, seed: int) -> Rows:
    """Publish as many rows as there are owners, from the reports with disclosed levels."""
    publication = publish(crowd.reports["disclosed"], OWNERS, seed=seed)
    return Rows(publication, tuple(by_order(publication.model, people)))
