"""The PLDP paper's data sets and its Table 2, and what we promise beside it.

Each data set has five attributes, of which settings take the first ones. Bins are fifths of the
records, equal values kept together; their edges are written down here, so that the plans do not
depend on the records.
"""

from collections.abc import Mapping
from types import MappingProxyType

from papers.data import Dataset, Question


def _labels(name: str, values: str) -> Question:
    return {"name": name, "kind": "categorical", "values": values.split(), "mechanism": "oue"}


def _fifths(name: str, step: float, *edges: float) -> Question:
    return {
        "name": name,
        "kind": "numeric",
        "range": [edges[0], edges[-1]],
        "step": step,
        "bins": list(edges),
        "mechanism": "oue",
    }


def labels(dataset: Dataset, attribute: str) -> str:
    """Return the labels of an attribute, as they are written here."""
    (values,) = (q["values"] for q in dataset.questions if q["name"] == attribute)
    assert isinstance(values, list)
    return " ".join(values)


ADULT = Dataset(
    name="Adult",
    file="adult.csv",
    rows=48_842,
    sha256="6f8f2babc5ee744afd03f6d978d8d6b3e3b0aae240d931c4976a9cce7af0d347",
    questions=(
        _fifths("age", 1, 17, 26, 34, 42, 51, 90),
        _labels(
            "workclass",
            "? Federal-gov Local-gov Never-worked Private Self-emp-inc Self-emp-not-inc State-gov "
            "Without-pay",
        ),
        _labels(
            "marital-status",
            "Divorced Married-AF-spouse Married-civ-spouse Married-spouse-absent Never-married "
            "Separated Widowed",
        ),
        _labels("relationship", "Husband Not-in-family Other-relative Own-child Unmarried Wife"),
        _labels("income", "<=50K >50K"),
    ),
)
ABALONE = Dataset(
    name="Abalone",
    file="abalone.csv",
    rows=4_177,
    sha256="b36baf97dbcb1ae8d70ae95dd06794ce7878aef96cefc29cd0c8ca0fd9f8aee1",
    questions=(
        _labels("sex", "F I M"),
        _fifths("length", 0.005, 0.075, 0.43, 0.51, 0.575, 0.63, 0.815),
        _fifths("height", 0.005, 0, 0.11, 0.135, 0.155, 0.175, 1.13),
        _fifths("whole_weight", 0.0005, 0.002, 0.366, 0.6455, 0.93, 1.2395, 2.8255),
        _fifths("rings", 1, 1, 8, 9, 11, 12, 29),  # a third of the records has 9 or 10
    ),
)
BANK = Dataset(
    name="Bank",
    file="bank-full.csv",
    rows=45_211,
    sha256="b44507c26634736d4a0619ec2d7c4b6ff56a2c63cbeb5176d3134e7b25e416f0",
    questions=(
        _fifths("age", 1, 18, 32, 37, 43, 51, 95),
        _labels(
            "job",
            "admin. blue-collar entrepreneur housemaid management retired self-employed services "
            "student technician unemployed unknown",
        ),
        _labels("marital", "divorced married single"),
        _labels("education", "primary secondary tertiary unknown"),
        _labels("housing", "no yes"),
    ),
)
CAR = Dataset(
    name="Car",
    file="car.csv",
    rows=1_728,
    sha256="0023b86e0dd3502aaa0e4a610ef4d8aebbba7ff40f53fa7c2f0543c68bee5114",
    questions=(
        _labels("buying", "low med high vhigh"),
        _labels("maint", "low med high vhigh"),
        _labels("persons", "2 4 more"),
        _labels("safety", "low med high"),
        _labels("class", "unacc acc good vgood"),
    ),
)
DATASETS: Mapping[str, Dataset] = MappingProxyType(
    {dataset.name: dataset for dataset in (ADULT, ABALONE, BANK, CAR)}
)
Orders = tuple[float, ...]  # a number for each k = 1, ..., 5
TABLE2: Mapping[tuple[str, str], Orders] = {  # mean distances, two units of budget each
    ("Adult", "S#1"): (0.29, 0.28, 0.47, 0.54, 0.54),
    ("Adult", "S#2"): (0.29, 0.27, 0.43, 0.48, 0.51),
    ("Abalone", "S#1"): (0.36, 0.36, 0.42, 0.53, 0.53),
    ("Abalone", "S#2"): (0.36, 0.36, 0.39, 0.45, 0.49),
    ("Bank", "S#1"): (0.36, 0.36, 0.42, 0.48, 0.53),
    ("Bank", "S#2"): (0.36, 0.36, 0.41, 0.43, 0.45),
    ("Car", "S#1"): (0.27, 0.34, 0.40, 0.49, 0.52),
    ("Car", "S#2"): (0.27, 0.34, 0.37, 0.41, 0.47),
}
OVER_PRINTED: Mapping[str, Orders] = {  # at most, ours over the printed figure
    "Adult": (0.05, 0.25, 0.30, 0.40, 0.50),
    "Abalone": (0.12, 0.45, 0.65, 0.75, 0.88),
    "Bank": (0.05, 0.25, 0.30, 0.40, 0.50),
    "Car": (0.22, 0.36, 0.53, 0.73, 0.92),
}
OVER_INDEPENDENT = 1.03  # at most, ours over the product of the marginals of the same reports
OVER_DISCLOSED = 1.35  # at most, without over with the levels of the same reports, from pairs on
