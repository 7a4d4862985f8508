"""Reading true records from a file, for checks and simulations."""

from pathlib import Path

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq

from discretion.errors import TableError
from discretion.plan import Plan
from discretion.schema import Categorical


def read_records(path: Path, plan: Plan) -> pa.Table:
    """Return a CSV (also .csv.gz) or Parquet file; an empty cell means that the value is missing.

    Labels are read as the text that stands in the file, whatever they look like.
    """
    labels = [a.name for a in plan.attributes.values() if isinstance(a, Categorical)]
    try:
        if path.suffix == ".parquet":
            return pq.read_table(path)
        options = csv.ConvertOptions(
            column_types=dict.fromkeys(labels, pa.string()),
            null_values=[""],
            strings_can_be_null=True,
        )
        return csv.read_csv(path, convert_options=options)
    except (OSError, pa.ArrowInvalid) as error:
        first = str(error).splitlines()[0]
        raise TableError(f"{path}: must be a CSV or Parquet file of records ({first})") from None
