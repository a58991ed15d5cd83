"""The wheel contains what `bourre new` needs, and no package of Node.js; a release that lacks something is named."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from shutil import copy
from typing import Any
from zipfile import ZipFile

import pytest
from hatchling.build import build_sdist, get_requires_for_build_wheel
from packaging.utils import parse_wheel_filename

import dev
import releasing
from bourre_referee.diagnostics.attacks.attack_room import names
from bourre_referee.evaluation.starters.starter import LANGUAGES, make
from hatch_build import SWITCH, CompiledModules, compile_modules
from tests.project.wheel_build import build_wheel, unpack

WHEEL = tomllib.loads((dev.ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that a plain wheel of this tree installs."""
    return unpack(build_wheel(tmp_path_factory.mktemp("wheel")))


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


def test_the_reason_of_a_failed_compilation_is_its_last_line(tmp_path: Path) -> None:
    (tmp_path / "compiling.py").write_text("print('x.c: warning')\nraise SystemExit('error: gcc failed\\n')")
    assert compile_modules(tmp_path, tmp_path) == "error: gcc failed"
    (tmp_path / "compiling.py").write_text("print('x.c: warning')")
    assert compile_modules(tmp_path, tmp_path) == ""


@pytest.fixture
def hook() -> Iterator[CompiledModules]:
    unused: Any = None
    hook = CompiledModules(str(dev.ROOT), {}, unused, unused, "", "wheel")
    yield hook
    hook.finalize("standard", {}, "")


def built_by(hook: CompiledModules, version: str = "standard") -> dict[str, Any]:
    """What a build learns from it, beside what it knew."""
    data: dict[str, Any] = {"force_include": {"known": "name"}}
    hook.initialize(version, data)
    return data


PLAIN = {"force_include": {"known": "name"}}


