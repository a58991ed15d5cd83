"""The wheel contains what `bourre new` needs, and no package of Node.js."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

import dev
from bourre_referee.starters.starter import LANGUAGES, make

WHEEL = tomllib.loads((dev.ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that a wheel of this tree installs."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=dev.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    with ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_installed_bourre_makes_the_same_folder(installed: Path, tmp_path: Path, lang: str) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1))\n"
        "import bourre_referee; assert bourre_referee.__file__.startswith(sys.path[0])\n"
        "from bourre_referee.cli import main; main()"
    )
    words = [str(installed), "new", "mybot", "--lang", lang]
    done = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    make(tmp_path / "here" / "mybot", LANGUAGES[lang])
    assert files_in(tmp_path / "mybot") == files_in(tmp_path / "here" / "mybot")


def test_its_examples_can_be_imported(installed: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from bourre_referee.examples import tight\n"
        "from bourre.practice import practice\n"
        "print(tight.__file__, [row.bot for row in practice([tight.Tight, 'loose'], deals=2).bots])"
    )
    command = [sys.executable, "-c", code, str(installed)]
    done = subprocess.run(command, cwd=installed.parent, capture_output=True, text=True, check=False)
    assert done.stdout == f"{installed}/bourre_referee/examples/tight.py ['Tight', 'loose']\n", done.stderr


def test_no_package_of_node_is_in_it(installed: Path) -> None:
    assert [name for name in files_in(installed) if "node_modules" in name] == []
    assert (installed / "bourre_referee/examples/node/bot.js").is_file()


@pytest.mark.parametrize("folder", sorted({path.partition("/")[0] for path in WHEEL["only-include"]}))
def test_where_the_wheel_is_built_elsewhere_all_of_it_is_there(folder: str) -> None:
    """Files missing in the image or the kit are left out of their wheel without an error."""
    assert f"\nCOPY {folder} {folder}\n" in (dev.ROOT / "docker/referee.Dockerfile").read_text()
    assert f"\n!{folder}\n" in (dev.ROOT / ".dockerignore").read_text()
    assert f" {folder} " in (dev.ROOT / "docker/gradescope/pack.sh").read_text().partition("--prefix")[2]
