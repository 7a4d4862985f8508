"""The settings of a server: one table, from which the command, the checks and the docs are made."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Any

from limits import parse_many

from discretion.collector.errors import SettingError
from discretion.collector.store import ADDRESSES, is_address, shown
from discretion.collector.tokens import Role

_WATCH_ADDRESS = re.compile(r"([^\s:\[\]]+|\[[0-9a-fA-F:.]+\]):\d{1,5}")
LOG_LEVELS = ("debug", "info", "warning", "error")


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: ``--name`` of the command, ``DISCRETION_NAME`` in the environment."""

    name: str
    default: int | str | bool
    help: str
    rule: str
    holds: Callable[[Any], bool]

    @property
    def variable(self) -> str:
        return f"DISCRETION_{self.name.upper()}"

    @property
    def option(self) -> str:
        return f"--{self.name.replace('_', '-')}"


def _whole(name: str, default: int, help: str, least: int, most: int) -> Setting:
    rule = f"must be a whole number from {least:,} to {most:,}"
    return Setting(name, default, help, rule, lambda v: least <= v <= most)


def _is_rate(text: str) -> bool:
    try:
        return not text or len(parse_many(text)) == 1
    except ValueError:
        return False


def _are_origins(text: str) -> bool:
    return all(re.fullmatch(r"https?://[^/?#@\sA-Z]+", origin) for origin in _listed(text))


def _is_watch_address(text: str) -> bool:
    whole = _WATCH_ADDRESS.fullmatch(text) is not None
    return not text or (whole and _host_and_port(text)[1] <= 65535)


def _are_networks(text: str) -> bool:
    try:
        return all(ip_network(part) for part in _listed(text))
    except ValueError:
        return False


SETTINGS = (
    Setting("host", "127.0.0.1", "The address to listen on.", "must be an address", bool),
    _whole("port", 8000, "The port to listen on; 0 takes a free one.", 0, 65535),
    Setting(
        "watch",
        "",
        "Another HOST:PORT for /health, /metrics and /docs, which the first one then lacks.",
        "must be HOST:PORT",
        _is_watch_address,
    ),
    Setting(
        "proxy",
        "",
        "Proxies whose X-Forwarded-For is believed, between commas: 127.0.0.1, 10.0.0.0/8.",
        "must be addresses or networks between commas",
        _are_networks,
    ),
    Setting(
        "store",
        "sqlite:///discretion.db",
        "Where reports are kept: sqlite:///FILE or postgresql://...",
        ADDRESSES,
        is_address,
    ),
    Setting("asker", "", "Who asks, as shown to owners.", "must be text", str.isprintable),
    Setting("purpose", "", "What for, as shown to owners.", "must be text", str.isprintable),
    Setting(
        "publish_results",
        False,
        "Show the results to everybody at /results, 100 reports behind at least, never live.",
        "must be true or false",
        lambda v: isinstance(v, bool),
    ),
    Setting(
        "open",
        "upload",
        "Roles that need no token, between commas: upload, analyse, operate.",
        "must be roles between commas: upload, analyse, operate",
        lambda text: set(_listed(text)) <= set(Role),
    ),
    Setting(
        "origins",
        "",
        "Other sites whose pages may send reports, between commas: https://town.example.",
        "must be origins between commas, such as https://town.example",
        _are_origins,
    ),
    Setting(
        "once",
        False,
        "Take one report per credential and round; uploads then need a token.",
        "must be true or false",
        lambda v: isinstance(v, bool),
    ),
    Setting(
        "rate",
        "",
        "Reports that are taken from one address, such as 60/minute; any number if empty.",
        "must be a rate such as 60/minute",
        _is_rate,
    ),
    _whole("body", 1_000_000, "The most bytes of one request's body.", 1_000, 1 << 30),
    _whole("decompressed", 8_000_000, "The most bytes of a body after gzip.", 1_000, 1 << 30),
    _whole("queue", 20_000, "Reports that may wait to be kept; above it, 429.", 1, 1 << 24),
    _whole("retention", 0, "Days that a closed round's reports are kept; 0: always.", 0, 36_500),
    _whole("analysts", 1, "Processes that work out estimates.", 1, 64),
    _whole("patience", 300, "Seconds that an estimate may take.", 1, 86_400),
    Setting(
        "log",
        "info",
        f"What is logged: {', '.join(LOG_LEVELS)}.",
        f"must be one of {', '.join(LOG_LEVELS)}",
        lambda v: v in LOG_LEVELS,
    ),
)


@dataclass(frozen=True)
class Settings:
    """Checked values of all settings."""

    values: Mapping[str, Any]

    @classmethod
    def of(cls, **given: Any) -> "Settings":
        """Check what is given; the rest has its default."""
        unknown = given.keys() - {setting.name for setting in SETTINGS}
        if unknown:
            raise SettingError(min(unknown), "must be one of the settings", min(unknown))
        values = {s.name: given.get(s.name, s.default) for s in SETTINGS}
        for setting in SETTINGS:
            value = values[setting.name]
            if type(value) is not type(setting.default) or not setting.holds(value):
                secret = setting.name == "store" and isinstance(value, str)
                safe = shown(value) if secret else value
                raise SettingError(setting.name, setting.rule, safe)
        if values["port"] and values["watch"].endswith(f":{values['port']}"):
            raise SettingError("watch", "must have another port than port", values["watch"])
        if values["once"] and Role.UPLOAD in _listed(values["open"]):
            values["open"] = ",".join(r for r in _listed(values["open"]) if r != Role.UPLOAD)
        return cls(values)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def addresses(self) -> list[tuple[str, int]]:
        """Where to listen: for everybody, and for who watches if that is elsewhere."""
        first = self.values["host"], self.values["port"]
        return [first, _host_and_port(self.values["watch"])] if self.values["watch"] else [first]

    @property
    def proxies(self) -> list[str]:
        return _listed(self.values["proxy"])

    @property
    def other_sites(self) -> list[str]:
        return _listed(self.values["origins"])

    @property
    def open_roles(self) -> frozenset[Role]:
        return frozenset(map(Role, _listed(self.values["open"])))


def _host_and_port(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
