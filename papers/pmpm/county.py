"""The two files of the PMPM paper: numbers about the counties of the United States.

US Census Demographic Data, from the American Community Survey (five years up to 2015 and 2017), as
published at https://www.kaggle.com/datasets/muonneutrino/us-census-demographic-data.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from papers.data import Dataset, Question

STEP = 0.01  # of the grid on [-1, 1]
_SHARED = (
    "TotalPop Men Women Hispanic White Black Native Asian Pacific {} Income IncomeErr IncomePerCap "
    "IncomePerCapErr Poverty ChildPoverty Professional Service Office Construction Production "
    "Drive Carpool Transit Walk OtherTransp WorkAtHome MeanCommute Employed PrivateWork PublicWork "
    "SelfEmployed FamilyWork Unemployment"
)


def _counties(year: int, citizens: str, digest: str) -> Dataset:
    """Return a file of counties; its columns are those of the other year, in the same order."""
    names = _SHARED.format(citizens).split()
    questions: tuple[Question, ...] = tuple({"name": name, "kind": "numeric"} for name in names)
    return Dataset(f"Census {year}", f"acs{year}_county_data.csv", 3_220, digest, questions)


COUNTIES = (
    _counties(2015, "Citizen", "daa3d82910b99fb5925d0a78e2909c0d88195a7a75bf849bdd4aaebd515acf72"),
    _counties(
        2017, "VotingAgeCitizen", "0723ef51144f0d96116ecd9e43241008b36d93939b89fe5e9c6635b87bb94f25"
    ),
)


@dataclass(frozen=True, eq=False)
class Survey:
    """Records, all columns complete and scaled to [-1, 1], and others to guess their shape from."""

    name: str
    records: pa.Table
    pilot: pa.Table  # the same columns of another year

    @property
    def attributes(self) -> tuple[str, ...]:
        return tuple(self.records.column_names)

    def first(self, count: int) -> "Survey":
        """Return the survey of the first attributes alone."""
        names = self.attributes[:count]
        return Survey(self.name, self.records.select(names), self.pilot.select(names))


def surveys(tables: Mapping[str, pa.Table]) -> list[Survey]:
    """Return what is asked about each file: the columns without a gap, the other as the pilot."""
    found = []
    for name, table in tables.items():
        other = next(each for key, each in tables.items() if key != name)
        whole = [i for i, column in enumerate(table.columns) if not column.null_count]
        names = [table.column_names[i] for i in whole]
        own, theirs = (
            pa.table([_scaled(each.column(i)) for i in whole], names) for each in (table, other)
        )
        found.append(Survey(name, own, theirs))
    return found


def _scaled(column: pa.ChunkedArray) -> pa.Array:
    """Return numbers between -1, the smallest, and 1, the largest; what is missing stays so."""
    values = np.asarray(column.to_numpy(), np.float64)
    low, high = np.nanmin(values), np.nanmax(values)
    return pa.array(2 * (values - low) / (high - low) - 1)
