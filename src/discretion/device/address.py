"""Where a collector is: what a device accepts as its address."""

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Self
from urllib.parse import urlsplit

from discretion.errors import CollectorError

PORTS = {"http": 80, "https": 443}


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
