"""An image of the Python that runs the tests, with gRPC and the SDK: built in seconds, without a network."""

from __future__ import annotations

import re
import secrets
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import google.protobuf
import grpc
import typing_extensions

import bourre
from bourre_referee.model.spec import Isolation, Level
from bourre_referee.sandbox.container.container_engine import engines
from bourre_referee.sandbox.levels import unavailable_reason

SITE = "opt/site"
PYTHON = Path(sys.base_prefix, "bin", f"python{sys.version_info.major}.{sys.version_info.minor}")
LIBRARY = Path(sysconfig.get_path("stdlib", vars={"installed_base": sys.base_prefix}))
PACKAGES = {
    "grpc": Path(grpc.__file__).parent,
    "google/protobuf": Path(google.protobuf.__file__).parent,
    "google/_upb": Path(google.protobuf.__file__).parents[1] / "_upb",
    **{name: Path(bourre.__file__).parents[1] / name for name in ("bourre", "bourre_lab", "bourre_seats")},
    "typing_extensions.py": Path(typing_extensions.__file__),
}
UNUSED = (".a", ".opt-1.pyc", ".opt-2.pyc")
"""Ends of files that no bot needs: a quarter of the library."""
LEFT_OUT = {"site-packages", "dist-packages", "test", "tests", "idlelib", "ensurepip", "tkinter"}
CHANGES = ("ENV PATH=/opt/bin:/usr/bin:/bin", f"ENV PYTHONPATH=/{SITE}")


@contextmanager
def imported_image() -> Iterator[tuple[Isolation, str | None]]:
    """Level `container` with the image in every engine that works here, and why none can run it as asked."""
    name = f"bourre-test-{secrets.token_hex(4)}"
    isolation = Isolation(Level.CONTAINER, image=name)
    here = [engine.path for engine in engines() if asked(engine.path, "info").returncode == 0]
    for path in here:
        import_image(path, name)
    try:
        yield isolation, unavailable_reason(isolation, []) if here else "no engine works here"
    finally:
        for path in here:
            removed = asked(path, "rmi", "--force", name)
            assert removed.returncode == 0, removed.stderr


def asked(*words: str) -> subprocess.CompletedProcess[str]:
    """Has an engine do something."""
    return subprocess.run(words, capture_output=True, text=True, check=False)


def import_image(engine: str, name: str) -> None:
    """Imports the image into an engine under this name."""
    changes = [word for change in CHANGES for word in ("--change", change)]
    with subprocess.Popen([engine, "import", *changes, "-", name], stdin=subprocess.PIPE) as importing:
        assert importing.stdin is not None
        write_image(importing.stdin)
    assert importing.returncode == 0


def write_image(to: IO[bytes]) -> None:
    """Writes the whole file system as one archive, in which everything is readable by everyone."""
    with tarfile.open(fileobj=to, mode="w|", dereference=True) as archive:
        add(archive, PYTHON, "opt/bin/python3")
        add(archive, PYTHON, str(PYTHON))
        add(archive, LIBRARY, str(LIBRARY))
        for place, package in PACKAGES.items():
            add(archive, package, f"{SITE}/{place}")
        for library in sorted(libraries()):
            add(archive, Path(library), library)


def add(archive: tarfile.TarFile, source: Path, place: str) -> None:
    """Adds a file or folder, whoever owns it here."""
    archive.add(source, place.lstrip("/"), filter=opened)


def opened(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Makes it readable by everyone; returns None for what no bot needs."""
    path = Path(member.name)
    if member.name.endswith(UNUSED) or LEFT_OUT & set(
        path.parts[path.parts.index("lib") :] if "lib" in path.parts else path.parts[-1:]
    ):
        return None
    member.uid = member.gid = 0
    member.mode = 0o755
    return member


def libraries() -> set[str]:
    """The shared libraries that these files need, including the loader."""
    needing = [PYTHON, *(file for folder in (LIBRARY, *PACKAGES.values()) for file in extensions(folder))]
    listed = subprocess.run(["ldd", *needing], capture_output=True, text=True, check=False).stdout
    return set(re.findall(r"(/\S+) \(0x", listed))


def extensions(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*.so") if not LEFT_OUT & {*file.relative_to(folder).parts})
