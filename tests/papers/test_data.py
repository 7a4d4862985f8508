"""Files are found, checked and, where they are not there, fetched and rewritten."""

import gzip
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from urllib.error import URLError
from zipfile import ZipFile

import pytest

from discretion.errors import TableError
from papers.data import REPOSITORY, VARIABLE, Dataset, fetch, folder, read
from papers.pldp.printed import ABALONE, ADULT, BANK, CAR, DATASETS
from papers.pldp.study import S1

CARS = """buying,maint,doors,persons,lug_boot,safety,class
vhigh,high,2,2,small,low,unacc
low,med,5more,more,big,high,vgood
"""
TRAIN = "39, State-gov, 77516, A, 13, Divorced, B, Wife, C, D, 2174, 0, 40, E, <=50K\n\n"
TEST = "|1x3 Cross validator\n25, ?, 1, A, 7, Divorced, B, Wife, C, D, 0, 0, 40, E, >50K.\n"


def of(dataset: Dataset, text: str) -> Dataset:
    return replace(dataset, sha256=sha256(text.encode()).hexdigest())


def zipped(text: str) -> bytes:
    with BytesIO() as file:
        with ZipFile(file, "w") as archive:
            archive.writestr("bank-full.csv", text)
        return file.getvalue()


def test_labels_are_read_as_text_and_other_columns_left_out(tmp_path: Path) -> None:
    (tmp_path / "car.csv").write_text(CARS, encoding="utf-8")
    table = read(of(CAR, CARS), tmp_path)
    assert table.column_names == list(CAR.attributes)
    assert table["persons"].to_pylist() == ["2", "more"]


def test_a_packed_file_is_read_and_its_text_checked(tmp_path: Path) -> None:
    (tmp_path / "car.csv.gz").write_bytes(gzip.compress(CARS.encode()))
    assert read(of(CAR, CARS), tmp_path).num_rows == 2
    with pytest.raises(TableError, match=r"car\.csv\.gz: is not the Car of this study"):
        read(CAR, tmp_path)


def test_what_is_missing_and_what_to_do_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(TableError) as error:
        read(CAR, tmp_path)
    message = str(error.value)
    assert message.startswith(f"{tmp_path / 'car.csv'} (or .gz) is not there: ")
    assert "--data" in message
    assert "--fetch" in message
    assert "\n" not in message


def test_the_folder_is_the_stated_one_or_the_environments_or_data(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert folder(None) == Path("data")
    monkeypatch.setenv(VARIABLE, "elsewhere")
    assert folder(None) == Path("elsewhere")
    assert folder(Path("here")) == Path("here")


@pytest.mark.parametrize(
    "dataset, originals, lines",
    [
        (CAR, {"car/car.data": "a,b,2,2,s,low,unacc\n\n"}, ["a,b,2,2,s,low,unacc"]),
        (
            ABALONE,
            {"abalone/abalone.data": "M,0.455,0.365,0.095,0.514,0.2245,0.101,0.15,15\r\n"},
            ["M,0.455,0.365,0.095,0.514,0.2245,0.101,0.15,15"],
        ),
        (
            ADULT,
            {"adult/adult.data": TRAIN, "adult/adult.test": TEST},
            [
                "39,State-gov,77516,A,13,Divorced,B,Wife,C,D,2174,0,40,E,<=50K",
                "25,?,1,A,7,Divorced,B,Wife,C,D,0,0,40,E,>50K",
            ],
        ),
    ],
    ids=lambda value: value.name if isinstance(value, Dataset) else "",
)
def test_originals_are_rewritten(
    tmp_path: Path, dataset: Dataset, originals: dict[str, str], lines: list[str]
) -> None:
    def get(url: str) -> bytes:
        return originals[url.removeprefix(f"{REPOSITORY}/")].encode()

    path = fetch(dataset, tmp_path / "new", get)
    header, *body = path.read_text(encoding="utf-8").splitlines()
    assert set(dataset.attributes) <= set(header.split(","))
    assert body == lines
    assert fetch(dataset, tmp_path / "new") == path  # what is there is not fetched again


def test_bank_is_unpacked_and_its_semicolons_and_quotes_replaced(tmp_path: Path) -> None:
    original = '"age";"job";"marital";"education"\n58;"management";"married";"tertiary"\n'
    path = fetch(BANK, tmp_path, lambda _: zipped(original))
    expected = "age,job,marital,education\n58,management,married,tertiary\n"
    assert path.read_text(encoding="utf-8") == expected


def test_no_network_is_one_line(tmp_path: Path) -> None:
    def get(_: str) -> bytes:
        raise URLError("no route")

    with pytest.raises(TableError, match=r"car\.data: cannot be fetched"):
        fetch(CAR, tmp_path, get)


def test_a_data_set_without_an_original_is_missing_in_words(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"retail\.csv \(or \.gz\) is not there") as error:
        fetch(replace(CAR, file="retail.csv"), tmp_path)
    assert "--fetch" not in str(error.value)


@pytest.mark.parametrize("dataset", DATASETS.values(), ids=DATASETS)
def test_every_data_set_makes_a_plan_of_five_attributes(dataset: Dataset) -> None:
    plan = S1.plan(dataset, secret=True)
    assert tuple(plan.attributes) == dataset.attributes
    assert len(dataset.attributes) == 5
    assert plan.secret
    assert (plan.policy.menu[0], plan.policy.menu[-1]) == (1, 10_000)
