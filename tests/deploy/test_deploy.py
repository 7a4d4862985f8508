"""What is deployed: the unit, the image and the proxies name what there is, and work together."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode, urljoin, urlsplit

import pytest

from discretion import __version__
from discretion.cli.main import COMMANDS
from discretion.collector.settings import SETTINGS
from discretion.collector.tokens import Role
from tests.collector.crowds import eventually, token_of
from tests.collector.serving import free_port, people, sealed
from tests.deploy.container import FILE, PROGRAM, ROOT, Contained, environment, only, steps
from tests.deploy.proxies import Proxy, proxy, recorded_paths
from tests.unit.web.dashboards import read

PLAN = people()
UNIT = ROOT / "deploy" / "discretion.service"
VARIABLES = {setting.variable for setting in SETTINGS} | {"NUMBA_CACHE_DIR"}
WAYS = [("survey.example", ""), ("town.example", "/survey")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contained]:
    with Contained(tmp_path_factory.mktemp("contained"), PLAN) as running:
        yield running


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def front(
    request: pytest.FixtureRequest, server: Contained, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Proxy]:
    folder = tmp_path_factory.mktemp(request.param)
    with proxy(request.param, folder, server.port) as running:
        yield running


# The unit


def test_systemd_finds_no_fault_in_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    text = UNIT.read_text()
    assert PROGRAM in text
    there = str(Path(sys.executable).with_name("discretion"))
    (tmp_path / UNIT.name).write_text(text.replace(PROGRAM, there))
    verify = ["systemd-analyze", "verify", str(tmp_path / UNIT.name)]
    done = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_sets_what_there_is() -> None:
    text = UNIT.read_text()
    named = re.findall(r"^Environment=(\w+)=", text, re.MULTILINE)
    assert named
    assert {*named} <= VARIABLES
    assert f"ExecStart={PROGRAM} serve /etc/discretion/plan.yaml\n" in text


# The image


def test_the_image_is_of_the_wheel_and_of_what_it_needs() -> None:
    first, second = steps("COPY")
    assert (ROOT / first.words[0]).exists()
    assert Path(f"dist/discretion-{__version__}-py3-none-any.whl").match(first.words[1])
    source, folder, _ = second.words
    assert (source, folder) == ("--from=build", "/opt/discretion")
    install = next(step for step in steps("RUN") if "pip install" in step.text)
    (extras,) = re.findall(r"\[([\w,]+)\]", install.text)
    metadata = (ROOT / "pyproject.toml").read_text()
    assert all(f"\n{extra} = [" in metadata for extra in extras.split(","))
    asked = [sys.executable, "-m", "pip", "install", "--help"]
    known = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert all(option in known for option in re.findall(r"--[\w-]+", install.text))


def test_every_step_of_the_image_is_a_command_that_a_shell_reads() -> None:
    for step in steps("RUN"):
        subprocess.run(["sh", "-n", "-c", step.text], check=True)
    program, *_ = only("ENTRYPOINT").words
    name, plan = only("CMD").words
    assert program == PROGRAM
    assert name in COMMANDS
    assert plan in FILE.read_text().partition("FROM")[0], "as it is mounted"
    assert {*environment()} <= VARIABLES | {"PYTHONDONTWRITEBYTECODE"}


def test_the_image_writes_to_its_volumes_alone_as_a_user_of_no_rights(tmp_path: Path) -> None:
    user = only("USER").text
    assert re.fullmatch(r"([1-9]\d*):\1", user)
    volumes, made = only("VOLUME").words, steps("RUN")[-1].words
    assert made[-2:] == volumes
    assert [made[made.index(o) + 1] for o in ("-o", "-g")] == user.split(":")
    here = [str(tmp_path / folder[1:]) for folder in volumes]
    as_myself = made[: made.index("-o")]
    subprocess.run([*as_myself, *here], check=True)
    assert {Path(folder).stat().st_mode & 0o777 for folder in here} == {0o700}
    written = [environment()["DISCRETION_STORE"].removeprefix("sqlite:///")]
    written += [environment()["NUMBA_CACHE_DIR"], only("WORKDIR").text]
    assert all(any(path.startswith(volume) for volume in volumes) for path in written)


def test_what_the_image_starts_runs_with_a_read_only_root(server: Contained) -> None:
    assert server.upload(sealed(PLAN, 1).body).status == 201
    assert Path(server.store.removeprefix("sqlite:///")).parent.name == "discretion"
    if not server.prefix:
        pytest.skip("no file system can be made read-only here")
    mounts = Path(f"/proc/{server.process.pid}/mountinfo").read_text().splitlines()
    (options,) = (line.split()[5] for line in mounts if line.split()[4] == "/")
    assert "ro" in options.split(",")


# The proxies


@pytest.mark.parametrize("host, prefix", WAYS)
def test_a_device_reports_and_withdraws_through_a_proxy(
    front: Proxy, host: str, prefix: str
) -> None:
    assert front.ask(host, f"{prefix}/v1/plan").body == PLAN.to_bytes()
    own = sealed(PLAN, 2)
    typed = {"Content-Type": "application/json"}
    sent = [front.ask(host, f"{prefix}/v1/reports", own.body, typed).status for _ in range(2)]
    assert sent == [201, 200]
    shown = json.dumps({"receipt": own.receipt.hex()}).encode()
    assert front.ask(host, f"{prefix}/v1/deletions", shown, typed).json() == {"outcome": "deleted"}
    assert front.ask(host, f"{prefix}/v1/reports", own.body, typed).status == 410


@pytest.mark.parametrize("host, prefix", WAYS)
def test_pages_work_through_a_proxy(
    front: Proxy, server: Contained, host: str, prefix: str
) -> None:
    secret = token_of(server, f"{host} {front.port}", Role.ANALYSE)
    assert front.ask(host, f"{prefix}/dashboard").status == 401
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    sign_in = f"{prefix}/dashboard/session"
    answer = front.ask(host, sign_in, urlencode({"token": secret}).encode(), form)
    assert answer.status == 303
    assert "; Secure" in answer.headers["set-cookie"], "the collector knows that this is https"
    place = urljoin(sign_in, answer.headers["location"])
    assert place == f"{prefix}/dashboard"
    signed = {"Cookie": answer.headers["set-cookie"].partition(";")[0]}
    for path in (place, f"{prefix}/"):
        page = front.ask(host, path, headers=signed)
        assert page.status == 200
        named = [a.get("href") or a.get("src") or "" for _, a in read(page.body.decode()).elements]
        assets = {urljoin(path, name) for name in named if "static/" in name}
        assert assets
        assert {front.ask(host, asset).status for asset in assets} == {200}


@pytest.mark.parametrize("host, prefix", WAYS)
@pytest.mark.parametrize("path", ["/metrics", "/health", "/docs", "/openapi.json"])
def test_what_is_for_operators_stays_inside(
    front: Proxy, host: str, prefix: str, path: str
) -> None:
    assert front.ask(host, f"{prefix}{path}").status == 404


def test_a_path_without_its_slash_leads_to_the_page(front: Proxy) -> None:
    answer = front.ask("town.example", "/survey")
    assert answer.status == 308
    assert urljoin("https://town.example/survey", answer.headers["location"]).endswith("/survey/")
    assert front.ask("town.example", "/v1/plan").status == 404


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def surveys(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Proxy]:
    """A proxy in front of what only says which path it was asked for."""
    with recorded_paths() as port:
        folder = tmp_path_factory.mktemp(f"surveys-{request.param}")
        with proxy(request.param, folder, port) as running:
            yield running


@pytest.mark.parametrize("host, prefix", WAYS)
def test_paths_of_several_surveys_pass(surveys: Proxy, host: str, prefix: str) -> None:
    inner = ("", "v1/plan", "v1/reports", "v1/rounds/0/close", "dashboard/session", "static/a.js")
    for path in ("/", "/static/page.css", *(f"/travel-2/{path}" for path in inner)):
        reply = surveys.ask(host, f"{prefix}{path}")
        assert (reply.status, reply.body.decode()) == (200, path)
    reply = surveys.ask(host, f"{prefix}/travel-2")
    assert reply.status == 308
    place = urljoin(f"https://{host}{prefix}/travel-2", reply.headers["location"])
    assert urlsplit(place).path == f"{prefix}/travel-2/"
    for path in ("docs", "openapi.json", "docs/start.js", "metrics"):
        assert surveys.ask(host, f"{prefix}/travel-2/{path}").status == 404
    for path in ("docs", "openapi.json", "metrics", "health"):
        assert surveys.ask(host, f"{prefix}/{path}").status == 404
    logged = "".join(path.read_text() for path in surveys.folder.glob("*log"))
    assert "v1/reports" not in logged


def test_a_body_that_is_too_large_is_refused(front: Proxy) -> None:
    typed = {"Content-Type": "application/jsonl"}
    assert front.ask("survey.example", "/v1/reports", bytes(1_100_000), typed).status == 413


@pytest.mark.parametrize("name", ["nginx", "caddy"])
def test_who_reports_while_the_collector_is_down_is_not_logged(name: str, tmp_path: Path) -> None:
    with proxy(name, tmp_path, free_port()) as front:
        assert front.ask("survey.example", "/v1/reports", b"{}").status == 502
    assert "/v1/reports" not in "".join(path.read_text() for path in tmp_path.glob("*log"))


def test_no_log_says_who_reports(front: Proxy) -> None:
    front.ask("survey.example", "/v1/counters")
    access = front.folder / "access.log"  # of nginx, which writes it after it has answered
    assert not access.exists() or eventually(lambda: "/v1/counters" in access.read_text())
    text = "".join(path.read_text() for path in front.folder.glob("*log"))
    assert "/v1/reports" not in text
    assert "/v1/deletions" not in text
