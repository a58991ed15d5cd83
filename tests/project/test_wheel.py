"""The wheel contains what `bourre new` needs, and no package of Node.js."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hatchling.build import get_requires_for_build_wheel

import dev
from bourre_referee.diagnostics.attacks.attack_room import names
from bourre_referee.starters.starter import LANGUAGES, make
from hatch_build import compile_modules
from tests.project.wheel_build import build_wheel, try_wheel, unpack

WHEEL = tomllib.loads((dev.ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that a plain wheel of this tree installs."""
    return unpack(build_wheel(tmp_path_factory.mktemp("wheel"), BOURRE_COMPILE="no"))


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


def test_the_hostile_bots_are_in_it(installed: Path) -> None:
    folder = installed / "bourre_referee/diagnostics/attacks/bots"
    assert sorted(path.parent.name for path in folder.glob("*/verdict.toml")) == sorted(names())
    assert len(list(folder.glob("*/bot.py"))) == len(names())


def test_without_a_compiler_it_is_plain_and_the_build_says_so(tmp_path: Path) -> None:
    built = try_wheel(tmp_path, CC="/no/such/gcc", BOURRE_COMPILE="auto")
    assert [wheel.name.split("-", 2)[2] for wheel in tmp_path.iterdir()] == ["py3-none-any.whl"], built.stdout
    (line,) = re.findall("This wheel is .*", built.stdout + built.stderr)
    assert line.startswith("This wheel is plain Python: there is no C compiler '/no/such/gcc' here. Fix, on Debian")


def test_the_reason_of_a_failed_compilation_is_its_last_line(tmp_path: Path) -> None:
    (tmp_path / "compiling.py").write_text("print('x.c: warning')\nraise SystemExit('error: gcc failed\\n')")
    assert compile_modules(tmp_path, tmp_path) == "error: gcc failed"
    (tmp_path / "compiling.py").write_text("print('x.c: warning')")
    assert compile_modules(tmp_path, tmp_path) == ""


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"BOURRE_COMPILE": "yes", "CC": "/no/such/gcc"}, "BOURRE_COMPILE=yes, but there is no C compiler"),
        ({"BOURRE_COMPILE": "often"}, "BOURRE_COMPILE must be one of auto, yes, no, not 'often'"),
    ],
)
def test_a_build_that_cannot_be_as_asked_fails(changes: dict[str, str], told: str, tmp_path: Path) -> None:
    built = try_wheel(tmp_path, **changes)
    assert built.returncode != 0
    assert told in built.stdout + built.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_build_asks_for_mypy_only_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(dev.ROOT)
    asked = set()
    for choice, compiler in (("no", sys.executable), ("auto", "/no/such/gcc"), ("auto", sys.executable)):
        monkeypatch.setenv("BOURRE_COMPILE", choice)
        monkeypatch.setenv("CC", compiler)
        asked.add((choice, compiler, *get_requires_for_build_wheel()))
    assert asked == {
        ("no", sys.executable),
        ("auto", "/no/such/gcc"),
        ("auto", sys.executable, "mypy>=2.4,<3", "setuptools>=77"),
    }


@pytest.mark.parametrize("name", ["hatch_build.py", "compiling.py"])
def test_where_the_wheel_is_built_elsewhere_its_hook_is_there(name: str) -> None:
    for dockerfile in ("bot", "referee"):
        text = (dev.ROOT / f"docker/{dockerfile}.Dockerfile").read_text()
        assert re.search(rf"\nCOPY (\S+ )*{name} (\S+ )*\./\n", text)
        assert "BOURRE_COMPILE=yes" in text
    assert f"\n!{name}\n" in (dev.ROOT / ".dockerignore").read_text()
    assert f" {name} " in (dev.ROOT / "docker/gradescope/pack.sh").read_text().partition("--prefix")[2]


@pytest.mark.parametrize("folder", sorted({path.partition("/")[0] for path in WHEEL["only-include"]}))
def test_where_the_wheel_is_built_elsewhere_all_of_it_is_there(folder: str) -> None:
    """Files missing in the image or the kit are left out of their wheel without an error."""
    assert f"\nCOPY {folder} {folder}\n" in (dev.ROOT / "docker/referee.Dockerfile").read_text()
    assert f"\n!{folder}\n" in (dev.ROOT / ".dockerignore").read_text()
    assert f" {folder} " in (dev.ROOT / "docker/gradescope/pack.sh").read_text().partition("--prefix")[2]
