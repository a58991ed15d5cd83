"""Tiny packages of npm for tests, and submissions that lock them."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
from base64 import b64encode
from hashlib import sha512
from pathlib import Path

import pytest

NPM = pytest.mark.skipif(not shutil.which("npm"), reason="there is no npm here: apt-get install nodejs npm")
ROOT = {"name": "ada", "dependencies": {"lucky": "^1.0.0"}, "devDependencies": {"tests": "1"}}


def write_package(folder: Path, ran: Path) -> str:
    """Writes an archive of npm whose scripts leave a file, and returns its hash."""
    folder.mkdir(exist_ok=True)
    scripts = dict.fromkeys(("preinstall", "install", "postinstall", "prepare"), f"touch {ran}")
    described = {"name": "lucky", "version": "1.0.0", "scripts": scripts, "bin": {"lucky": "index.js"}}
    with tarfile.open(folder / "lucky-1.0.0.tgz", "w:gz") as packed:
        for name, text in (("package.json", json.dumps(described)), ("index.js", "module.exports = 7")):
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(text)
            packed.addfile(member, io.BytesIO(text.encode()))
    return f"sha512-{b64encode(sha512((folder / 'lucky-1.0.0.tgz').read_bytes()).digest()).decode()}"


def locked_by_npm(folder: Path, **package: object) -> Path:
    """A submission whose lock has this package."""
    folder.mkdir()
    entry = {"version": "1.0.0", "resolved": "https://registry.example/lucky/-/lucky-1.0.0.tgz", **package}
    tests = {"version": "1.0.0", "dev": True}
    packages = {"": ROOT, "node_modules/lucky": entry, "node_modules/tests": tests}
    (folder / "package-lock.json").write_text(json.dumps({"lockfileVersion": 3, "packages": packages}))
    return folder
