"""Links of a bot's author open nothing: a bot whose sandbox would show what they lead to is not started."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bourre_referee.model.spec import BotEntry, Limits
from bourre_referee.sandbox.bwrap.bwrap_mounts import Bind
from bourre_referee.sandbox.bwrap.bwrap_probe import unavailable_reason
from bourre_referee.sandbox.bwrap.interpreter import Interpreter, interpreter_of
from bourre_referee.sandbox.bwrap.visible_files import inside_of
from bourre_referee.sandbox.launch import Credentials
from tests.end_to_end.boxes import told_by

LOOKS = "import json, os; print(json.dumps(sorted(os.listdir('/venv/lib'))))"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A contest's folder with two bots, each in a folder of its own that contains an environment."""
    folder = tmp_path / "contest"
    for name in ("deep", "rival"):
        environment_in(folder / name / ".venv")
        (folder / name / "main.py").write_text(LOOKS)
    (folder / "runs").mkdir()
    (folder / "runs" / "run.db").write_text("secret")
    return folder


def python() -> Interpreter:
    """The Python that runs the tests."""
    found = interpreter_of(Path(sys.executable))
    assert found
    return found


def environment_in(venv: Path) -> None:
    """Makes an environment as `python -m venv` does, with the packages of this one."""
    packages = venv / "lib" / python().name / "site-packages"
    for made in (venv / "bin", packages):
        made.mkdir(parents=True)
    base = python().prefix / "bin" / python().name
    (venv / "pyvenv.cfg").write_text(f"home = {base.parent}\n")
    (venv / "bin" / "python3").symlink_to(base)
    (venv / "bin" / "python").symlink_to("python3")
    (venv / "lib64").symlink_to("lib")


def replaced(path: Path, target: str) -> None:
    """Replaces a file or folder with a link to it."""
    if path.exists():
        path.rename(path.with_name("taken-away"))
    path.symlink_to(target)


def deep(folder: Path, program: str = "deep/.venv/bin/python", *files: str) -> BotEntry:
    """The entry for the bot in the folder of this name."""
    return BotEntry("deep", (str(folder / program), "deep/main.py"), folder, files or ("deep/main.py",))


def test_no_contest_is_played_in_what_every_box_holds() -> None:
    honest = BotEntry("deep", (sys.executable, "bin/env"), Path("/usr"), ("bin/env",))
    told = "every bot can read /usr, because sandboxes contain /usr.\nhint: move the contest elsewhere"
    assert unavailable_reason([honest], Limits()) == told


def test_an_environment_of_its_own_is_housed(folder: Path, tmp_path: Path) -> None:
    assert told_by(deep(folder), tmp_path / "seats") == [python().name]


@pytest.mark.parametrize("module", ["asyncio", "bourre", "grpc", "types", "typing"])
def test_a_file_with_the_name_of_a_module_is_no_fault_of_the_host(tmp_path: Path, module: str) -> None:
    """The bot fails by itself, in its room."""
    for name in ("bot", module):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported')")
    bot = BotEntry("tested", (sys.executable, "bot.py"), tmp_path, ("bot.py", f"{module}.py"))
    assert unavailable_reason([bot], Limits()) is None


def sources(entry: BotEntry) -> set[Path]:
    """Everything that would be mounted in the sandbox of this bot."""
    content = inside_of(entry, Credentials(entry.folder / "seat", "token"), Limits(), 0).content
    return {item.source for item in content if isinstance(item, Bind)}


def test_an_environment_may_be_kept_elsewhere(folder: Path, tmp_path: Path) -> None:
    """Moves the environment elsewhere and leaves a link, as poetry and others do."""
    environment_in(tmp_path / "kept")
    replaced(folder / "deep" / ".venv", str(tmp_path / "kept"))
    assert folder / "deep/.venv/lib" in sources(deep(folder))


