"""Finding, checking and fetching the files of the data sets. None is part of this repository.

A file has the form name.csv or name.csv.gz: a header, commas, no quotes. The originals at the UCI
Machine Learning Repository (all CC BY 4.0) come in other forms and are rewritten into this one.
"""

import gzip
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen
from zipfile import ZipFile

import pyarrow as pa
import pyarrow.csv as csv

from discretion.errors import TableError

VARIABLE = "DISCRETION_DATA"
REPOSITORY = "https://archive.ics.uci.edu/ml/machine-learning-databases"
SECONDS = 60  # to wait for the repository
Fetch = Callable[[str], bytes]
Question = Mapping[str, object]  # an attribute as an author of plans writes it


@dataclass(frozen=True)
class Dataset:
    """A file, and those of its columns that are used."""

    name: str
    file: str
    rows: int
    sha256: str  # of the file's text, unpacked
    questions: tuple[Question, ...]

    @property
    def attributes(self) -> tuple[str, ...]:
        return tuple(str(question["name"]) for question in self.questions)


def folder(stated: Path | None) -> Path:
    """Return where the files lie: as stated, or as the environment says, or ``data``."""
    return stated or Path(os.environ.get(VARIABLE) or "data")


def read(dataset: Dataset, place: Path) -> pa.Table:
    """Return the attributes of all records: labels as text, numbers as numbers."""
    path = _found(dataset, place)
    packed = path.read_bytes()
    text = gzip.decompress(packed) if path.suffix == ".gz" else packed
    digest = sha256(text).hexdigest()
    if digest != dataset.sha256:
        rule = f"its text must have the SHA-256 {dataset.sha256}, and has {digest}"
        raise TableError(f"{path}: is not the {dataset.name} of this study: {rule}")
    kinds = {
        str(question["name"]): pa.float64() if question["kind"] == "numeric" else pa.string()
        for question in dataset.questions
    }
    options = csv.ConvertOptions(include_columns=list(kinds), column_types=kinds)
    return csv.read_csv(BytesIO(text), convert_options=options)


def fetch(dataset: Dataset, place: Path, get: Fetch | None = None) -> Path:
    """Fetch the original if the file is not there, and write it in our form."""
    for path in _candidates(dataset, place):
        if path.exists():
            return path
    original = ORIGINALS.get(dataset.file)
    if original is None:
        return _found(dataset, place)  # which refuses: it is not there, and not at UCI
    try:
        parts = [(get or _get)(f"{REPOSITORY}/{part}") for part in original.parts]
    except (URLError, OSError) as error:
        raise TableError(f"{REPOSITORY}/{original.parts[0]}: cannot be fetched ({error})") from None
    place.mkdir(parents=True, exist_ok=True)
    path = place / dataset.file
    path.write_bytes("".join(f"{line}\n" for line in original.lines(parts)).encode())
    return path


def _candidates(dataset: Dataset, place: Path) -> tuple[Path, Path]:
    return place / dataset.file, place / f"{dataset.file}.gz"


def _found(dataset: Dataset, place: Path) -> Path:
    for path in _candidates(dataset, place):
        if path.exists():
            return path
    advice = f"name its folder with --data or {VARIABLE}"
    if dataset.file in ORIGINALS:
        advice += ", or use --fetch where there is a network"
    raise TableError(f"{place / dataset.file} (or .gz) is not there: {advice}")


def _get(url: str) -> bytes:
    with urlopen(url, timeout=SECONDS) as answer:
        return bytes(answer.read())


@dataclass(frozen=True)
class Original:
    """Where a data set is published, and how it becomes lines of our form."""

    parts: tuple[str, ...]
    lines: Callable[[Sequence[bytes]], list[str]]


def _plain(header: str) -> Callable[[Sequence[bytes]], list[str]]:
    """Return what puts a header above files that have none, and leaves blank lines out."""
    return lambda parts: [header, *(line for part in parts for line in _lines(part))]


def _adult(parts: Sequence[bytes]) -> list[str]:
    """Drop the comment, the blanks after commas, and the dots after the labels of the test file."""
    names = (
        "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,"
        "sex,capital-gain,capital-loss,hours-per-week,native-country,income"
    )
    lines = [line for part in parts for line in _lines(part) if not line.startswith("|")]
    cells = ([cell.strip() for cell in line.split(",")] for line in lines)
    return [names, *(",".join([*row[:-1], row[-1].removesuffix(".")]) for row in cells)]


def _bank(parts: Sequence[bytes]) -> list[str]:
    """Unpack the larger of two files, and write it with commas and without quotes."""
    with ZipFile(BytesIO(parts[0])) as archive:
        lines = _lines(archive.read("bank-full.csv"))
    return [line.replace('"', "").replace(";", ",") for line in lines]


def _lines(part: bytes) -> list[str]:
    return [line.strip() for line in part.decode().splitlines() if line.strip()]


ORIGINALS = {
    "adult.csv": Original(("adult/adult.data", "adult/adult.test"), _adult),
    "abalone.csv": Original(
        ("abalone/abalone.data",),
        _plain(
            "sex,length,diameter,height,whole_weight,shucked_weight,viscera_weight,shell_weight,"
            "rings"
        ),
    ),
    "bank-full.csv": Original(("00222/bank.zip",), _bank),
    "car.csv": Original(
        ("car/car.data",), _plain("buying,maint,doors,persons,lug_boot,safety,class")
    ),
}
