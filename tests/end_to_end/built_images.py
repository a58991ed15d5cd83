"""The images of docker/, built on a Debian that debootstrap makes, because a registry of images may be out of reach."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import dev

BASE = "localhost/bourre-debian:bookworm"
MIB = {"bot": 220, "database": 480, "referee": 440}
"""The images, and how large each may be on this base; in November 2026 they have 193, 431 and 402."""
OWN_SETTINGS = ("/etc/pip.conf", "/etc/xdg/pip", "/etc/ssl/certs/ca-certificates.crt")
"""Where this machine says from where pip gets packages; a build sees them, and no image keeps them."""
ULIMITS = ("--ulimit=nofile=4096:4096", "--ulimit=nproc=4096:4096")
"""Podman as root, in a container, can raise no limit above its own."""
_CLEAN = 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };\n'


def told(*words: str, **options: str) -> str:
    """What a command prints; its errors are in the test's output."""
    done = subprocess.run(words, cwd=dev.ROOT, stdout=subprocess.PIPE, text=True, check=False, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, f"{' '.join(words)}: {done.returncode}\n{done.stdout[-5000:]}"
    return str(done.stdout)


def make_base() -> None:
    """Makes the smallest Debian, which clears apt's cache as images of Debian do, unless Podman has it."""
    if subprocess.run(["podman", "image", "exists", BASE], check=False).returncode == 0:
        return
    with TemporaryDirectory() as root:
        told("debootstrap", "--variant=minbase", "--include=ca-certificates", "bookworm", root)
        Path(root, "etc/apt/apt.conf.d/docker-clean").write_text(_CLEAN)
        for leftover in ("var/cache/apt/archives", "var/lib/apt/lists"):
            shutil.rmtree(Path(root, leftover))
        archive = ["tar", "--directory", root, "--create", "--exclude=./proc/*", "--exclude=./sys/*", "."]
        with subprocess.Popen(archive, stdout=subprocess.PIPE) as packing:
            subprocess.run(["podman", "import", "-", BASE], stdin=packing.stdout, check=True)
        assert packing.returncode == 0


def build(name: str, builder: str = "podman") -> str:
    """Builds an image of docker/ with this program, and returns its name."""
    shared = [f"--volume={place}:{place}:ro" for place in OWN_SETTINGS if Path(place).exists() and name != "database"]
    file = ("--file", f"docker/{name}.Dockerfile", "--tag", f"bourre-{name}")
    layers = ("--layers",) if builder == "buildah" else ()
    told(builder, "build", "--network=host", *layers, *ULIMITS, *shared, f"--build-arg=BASE={BASE}", *file, ".")
    return f"bourre-{name}"


def size(image: str) -> int:
    """The size of an image in MiB."""
    (found,) = json.loads(told("podman", "image", "inspect", image))
    return int(found["Size"]) >> 20
