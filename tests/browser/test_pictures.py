"""The pictures of the docs can be taken again, and show something."""

from pathlib import Path

import matplotlib.image as images
import numpy as np
from playwright.sync_api import Browser

from tests.browser.pictures import HERE, take

NAMES = {"owner-asked", "owner-choose", "owner-sealed", "owner-phone"}
NAMES |= {"dashboard", "dashboard-groups", "dashboard-pair"}
FEW = 2_000  # owners
COLOURS = 20  # of a page with text, at least: letters have soft edges


def test_pictures_are_taken_and_show_something(browser: Browser, tmp_path: Path) -> None:
    take(browser, tmp_path, FEW)
    assert {path.stem for path in tmp_path.iterdir()} == NAMES
    for path in tmp_path.iterdir():
        picture = images.imread(path)
        mixed = picture.astype(np.float64) @ 256.0 ** np.arange(picture.shape[-1])
        assert len(np.unique(mixed)) > COLOURS
        kept = images.imread(HERE / path.name)
        assert abs(picture.shape[0] - kept.shape[0]) < 200, f"{path.name}: make pictures"
