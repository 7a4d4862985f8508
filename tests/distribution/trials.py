"""What is tried with installed packages: the demo, devices, a collector, the owner's page."""

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import urlopen

from playwright.sync_api import expect, sync_playwright

from tests.browser.conftest import OPTIONS, PATIENCE, chromium
from tests.distribution.environment import Environment, surroundings

PLAN = {
    "name": "commuters",
    "attributes": [{"name": "travel", "kind": "categorical", "values": ["car", "bus", "bike"]}],
    "budget": {"average": 2, "least": 0.25, "most": 6},
}
WRITE_PLAN = "import discretion as ds, sys; print(ds.Plan.of({plan!r}).to_bytes().decode(), end='')"
DEVICE = """
import discretion as ds, sys
url, plan = sys.argv[1], ds.Plan.load(sys.argv[2])
with ds.State("device.sqlite") as state:
    client = ds.UploadClient(url, state, accept=plan)
    device = ds.Device(client.plan(), state)
    device.report({"travel": "bike"}, ds.Budget.of(plan, {"travel": 1}))
    print(*[delivery.outcome for delivery in client.deliver()])
"""
SCRIPT = """
import { budgetOf, report } from "discretion";
import { uploadClient } from "discretion/upload";
import { memory } from "discretion/memory";
const store = memory();
const collector = uploadClient(process.argv[2], store);
const plan = await collector.plan();
await report(plan, store, { travel: "bike" }, budgetOf(plan, { travel: 1 }));
console.log(...(await collector.deliver()).map((delivery) => delivery.outcome));
"""
IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""")
COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)  # a bundle says in some what it imported


def write_plan(device: Environment, path: Path) -> None:
    """Write the canonical bytes of a plan, made where nothing but Python is installed."""
    code = WRITE_PLAN.format(plan=PLAN)
    path.write_text(device.run(device.python, "-c", code).stdout)


def demo(analyst: Environment) -> None:
    """Run the whole story, and see that both of its pages are there."""
    page = analyst.folder.with_name("demo.html")
    analyst.run(analyst.command, "demo", "--seed", 7, "--page", page)
    for written in (page, page.with_name("demo-quality.html")):
        assert "</html>" in written.read_text(encoding="utf-8"), written


@contextmanager
def collector(server: Environment, plan: Path) -> Iterator[str]:
    """Serve a plan from an installation, and yield its address."""
    store = f"sqlite:///{server.folder.with_name('reports.db')}"
    command = [str(server.command), "serve", str(plan), "--port", "0", "--store", store]
    with subprocess.Popen(
        command,
        cwd=server.folder.parent,
        env=surroundings(server.folder.parent),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield f"http://127.0.0.1:{_port(process)}"
        finally:
            process.terminate()
            process.communicate()


def _port(process: "subprocess.Popen[str]") -> int:
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if '"listening"' in line:
            return int(json.loads(line)["port"])
    raise AssertionError(f"the collector did not start: {''.join(said)}")


def sent(device: Environment, url: str, plan: Path) -> None:
    """Seal a report, and send it."""
    done = device.run(device.python, "-c", DEVICE, url, plan)
    assert done.stdout == "accepted\n", done.stdout


def python_device(device: Environment, url: str, plan: Path) -> None:
    """Send a report from where nothing but Python is installed, and see what the command says."""
    sent(device, url, plan)
    refused = device.run(device.command, "send", url, "travel=bike", check=False)
    assert refused.returncode == 1
    (line,) = refused.stderr.splitlines()
    assert line.endswith("pip install discretion"), line


def javascript_device(tarball: Path, folder: Path, url: str) -> None:
    """Install npm's tarball in an empty folder, and send a report from there."""
    folder.mkdir()
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    (folder / "send.js").write_text(SCRIPT)
    npm = ["npm", "install", "--silent", "--no-fund", "--no-audit", "--offline", str(tarball)]
    subprocess.run(npm, cwd=folder, check=True)
    assert (folder / "node_modules" / "discretion" / "LICENSE").is_file()
    sent = subprocess.run(
        ["node", "send.js", url], cwd=folder, check=True, text=True, stdout=subprocess.PIPE
    )
    assert sent.stdout == "accepted\n", sent.stdout


class Links(HTMLParser):
    """The scripts, styles and pictures that a page names."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name = {"script": "src", "link": "href", "img": "src"}.get(tag)
        self.found += [value for key, value in attrs if key == name and value]


def owners_page(url: str) -> int:
    """Fetch the owner's page and every module that it imports; return how many files that are."""
    links = Links()
    with urlopen(f"{url}/") as page:
        links.feed(page.read().decode())
    left, seen = [urljoin(f"{url}/", each) for each in links.found], set[str]()
    while left:
        if (address := left.pop()) in seen:
            continue
        seen.add(address)
        with urlopen(address) as file:  # raises where the file is missing
            text = file.read().decode()
        if address.endswith(".js"):
            left += [urljoin(address, each) for each in IMPORT.findall(COMMENT.sub("", text))]
    return len(seen)


def loaded_page(url: str) -> bool:
    """Load the owner's page in Chromium, where there is one, and see that its script ran."""
    found = chromium()
    if found is None:
        return False
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=OPTIONS)
        page, wrong = browser.new_page(), list[str]()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(url)
        button = page.get_by_role("button", name="Choose what to share", exact=True)
        expect(button).to_be_visible(timeout=PATIENCE)
        browser.close()
        assert not wrong, wrong
    return True
