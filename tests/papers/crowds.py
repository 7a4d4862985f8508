"""Made-up records that the plans of the data sets can read."""

import numpy as np
import pyarrow as pa

from papers.data import Dataset


def made_up(dataset: Dataset, rows: int, seed: int = 5) -> pa.Table:
    """Return records drawn from the labels and between the edges of each attribute."""
    rng = np.random.default_rng(seed)
    columns = {}
    for question in dataset.questions:
        values = question.get("values") or question["bins"]
        assert isinstance(values, list)
        columns[str(question["name"])] = pa.array(
            [values[i] for i in rng.integers(len(values), size=rows)]
        )
    return pa.table(columns)
