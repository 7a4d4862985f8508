"""The data sets of the LoPub paper as attributes of plans, Bank in place of TPC-E.

Labels are as in the files, with ``?`` for what was not told; numbers stand in at most eight bins,
whose edges are written down here, so that plans do not depend on the records. A bin is a number
from 0 on: plans know its order. Retail is which of its sixteen most frequent items a basket holds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from papers.data import Dataset, Question
from papers.lopub import printed
from papers.lopub.printed import Printed
from papers.pldp.printed import ADULT, BANK, labels

Values = str | tuple[float, ...]  # labels, or the edges between bins

REST = "other"  # labels that are too rare for one of their own
ITEMS = (39, 48, 38, 32, 41, 65, 89, 225, 170, 237, 36, 110, 310, 101, 475, 271)


@dataclass(frozen=True)
class Field:
    """One attribute: its labels in a column of the file, or the edges between its bins."""

    name: str
    labels: tuple[str, ...] = ()
    edges: tuple[float, ...] = ()  # the first number of each bin but the first

    @property
    def size(self) -> int:
        return len(self.labels) or len(self.edges) + 1

    def question(self, mechanism: object) -> Question:
        """Return the attribute as plans have it: bins on a grid, so that their order is known."""
        if self.labels:
            kind: Question = {"kind": "categorical", "values": list(self.labels)}
        else:
            kind = {"kind": "numeric", "range": [0, self.size - 1], "step": 1}
        return {"name": self.name, **kind, "mechanism": mechanism}

    def column(self, raw: pa.ChunkedArray) -> pa.Array:
        """Return a column of the file as records have it."""
        if not self.labels:
            return pa.array(np.digitize(raw.to_numpy(), self.edges))
        if REST not in self.labels:
            return raw.combine_chunks()
        known = pc.is_in(raw, pa.array(self.labels))
        return pc.if_else(known, raw, REST).combine_chunks()


@dataclass(frozen=True)
class Survey:
    """One data set: the file, its attributes, and how the paper sent and compared them."""

    file: Dataset
    fields: tuple[Field, ...]
    bits: int  # of the paper's filters, all with four hashes
    phi: float  # the paper's threshold of dependence
    printed: Printed  # about this data set, or the one that it stands for

    @property
    def name(self) -> str:
        return self.file.name

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields)

    @property
    def repeated(self) -> bool:
        """Whether it is the paper's own data set."""
        return self.name == self.printed.name

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return tuple(field.size for field in self.fields)

    @property
    def binary(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields if field.size == 2)

    def questions(self, mechanism: object) -> list[Question]:
        return [field.question(mechanism) for field in self.fields]

    def records(self, raw: pa.Table) -> pa.Table:
        """Return the records of a file, as plans of these attributes read them."""
        if self.file.attributes == ("items",):
            return _baskets(raw["items"], self.names)
        columns = [field.column(raw[field.name]) for field in self.fields]
        return pa.table(columns, list(self.names))


def _baskets(items: pa.ChunkedArray, names: Sequence[str]) -> pa.Table:
    held = [set(basket.split()) for basket in items.to_pylist()]
    columns = [["yes" if name in basket else "no" for basket in held] for name in names]
    return pa.table(columns, list(names))


def _survey(file: Dataset, values: Mapping[str, Values], printed: Printed) -> Survey:
    """Return a survey of a file that is known, with all its columns."""
    fields = tuple(
        Field(name, labels=tuple(own.split())) if isinstance(own, str) else Field(name, edges=own)
        for name, own in values.items()
    )
    columns = tuple(
        {"name": field.name, "kind": "categorical" if field.labels else "numeric"}
        for field in fields
    )
    return Survey(replace(file, questions=columns), fields, 128, 0.4, printed)


_ADULT: dict[str, Values] = {
    "age": (24, 29, 33, 38, 43, 49, 57),
    "workclass": labels(ADULT, "workclass"),
    "fnlwgt": (79_714, 117_551, 151_627, 178_145, 200_967, 237_642, 308_082),
    "education": "10th 11th 12th 1st-4th 5th-6th 7th-8th 9th Assoc-acdm Assoc-voc Bachelors "
    "Doctorate HS-grad Masters Preschool Prof-school Some-college",
    "education-num": (6, 9, 10, 11, 13, 14, 15),
    "marital-status": labels(ADULT, "marital-status"),
    "occupation": "? Adm-clerical Armed-Forces Craft-repair Exec-managerial Farming-fishing "
    "Handlers-cleaners Machine-op-inspct Other-service Priv-house-serv Prof-specialty "
    "Protective-serv Sales Tech-support Transport-moving",
    "relationship": labels(ADULT, "relationship"),
    "race": "Amer-Indian-Eskimo Asian-Pac-Islander Black Other White",
    "sex": "Female Male",
    "capital-gain": (1, 3_000, 5_000, 8_000, 16_000),
    "capital-loss": (1, 1_700, 1_950),
    "hours-per-week": (21, 36, 40, 41, 46, 51, 61),
    "native-country": f"? Canada Germany Mexico Philippines Puerto-Rico United-States {REST}",
    "income": labels(ADULT, "income"),
}
_BANK: dict[str, Values] = {
    "age": (30, 33, 36, 39, 43, 48, 55),
    "job": labels(BANK, "job"),
    "marital": labels(BANK, "marital"),
    "education": labels(BANK, "education"),
    "default": "no yes",
    "balance": (0, 73, 234, 449, 787, 1_429, 2_987),
    "housing": labels(BANK, "housing"),
    "loan": "no yes",
    "contact": "cellular telephone unknown",
    "day": (5, 8, 13, 16, 19, 21, 28),
    "month": "jan feb mar apr may jun jul aug sep oct nov dec",
    "duration": (67, 103, 139, 180, 236, 319, 486),
    "campaign": (2, 3, 4, 6),
    "pdays": (0, 100, 200, 300),
    "previous": (1, 2, 3, 5),
    "poutcome": "failure other success unknown",
    "y": "no yes",
}
_BASKETS = Dataset(
    name="Retail",
    file="retail.csv",
    rows=88_162,
    sha256="a39d0e1096d19d9aa0a7a24a51de2d7a76017fa271b70b7adff1467f5ec1605e",
    questions=({"name": "items", "kind": "categorical"},),
)
ITEMS_HELD = tuple(Field(str(item), ("no", "yes")) for item in ITEMS)
RETAIL = Survey(_BASKETS, ITEMS_HELD, 32, 0.25, printed.RETAIL)
CENSUS = _survey(ADULT, _ADULT, printed.ADULT)
CALLS = _survey(BANK, _BANK, printed.TPCE)
SURVEYS = (RETAIL, CENSUS, CALLS)
