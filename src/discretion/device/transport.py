"""One exchange with a collector at its address: a bare request, and an answer within bounds.

No cookies, no referrer, no compression, no version of anything: a request reveals nothing beyond
its body and the address it comes from. Redirects are not followed. Every exchange has its own
connection.
"""

import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from threading import Event, Timer
from typing import Self
from urllib.parse import urlsplit

from discretion.errors import CollectorError, CollectorUnreachable

AGENT = "discretion"
PORTS = {"http": 80, "https": 443}
LONGEST = 1 << 24  # bytes of an answer; plans with tables are the longest
SHOWN = 200  # characters of what a collector says
NOT_MODIFIED = 304


@dataclass(frozen=True, slots=True)
class Address:
    """A collector's base address in its one spelling; ``str`` writes it."""

    scheme: str
    host: str
    port: int
    path: str  # what the collector's own paths are put behind; "" as a rule

    @classmethod
    def of(cls, text: str, *, insecure: bool = False) -> Self:
        """Read an address; what travels in the clear stays on this machine, unless ``insecure``."""
        try:
            parts = urlsplit(text)
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise CollectorError(repr(text), f"must be an address ({error})") from None
        if parts.scheme not in PORTS or not host or port == 0:
            rule = "must begin with https:// (or http://) and a host; its port cannot be 0"
            raise CollectorError(repr(text), rule)
        if parts.username is not None or parts.query or parts.fragment:
            rule = "must have no user, no query and no fragment; a token is given apart"
            raise CollectorError(f"{parts.scheme}://{host}", rule)
        whole = f"{host}{parts.path}"
        if not whole.isascii() or not whole.isprintable() or " " in whole:
            raise CollectorError(repr(text), "must be written in ASCII, without blanks")
        if parts.scheme == "http" and not insecure and not is_loopback(host):
            raise CollectorError(text, "must be https://: reports do not travel in the clear")
        return cls(parts.scheme, host, port or PORTS[parts.scheme], parts.path.rstrip("/"))

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.path}"


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its number or by the name that is kept for it."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Request:
    """What a device asks for or sends; every attempt sends the same."""

    method: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a collector answered."""

    status: int
    headers: Mapping[str, str]  # names in small letters
    body: bytes

    @property
    def kind(self) -> str:
        """The type of the content, without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


@dataclass(frozen=True, slots=True)
class Transport:
    """How to connect to one collector; ``timeout`` seconds are for a whole exchange."""

    address: Address
    timeout: float
    token: str | None = None
    context: ssl.SSLContext | None = None

    def exchange(self, request: Request) -> Reply:
        """Send one request and return its answer."""
        bare = {"User-Agent": AGENT, "Connection": "close"}  # http.client adds Host and length
        token = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        path, headers = self.address.path + request.path, {**bare, **token, **request.headers}
        connection = self._connection()
        try:
            with self._in_time(connection):
                connection.request(request.method, path, request.body, headers)
                reply = _read(connection.getresponse())
        except ssl.SSLCertVerificationError as error:
            detail = f"its certificate is not trusted ({error.verify_message})"
            raise CollectorError(str(self.address), detail) from error
        except (OSError, HTTPException, UnicodeError) as error:  # the last: no name of a host
            detail = f"no answer ({plain(str(error)) or type(error).__name__})"
            raise CollectorUnreachable(str(self.address), detail) from error
        finally:
            connection.close()
        known = reply.status == NOT_MODIFIED and "If-None-Match" in headers
        if 300 <= reply.status < 400 and not known:
            there = plain(reply.headers.get("location", "")) or "nowhere"
            rule = f"redirects to {there}, which is not followed; give the collector's own address"
            raise CollectorError(str(self.address), rule)
        return reply

    def _connection(self) -> HTTPConnection:
        host, port = self.address.host, self.address.port
        if self.address.scheme == "http":
            return HTTPConnection(host, port, timeout=self.timeout)
        context = self.context or ssl.create_default_context()
        return HTTPSConnection(host, port, timeout=self.timeout, context=context)

    @contextmanager
    def _in_time(self, connection: HTTPConnection) -> Iterator[None]:
        """Connect; cut off a collector that answers drop by drop, as a socket's timeout allows."""
        late, sockets = Event(), list[socket.socket]()

        def cut() -> None:
            late.set()
            for open_socket in sockets or [connection.sock]:
                with suppress(AttributeError, OSError):  # not open yet; closed by itself
                    socket.socket.shutdown(open_socket, socket.SHUT_RDWR)

        timer = Timer(self.timeout, cut)
        timer.daemon = True
        timer.start()
        try:
            connection.connect()
            sockets.append(connection.sock)  # which the connection forgets before the body is read
            yield
        finally:
            timer.cancel()
            if late.is_set():
                raise TimeoutError("timed out")


def plain(text: str) -> str:
    """Return what a collector said as one short line that a terminal can show."""
    shown = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return shown if len(shown) <= SHOWN else shown[: SHOWN - 3] + "..."


def _read(response: HTTPResponse) -> Reply:
    """Return a whole answer; one that breaks off or does not end is none."""
    declared = response.length
    body = response.read(LONGEST + 1)
    if len(body) > LONGEST:
        raise HTTPException("the answer is too long")
    if declared is not None and len(body) < declared:
        raise HTTPException("the answer broke off")
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Reply(response.status, headers, body)
