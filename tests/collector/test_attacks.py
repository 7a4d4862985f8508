"""Attacks: good reports, deletions and sign-in go on beside them, and memory stays bounded."""

from collections.abc import Iterator

import pytest

from tests.collector.attacks import ATTACKS, Attack, Site, attacked, measured

MEMORY = 100  # MB by which the server may grow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with attacked(tmp_path_factory.mktemp("attacked")) as running:
        yield running


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_an_attack_stops_nobody_else(site: Site, attack: Attack) -> None:
    figures = measured(site, attack)
    print(figures)
    assert figures.grown <= MEMORY
