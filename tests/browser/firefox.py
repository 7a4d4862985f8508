"""A real Firefox, driven by WebDriver BiDi, which it speaks itself: JSON over a web socket."""

import json
import secrets
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any

NAMES = ("firefox-esr", "firefox")
OPTIONS = ["--headless", "--no-remote", "--remote-debugging-port", "0"]
PATIENCE = 180.0  # seconds: two cores, and others at work
ADDRESS = "WebDriverBiDiServer.json"  # a file that it writes into its profile
SETTINGS = {  # all but this machine is behind a proxy that is not there
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "127.0.0.1",
    "network.proxy.allow_hijacking_localhost": False,
    "network.trr.mode": 5,
}
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Space": " "}
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10  # of frames


def firefox() -> str | None:
    """Return where the system's Firefox is."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Socket:
    """A web socket (RFC 6455) that sends and receives texts."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._from = self._socket.makefile("rb")
        self._socket.sendall(
            f"GET /session HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert b" 101 " in self._from.readline()
        while self._from.readline().strip():
            pass

    def send(self, text: str, kind: int = TEXT) -> None:
        body, mask = text.encode(), secrets.token_bytes(4)
        size, more = (len(body), b"") if len(body) < 126 else (126, len(body).to_bytes(2))
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(body))
        self._socket.sendall(bytes([0x80 | kind, 0x80 | size]) + more + mask + masked)

    def receive(self) -> str:
        text, last = b"", False
        while not last:
            first, size = self._from.read(2)
            last, kind = bool(first & 0x80), first & 0x0F
            if size > 125:
                size = int.from_bytes(self._from.read(2 if size == 126 else 8))
            body = self._from.read(size)
            assert kind != CLOSE, "Firefox closed the connection"
            if kind == PING:
                self.send(body.decode(), PONG)
                last = False
            else:
                text += body
        return text.decode()

    def close(self) -> None:
        self._from.close()
        self._socket.close()


class Firefox:
    """One tab of a browser that nobody has used."""

    def __init__(self, connection: Socket) -> None:
        self._socket, self._ids = connection, count()
        self.ask("session.new", capabilities={})
        # the first tab leaves the focus to the address, where Enter presses no button
        self._tab = self.ask("browsingContext.create", type="tab")["context"]

    def ask(self, method: str, **params: Any) -> Any:
        """Return the answer to a command."""
        asked = next(self._ids)
        self._socket.send(json.dumps({"id": asked, "method": method, "params": params}))
        while (answer := json.loads(self._socket.receive())).get("id") != asked:
            pass  # an event
        assert answer["type"] == "success", answer
        return answer["result"]

    def resize(self, width: int, height: int) -> None:
        viewport = {"width": width, "height": height}
        self.ask("browsingContext.setViewport", context=self._tab, viewport=viewport)

    def goto(self, address: str) -> None:
        self.ask("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def reload(self) -> None:
        self.ask("browsingContext.reload", context=self._tab, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """Return what an expression gives, if need be later."""
        target = {"context": self._tab}
        said = self.ask(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression}) ?? null))()",
            target=target,
            awaitPromise=True,
        )
        assert said["type"] == "success", said
        return json.loads(said["result"]["value"])

    def press(self, key: str) -> None:
        """Press a key by its name."""
        self.type(KEYS[key])

    def type(self, text: str) -> None:
        """Press the keys of a text, one after the other."""
        pairs = [{"type": t, "value": key} for key in text for t in ("keyDown", "keyUp")]
        source = {"type": "key", "id": "keyboard", "actions": pairs}
        self.ask("input.performActions", context=self._tab, actions=[source])


@contextmanager
def running() -> Iterator[Firefox]:
    """Start one, on a profile of its own."""
    found = firefox()
    assert found
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        profile = Path(folder)
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in SETTINGS.items()]
        (profile / "user.js").write_text("\n".join(lines))
        command = [found, *OPTIONS, "--profile", folder]
        with Popen(command, stdout=DEVNULL, stderr=DEVNULL) as process:
            try:
                connection = Socket(_port(profile / ADDRESS))
                yield Firefox(connection)
                connection.close()
            finally:
                process.terminate()


def _port(said: Path) -> int:
    """Wait until Firefox says where it listens."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if said.exists() and (text := said.read_text()):
            return int(json.loads(text)["ws_port"])
        time.sleep(0.05)
    raise TimeoutError(f"no {said.name}")
