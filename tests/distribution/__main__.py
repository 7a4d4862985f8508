"""``make dist``: build a release into dist/, install it elsewhere, weigh it, and use it there."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from discretion.extras import COLLECTOR
from tests.distribution import trials
from tests.distribution.artefacts import ROOT, Artefacts
from tests.distribution.environment import Environment

LIGHT = 10  # megabytes that a device may weigh
SERVER = {name.replace("_", "-") for name in COLLECTOR} - {"pydantic"}  # typer needs it too


@dataclass(frozen=True, slots=True)
class Group:
    """One way to install the package, and for whom."""

    name: str
    command: str
    extra: str = ""
    options: tuple[str, ...] = ()


GROUPS = (
    Group(
        "device",
        "pip install --no-deps --no-compile discretion",
        options=("--no-deps", "--no-compile"),
    ),
    Group("analyst", "pip install discretion"),
    Group("collector", "pip install 'discretion[collector]'", "collector"),
    Group("all", "pip install 'discretion[all]'", "all"),
)


def main() -> None:
    """Build, install, weigh and try; an assertion that fails names what is wrong."""
    out = ROOT / "dist"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    with TemporaryDirectory(prefix="discretion-dist-") as name:
        folder = Path(name)
        print("Building ...", flush=True)
        made = Artefacts.built(folder / "built")
        installed = {}
        for group in GROUPS:
            print(f"Installing for {group.name}: {group.command} ...", flush=True)
            place = folder / group.name / "environment"
            installed[group.name] = Environment.made(
                place, made.wheel, *group.options, extra=group.extra
            )
        table(installed)
        tried(installed, made.tarball, folder)
        for artefact in (made.sdist, made.wheel, made.tarball):
            shutil.copy(artefact, out)
            print(f"dist/{artefact.name}: {artefact.stat().st_size / 1e6:.1f} MB")


def table(installed: dict[str, Environment]) -> None:
    """Print what each group weighs; refuse a heavy device, and an analyst with a server."""
    print(f"\n{'group':10} {'packages':>8} {'MB':>6}  command")
    for group in GROUPS:
        environment = installed[group.name]
        packages, size = environment.third_party, environment.megabytes
        print(f"{group.name:10} {len(packages):8} {size:6.1f}  {group.command}", flush=True)
        if group.name == "device":
            assert not packages, f"a device must need no package, got {packages}"
            assert size < LIGHT, f"a device must weigh less than {LIGHT} MB, got {size:.1f}"
        if group.name == "analyst":
            strange = SERVER & {name.lower().replace("_", "-") for name in packages}
            assert not strange, f"an analyst must need no server, got {sorted(strange)}"
    print()


def tried(installed: dict[str, Environment], tarball: Path, folder: Path) -> None:
    """Use every installation as its owner would."""
    plan = folder / "plan.json"
    trials.write_plan(installed["device"], plan)
    trials.demo(installed["analyst"])
    print("The demo runs without any extra.", flush=True)
    with trials.collector(installed["collector"], plan) as url:
        trials.python_device(installed["device"], url, plan)
        print("A device without any package sent its report to a collector.")
        trials.javascript_device(tarball, folder / "npm", url)
        print("A device from npm's tarball sent its report.")
        print(f"The owner's page and its {trials.owners_page(url)} files are served.")
        seen = trials.loaded_page(url)
        print("Chromium runs the page." if seen else "There is no Chromium to load the page.")


if __name__ == "__main__":
    main()
