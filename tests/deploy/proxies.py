"""The proxies' examples, started as they are but for ports, certificates and temporary files."""

import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.collector.serving import ANSWER_SECONDS, START_SECONDS, Reply, free_port
from tests.deploy.container import ROOT

HOSTS = ("survey.example", "town.example")
UPSTREAM = "127.0.0.1:8000"
NGINX = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ }}
http {{
    access_log {folder}/access.log;
    {temporary}
    {sites}
}}
"""
CADDY = """
{{
    admin off
    auto_https disable_redirects
    default_bind 127.0.0.1
    storage file_system {folder}/caddy
"""  # what the options of the example begin with here


class Named(HTTPSConnection):
    """A connection to a port of this machine that stands for a host."""

    def __init__(self, host: str, port: int, context: ssl.SSLContext) -> None:
        super().__init__(host, port, timeout=ANSWER_SECONDS, context=context)
        self._trusted = context

    def connect(self) -> None:
        plain = socket.create_connection(("127.0.0.1", self.port), self.timeout)
        self.sock = self._trusted.wrap_socket(plain, server_hostname=self.host)


@dataclass(frozen=True)
class Proxy:
    """A running proxy."""

    folder: Path
    port: int

    def ask(
        self,
        host: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Send one request to a host over TLS."""
        context = ssl.create_default_context(cafile=self.folder / "fullchain.pem")
        connection = Named(host, self.port, context)
        try:
            method = "GET" if body is None else "POST"
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            names = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, names, response.read())
        finally:
            connection.close()


@contextmanager
def proxy(name: str, folder: Path, upstream: int) -> Iterator[Proxy]:
    """Start a proxy in front of a server; where it is not installed the test is skipped."""
    program = shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/bin:/sbin:/bin")
    if program is None:
        pytest.skip(f"{name} is not installed")
    _certify(folder)
    port = free_port()
    site = (ROOT / "deploy" / {"nginx": "nginx.conf", "caddy": "Caddyfile"}[name]).read_text()
    sites = _replaced(site, UPSTREAM, f"127.0.0.1:{upstream}")
    command = (_nginx if name == "nginx" else _caddy)(program, sites, folder, port)
    with (folder / "log").open("wb") as log, subprocess.Popen(command, stderr=log) as process:
        try:
            _wait(process, port, folder)
            yield Proxy(folder, port)
        finally:
            process.terminate()


@contextmanager
def recorded_paths() -> Iterator[int]:
    """Serve, in a thread, what says which path it was asked for; give its port."""

    class Telling(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(self.path)))
            self.end_headers()
            self.wfile.write(self.path.encode())

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Telling) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def _certify(folder: Path) -> None:
    """Make a certificate that the two hosts sign themselves."""
    names = ",".join(f"DNS:{host}" for host in HOSTS)
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    files = ["-nodes", "-keyout", f"{folder}/privkey.pem", "-out", f"{folder}/fullchain.pem"]
    about = ["-subj", "/CN=discretion", "-addext", f"subjectAltName={names}"]
    subprocess.run([*command, *files, *about], check=True, capture_output=True)


def _nginx(program: str, sites: str, folder: Path, port: int) -> list[str]:
    sites = _replaced(sites, "listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    for host in HOSTS:
        sites = _replaced(sites, f"/etc/letsencrypt/live/{host}/", f"{folder}/")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    text = NGINX.format(folder=folder, temporary=temporary, sites=sites)
    (folder / "main.conf").write_text(text)
    return [program, "-p", str(folder), "-c", str(folder / "main.conf"), "-e", f"{folder}/log"]


def _caddy(program: str, sites: str, folder: Path, port: int) -> list[str]:
    keys = f"tls {folder}/fullchain.pem {folder}/privkey.pem"
    for host in HOSTS:
        sites = _replaced(sites, f"\n{host} {{", f"\n{host}:{port} {{\n{keys}")
    sites = _replaced(sites, "\n{\n\tlog", f"{CADDY.format(folder=folder)}\tlog")
    (folder / "Caddyfile").write_text(sites)
    return [program, "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def _replaced(text: str, old: str, new: str) -> str:
    assert old in text, f"the example has no {old!r}"
    return text.replace(old, new)


def _wait(process: "subprocess.Popen[bytes]", port: int, folder: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), START_SECONDS).close()
            return
        except OSError:
            time.sleep(0.02)
    pytest.fail(f"the proxy did not start:\n{(folder / 'log').read_text()}")
