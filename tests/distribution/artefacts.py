"""What a release consists of: an sdist, the wheel that is built from it, and npm's tarball."""

import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "clients" / "js"


@dataclass(frozen=True, slots=True)
class Artefacts:
    """Files that could be uploaded as they are."""

    sdist: Path
    wheel: Path
    tarball: Path

    @classmethod
    def built(cls, out: Path) -> Self:
        """Build all of them into a folder."""
        out.mkdir()
        sdist, tarball = build("sdist", ROOT, out), packed(out)
        tree = unpacked(sdist, out / "unpacked")
        bundled(tree / "src" / "discretion" / "web" / "static")
        return cls(sdist, build("wheel", tree, out), tarball)


def build(target: str, source: Path, out: Path) -> Path:
    """Build an sdist or a wheel of a source tree into a folder that holds no other yet."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory"]
    subprocess.run([*command, str(out)], cwd=source, check=True, capture_output=True)
    (built,) = out.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return built


def unpacked(sdist: Path, out: Path) -> Path:
    """Unpack an sdist, and return the source tree in it."""
    with tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python before 3.11.4
        archive.extractall(out)
    (tree,) = out.iterdir()
    return tree


def bundled(static: Path) -> None:
    """Bundle the modules of the owner's page beside them, where npm has installed its tools."""
    subprocess.run(["node", str(SCRIPTS / "bin" / "pages.js"), str(static)], check=True)


def packed(out: Path) -> Path:
    """Pack the JavaScript device as npm would publish it, with its types and its bundle."""
    npm = ["npm", "--silent", "--prefix", str(SCRIPTS)]
    subprocess.run([*npm, "ci", "--no-fund", "--no-audit"], check=True)
    pack = ["npm", "pack", "--silent", "--pack-destination", str(out)]
    subprocess.run(pack, cwd=SCRIPTS, check=True, stdout=subprocess.DEVNULL)
    (tarball,) = out.glob("*.tgz")
    return tarball
