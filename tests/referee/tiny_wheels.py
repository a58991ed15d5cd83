"""Tiny wheels for tests, and the lines that lock them."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile


def write_wheel(folder: Path, name: str, files: Mapping[str, str | bytes], version: str = "1.0") -> str:
    """Writes a pure wheel with these files, and returns its line of requirements.txt."""
    folder.mkdir(exist_ok=True)
    info = f"{name}-{version}.dist-info"
    wheel = folder / f"{name}-{version}-py3-none-any.whl"
    described = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "",
    }
    with ZipFile(wheel, "w", ZIP_DEFLATED) as packed:
        for path, text in {**files, **described}.items():
            packed.writestr(path, text)
    return f"{name}=={version} --hash=sha256:{sha256(wheel.read_bytes()).hexdigest()}\n"