def test_a_whole_python_may_stand_in_the_contests_folder(folder: Path, tmp_path: Path) -> None:
    """As conda makes one, whose `python` is a link; the folder itself is reached by a link too."""
    library = folder / "tools" / "lib" / "python3.11"
    library.mkdir(parents=True)
    (library / "os.py").touch()
    (folder / "tools" / "bin").mkdir()
    (folder / "tools" / "bin" / "python3.11").touch()
    (folder / "tools" / "bin" / "python").symlink_to("python3.11")
    (tmp_path / "home").symlink_to(folder)
    for reached in (folder, tmp_path / "home"):
        assert {folder / "tools/bin", folder / "tools/lib"} <= sources(deep(reached, "tools/bin/python"))


@pytest.mark.parametrize(
    ("link", "target", "program", "told"),
    [
        ("deep/.venv/lib", "/", "deep/.venv/bin/python", "is a link.\nhint: recreate "),
        ("deep/.venv/lib", "../../rival", "deep/.venv/bin/python", "is a link.\nhint: recreate "),
        ("deep/.venv/lib", "lib", "deep/.venv/bin/python", "is a link.\nhint: recreate "),
        ("deep/.venv", "../rival/.venv", "deep/.venv/bin/python", "leads through a link to something else.\nhint: "),
        ("deep/bot", "../rival/program", "deep/bot", "leads through a link to something else.\nhint: "),
        ("deep/python", "../rival/python", "deep/python/bin/python", "leads through a link to something else.\nhint: "),
    ],
)
def test_an_author_opens_nothing_by_a_program(folder: Path, link: str, target: str, program: str, told: str) -> None:
    (folder / "rival" / "program").write_text("#!/bin/sh\n")
    for made in ("lib/python3.11/os.py", "bin/python3.11"):
        (folder / "rival" / "python" / made).parent.mkdir(parents=True, exist_ok=True)
        (folder / "rival" / "python" / made).touch()
    (folder / "rival" / "python" / "bin" / "python").symlink_to("python3.11")
    replaced(folder / link, target)
    reason = unavailable_reason([deep(folder, program)], Limits())
    assert reason is not None
    assert f"{folder / link} {told}" in reason
    assert "rival" not in reason


def test_an_author_opens_nothing_by_a_python_of_its_own(folder: Path) -> None:
    """The contest file need not say so: a pyvenv.cfg beside the program's folder is enough."""
    (folder / "deep" / "bin").mkdir()
    (folder / "deep" / "bin" / "bot").symlink_to(sys.executable)
    (folder / "deep" / "pyvenv.cfg").write_text(f"home = {python().prefix / 'bin'}\n")
    (folder / "deep" / "lib").symlink_to("../runs")
    reason = unavailable_reason([deep(folder, "deep/bin/bot")], Limits())
    assert reason == (f"{folder}/deep/lib is a link.\nhint: recreate {folder}/deep with a real folder in its place")


def test_a_link_among_a_bots_files_opens_nothing_and_nobody_is_told_to(folder: Path, tmp_path: Path) -> None:
    """Neither in its sandbox nor on the host, whoever runs the contest."""
    (tmp_path / "private").mkdir(mode=0o700)
    (tmp_path / "private" / "key").touch(mode=0o600)
    (folder / "deep" / "data").symlink_to(tmp_path / "private")
    (folder / "deep" / "key").symlink_to(tmp_path / "private" / "key")
    looks = "import json, os; print(json.dumps([os.path.exists(f'deep/{name}') for name in ('data', 'key')]))"
    (folder / "deep" / "main.py").write_text(looks)
    bot = BotEntry("deep", (sys.executable, "deep/main.py"), folder, ("deep",))
    assert unavailable_reason([bot], Limits()) is None
    assert told_by(bot, tmp_path / "seats") == [False, False]


@pytest.mark.parametrize("target", ["../runs/run.db", "../rival/main.py"])
def test_an_author_opens_nothing_by_a_file(folder: Path, target: str) -> None:
    (folder / "deep" / "weights").symlink_to(target)
    reason = unavailable_reason([deep(folder, sys.executable, "deep/main.py", "deep/weights")], Limits())
    assert reason == (
        f"{folder}/deep/weights leads through a link to something else, which its `files` do not list.\n"
        "hint: ask its author to put the file or folder itself there"
    )
