"""Synthetic rows as people read them: with questions, labels of values, dates and times of day."""

import pyarrow as pa
import pyarrow.compute as pc

from discretion.plan import Plan
from discretion.schema import MOMENTS, NOT_APPLICABLE, Attribute
from discretion.table.labelled import Described


def described(rows: pa.Table, plan: Plan) -> pa.Table:
    """Return rows whose columns say what a plan says of them, in its first language.

    Where a question does not apply, there is no value.
    """
    wording = plan.wording.within(plan.wording.best(()) or "")
    arrays, fields = [], []
    for column in rows.schema:
        attribute, said = plan.attributes[column.name], wording.of(column.name)
        array = _values(attribute, rows[column.name])
        labels = {}
        if attribute.number is None:
            codes = (code for code in attribute.labels if code != NOT_APPLICABLE)
            labels = {code: str(said.label(code)) for code in codes}
        arrays.append(array)
        fields.append(Described(str(said.question), labels).on(pa.field(column.name, array.type)))
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def _values(attribute: Attribute, column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return what rows hold: numbers as numbers, and dates and times of day as such."""
    if attribute.number is None:
        return pc.if_else(pc.equal(column, NOT_APPLICABLE), None, column)
    made = MOMENTS.get(str(attribute.number.document["kind"]))
    return pa.chunked_array([[*map(made.value_of, column.to_pylist())]]) if made else column
