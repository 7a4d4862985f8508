"""Logs: a line of JSON for each event, and nothing stops where nobody takes them."""

import json
import sys
from collections.abc import Iterator
from io import StringIO

import pytest
import structlog

from discretion.collector.log import configure, log


@pytest.fixture(autouse=True)
def configured() -> Iterator[None]:
    configure("info")
    yield
    structlog.reset_defaults()


def test_an_event_is_a_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    log.info("started", port=8080)
    log.debug("unheard")
    (line,) = capsys.readouterr().err.splitlines()
    event = json.loads(line)
    assert (event["event"], event["port"], event["level"]) == ("started", 8080, "info")


class Broken(StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError("whoever read it has gone")


def closed() -> StringIO:
    stream = StringIO()
    stream.close()
    return stream


@pytest.mark.parametrize("stream", [closed(), Broken(), None], ids=["closed", "broken", "none"])
def test_a_log_that_nobody_takes_stops_nothing(
    stream: StringIO | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", stream)
        log.warning("store_failed", detail="the disk is full")
    log.warning("back")
    assert "back" in capsys.readouterr().err