def test_a_compiled_wheel_has_the_modules_and_is_for_this_platform(
    hook: CompiledModules, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compile_one(_: Path, out: Path) -> str:
        (out / "bourre").mkdir()
        (out / "bourre/match.so").touch()
        return ""

    monkeypatch.setattr("hatch_build.compile_modules", compile_one)
    monkeypatch.setattr("hatch_build.find_obstacle", lambda: "")
    for choice in ("auto", "yes"):
        monkeypatch.setenv(SWITCH, choice)
        data = built_by(hook)
        (module,) = (Path(place) for place in data["force_include"] if place != "known")
        included = {"known": "name", str(module): "bourre/match.so"}
        assert data == {"pure_python": False, "infer_tag": True, "force_include": included}
        assert module.is_file()
        hook.finalize("standard", data, "")
        assert not module.parents[1].exists()
        assert built_by(hook, "editable") == PLAIN
    monkeypatch.setenv(SWITCH, "no")
    assert built_by(hook) == PLAIN


def test_without_a_compiler_a_wheel_is_plain_and_the_build_says_so_unless_it_must_compile(
    hook: CompiledModules, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", "/no/such/gcc -O2")
    monkeypatch.setenv(SWITCH, "")
    assert built_by(hook) == PLAIN
    why = "there is no C compiler '/no/such/gcc' here. Fix, on Debian"
    assert capsys.readouterr().err.startswith(f"This wheel is plain Python: {why}")
    hook.finalize("standard", {}, "")
    for choice, told in (("yes", f"{SWITCH}=yes, but {why}"), ("often", "must be one of auto, yes, no, not 'often'")):
        monkeypatch.setenv(SWITCH, choice)
        with pytest.raises(SystemExit, match=told):
            built_by(hook)


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


def test_where_the_wheel_is_built_elsewhere_all_of_it_is_there() -> None:
    """Files missing in the image or the kit are left out of their wheel without an error."""
    referee, bot = ((dev.ROOT / f"docker/{name}.Dockerfile").read_text() for name in ("referee", "bot"))
    ignored = (dev.ROOT / ".dockerignore").read_text()
    kit = (dev.ROOT / "docker/gradescope/pack.sh").read_text().partition("--prefix")[2]
    folders = sorted({path.partition("/")[0] for path in WHEEL["only-include"]})
    assert len(folders) > 2
    assert [folder for folder in folders if f"\nCOPY {folder} {folder}\n" not in referee] == []
    hooks = ["hatch_build.py", "compiling.py"]
    for text in (referee, bot):
        assert [hook for hook in hooks if not re.search(rf"\nCOPY (\S+ )*{hook} (\S+ )*\./\n", text)] == []
        assert "BOURRE_COMPILE=yes" in text
    needed = [*folders, *hooks]
    assert [name for name in needed if f"\n!{name}\n" not in ignored or f" {name} " not in kit] == []


def test_the_images_compile_in_the_same_steps_so_that_a_builder_does_it_once() -> None:
    texts = [(dev.ROOT / f"docker/{name}.Dockerfile").read_text() for name in ("referee", "bot")]
    shared = {re.split(r"^(?=FROM|COPY requirements.lock)", text, flags=re.MULTILINE)[1] for text in texts}
    assert len(shared) == 1
    assert "BOURRE_COMPILE=yes" in shared.pop()


def wheel_of(installed: Path) -> Path:
    (wheel,) = installed.parent.glob("*.whl")
    return wheel


def test_what_was_not_built_for_a_release_is_named_and_all_else_is_in_order(installed: Path, tmp_path: Path) -> None:
    """All that a clone has and its images need is in the source distribution."""
    copy(wheel_of(installed), tmp_path)
    with chdir(dev.ROOT):
        build_sdist(str(tmp_path))
    assert list(releasing.find_faults(tmp_path)) == ["dist must have one compiled wheel", "dist must have one SBOM"]


def rewrite(wheel: Path, old: bytes, new: bytes, without: str = "none") -> None:
    """Writes a wheel again with other metadata, and without the files of this name."""
    with ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not name.endswith(without)}
    with ZipFile(wheel, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content.replace(old, new) if name.endswith("/METADATA") else content)


@pytest.mark.parametrize(
    ("old", "new", "without", "fault"),
    [
        (b"", b"", "/licenses/LICENSE", "its licence file LICENSE is missing"),
        (b"License-Expression: MIT", b"License: MIT", "none", "it does not name its licence"),
        (
            b"Version:",
            b"Project-URL: Home, http://a.example\nVersion:",
            "none",
            "URL http://a.example is not encrypted",
        ),
    ],
)
def test_a_faulty_wheel_is_named(
    installed: Path, old: bytes, new: bytes, without: str, fault: str, tmp_path: Path
) -> None:
    wheel = wheel_of(installed)
    copy(wheel, tmp_path)
    rewrite(tmp_path / wheel.name, old, new, without)
    (found,) = releasing.find_wheel_faults(tmp_path / wheel.name)
    assert fault in found
    compiled = (tmp_path / wheel.name).rename(tmp_path / "bourre-1-cp311-cp311-linux_x86_64.whl")
    assert "its name does not tell whether it is compiled" in releasing.find_wheel_faults(compiled)


@pytest.mark.long  # compiles, and fetches the tools
@pytest.mark.timeout(1800)
def test_one_command_builds_and_checks_a_release() -> None:
    done = subprocess.run(
        (sys.executable, "dev.py", "release"), cwd=dev.ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    tags = {tag.platform for wheel in releasing.DIST.glob("*.whl") for tag in parse_wheel_filename(wheel.name)[3]}
    assert "any" in tags
    assert sys.platform != "linux" or any("manylinux" in tag for tag in tags)
    (told,) = releasing.DIST.glob("*.cdx.json")
    parts = {part["name"]: part for part in json.loads(told.read_text("utf-8"))["components"]}
    assert {"grpcio", "open-spiel", "htmx.org"} <= parts.keys()
    assert not {"mypy", "twine"} & parts.keys()
    assert parts["grpcio"]["externalReferences"][0]["hashes"]
