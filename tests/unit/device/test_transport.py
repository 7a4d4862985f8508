"""Where a device sends to, and where it does not."""

import pytest

from discretion.device import State, UploadClient
from discretion.errors import CollectorError, CollectorUnreachable
from tests.scripted import (
    Collector,
    Time,
)


@pytest.mark.parametrize(
    "written, meant",
    [
        ("https://Collector.Example", "https://collector.example"),
        ("https://collector.example:443/", "https://collector.example"),
        ("https://collector.example:8443/survey//", "https://collector.example:8443/survey"),
        ("http://localhost:80", "http://localhost"),
        ("http://127.0.0.2:8000", "http://127.0.0.2:8000"),
        ("http://[::1]:8000/", "http://[::1]:8000"),
    ],
)
def test_an_address_has_one_spelling(state: State, written: str, meant: str) -> None:
    assert UploadClient(written, state).address == meant


@pytest.mark.parametrize(
    "address, rule",
    [
        ("http://collector.example", "must be https://: reports do not travel in the clear"),
        ("http://192.168.1.2:8000", "must be https"),
        ("http://127.0.0.1.example", "must be https"),
        ("http://localhost.example", "must be https"),
        ("collector.example", "must begin with https://"),
        ("ftp://127.0.0.1", "must begin with https://"),
        ("http://", "must begin with https://"),
        ("http://127.0.0.1:x", "must be an address"),
        ("http://127.0.0.1:0", "its port cannot be 0"),
        ("http://[::1", "must be an address"),
        ("https://me:secret@collector.example", "must have no user"),
        ("https://collector.example/?a=b", "no query"),
        ("https://collector.example/#a", "no fragment"),
        ("https://collector.example/a b", "without blanks"),
        ("https://collectör.example", "ASCII"),
    ],
)
def test_an_address_that_a_device_does_not_talk_to(state: State, address: str, rule: str) -> None:
    with pytest.raises(CollectorError, match=rule) as refused:
        UploadClient(address, state)
    assert "secret" not in str(refused.value)


def test_a_caller_may_insist_on_a_network_without_encryption(state: State) -> None:
    assert UploadClient("http://10.0.0.1", state, insecure=True).address == "http://10.0.0.1"


def test_a_host_that_cannot_be_is_not_reached(state: State, time: Time) -> None:
    client = UploadClient(f"https://{'a' * 70}.example", state, retry=time.retry_policy(tries=1))
    with pytest.raises(CollectorUnreachable):
        client.plan()


def test_a_collectors_paths_are_put_behind_its_own(collector: Collector, state: State) -> None:
    with pytest.raises(CollectorError, match="has no plan"):
        UploadClient(f"{collector.url}/survey/", state).plan()
    assert collector.got[0].path == "/survey/v1/plan"
