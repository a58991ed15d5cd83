"""Makes the three requirements*.lock from pyproject.toml: `python3 dev.py lock [--upgrade]`.

uv resolves for every platform at once, with hashes; it is fetched for this alone. The second file holds the tools that
build what is published as source only, in the versions of the first. The third adds the tools that check a release.
None names an address: files come from where your pip looks.
"""

import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent
BUILDERS = ("hatchling", "mypy", "setuptools")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]


def make_locks(arguments: list[str]) -> None:
    """Writes both locks; the arguments go to uv for the first. Raises CalledProcessError if a step fails."""
    with TemporaryDirectory() as folder:
        python, uv = f"{folder}/bin/python", f"{folder}/bin/uv"
        subprocess.run([sys.executable, "-I", "-m", "venv", folder], check=True)
        subprocess.run([python, "-I", "-m", "pip", "install", "-q", "uv"], check=True)
        form = [
            "--universal",
            "--generate-hashes",
            "--no-emit-index-url",
            "--no-header",
            "--quiet",
            "--python-version=3.11",
        ]
        resolve = [uv, "pip", "compile", *form]
        all_packages = [*resolve, *arguments, "--extra=dev", "pyproject.toml", "-o", "requirements.lock"]
        subprocess.run(all_packages, cwd=ROOT, check=True)
        for name, asked in {"build": BUILDERS, "release": [*BUILDERS, *EXTRAS["release"]]}.items():
            pinned = ["--no-annotate", "-c", "requirements.lock", "-", "-o", f"requirements-{name}.lock"]
            subprocess.run([*resolve, *pinned], cwd=ROOT, check=True, input="\n".join(asked), text=True)


if __name__ == "__main__":
    try:
        make_locks(sys.argv[1:])
    except subprocess.CalledProcessError as error:
        sys.exit(f"locking.py: the locks were not written: {error}")
