"""Which files of a bot go into its private copy or its container: its own, and nothing that they only link to."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bourre.bot_code.start_diagnosis import diagnose
from bourre_referee.model.spec import BotEntry
from bourre_referee.sandbox.bwrap.visible_files import SandboxFiles
from bourre_referee.sandbox.container.container_command import command_inside
from bourre_referee.sandbox.private_copy import copy_files, in_private_copy
from bourre_referee.sandbox.started_file import read_started_file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A contest's folder with two bots, one of which has a folder of its own."""
    folder = tmp_path / "contest"
    (folder / "ada" / "data").mkdir(parents=True)
    for name in ("ada/bot.py", "ada/data/table", "ada/run.sh", "bob.py"):
        (folder / name).write_text(name)
        (folder / name).chmod(0o700 if name == "ada/run.sh" else 0o600)
    (tmp_path / "secret").write_text("secret")
    return folder


def names_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def test_its_paths_are_those_of_the_contest_file_and_nothing_else_is_there(folder: Path, tmp_path: Path) -> None:
    entry = BotEntry("ada", (sys.executable, "ada/bot.py", "--fast"), folder, ("ada/bot.py", "ada/data"))
    copied = in_private_copy(entry, tmp_path / "copies")
    assert copied.command == entry.command
    assert names_in(copied.folder) == {"ada/bot.py", "ada/data/table"}


def test_an_absolute_path_of_its_own_leads_into_the_copy(folder: Path, tmp_path: Path) -> None:
    program, script = str(folder / "ada/run.sh"), str(folder / "ada/bot.py")
    entry = BotEntry("ada", (program, script, str(folder / "bob.py")), folder, ("ada",))
    copied = in_private_copy(entry, tmp_path / "copies")
    here = copied.folder
    assert copied.command == (str(here / "ada/run.sh"), str(here / "ada/bot.py"), str(folder / "bob.py"))
    assert os.access(here / "ada/run.sh", os.X_OK)


def test_files_beside_the_contest_folder_are_beside_the_working_directory(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "table").touch()
    entry = BotEntry("bob", (sys.executable, "bob.py"), folder, ("bob.py", "../shared"))
    copied = in_private_copy(entry, tmp_path / "copies")
    assert names_in(copied.folder) == {"bob.py"}
    assert (copied.folder / "../shared/table").is_file()


def test_what_a_bot_writes_stays_for_the_rooms_of_its_run_and_reaches_no_author(folder: Path, tmp_path: Path) -> None:
    entry = BotEntry("ada", (sys.executable, "ada/bot.py"), folder, ("ada",))
    first = in_private_copy(entry, tmp_path / "copies")
    (first.folder / "ada" / "debug.log").touch()
    (folder / "ada" / "bot.py").write_text("changed")
    second = in_private_copy(entry, tmp_path / "copies")
    assert second == first
    assert (second.folder / "ada" / "bot.py").read_text() == "ada/bot.py"
    assert in_private_copy(entry, tmp_path / "later").folder != first.folder
    assert not (folder / "ada" / "debug.log").exists()


def test_a_bot_of_another_name_or_with_other_files_has_a_copy_of_its_own(folder: Path, tmp_path: Path) -> None:
    ada = BotEntry("ada", (sys.executable, "ada/bot.py"), folder, ("ada/bot.py",))
    others = (ada, replace(ada, name="bob"), replace(ada, files=("ada",)))
    copies = [in_private_copy(entry, tmp_path / "copies").folder for entry in others]
    assert len({*copies}) == 3
    assert [len(names_in(copy)) for copy in copies] == [1, 1, 3]


def test_a_copy_that_fails_leaves_nothing_and_no_other_user_may_enter_one(folder: Path, tmp_path: Path) -> None:
    entry = BotEntry("ada", (sys.executable, "ada/bot.py"), folder, ("ada/bot.py", "missing.py"))
    with pytest.raises(OSError, match=r"missing\.py"):
        in_private_copy(entry, tmp_path / "copies")
    assert names_in(tmp_path / "copies") == set()
    (folder / "missing.py").touch()
    assert names_in(in_private_copy(entry, tmp_path / "copies").folder) == {"ada/bot.py", "missing.py"}
    copied = in_private_copy(BotEntry("bob", (sys.executable, "bob.py"), folder, ("bob.py",)), tmp_path / "copies")
    assert copied.folder.parent.stat().st_mode & 0o077 == 0


def test_links_lead_where_they_led_and_pipes_are_left_out(folder: Path, tmp_path: Path) -> None:
    (folder / "cy.py").symlink_to(folder / "bob.py")
    (folder / "ada" / "outside").symlink_to(tmp_path)
    (folder / "ada" / "round").symlink_to(".")
    os.mkfifo(folder / "ada" / "pipe")
    entry = BotEntry("cy", (sys.executable, "cy.py"), folder, ("cy.py", "ada", "ada/data"))
    copied = in_private_copy(entry, tmp_path / "copies")
    assert (copied.folder / "cy.py").read_text() == "bob.py"
    assert names_in(copied.folder) == {"cy.py", "ada/bot.py", "ada/run.sh", "ada/data/table"}
    assert (copied.folder / "ada/outside").samefile(tmp_path)


def test_a_python_stays_in_its_environment(folder: Path, tmp_path: Path) -> None:
    """A copy of an environment would name the place of the original."""
    own = folder / "ada" / "env" / "bin" / "python"
    own.parent.mkdir(parents=True)
    own.symlink_to(Path(sys.executable).resolve())
    (folder / "ada" / "env" / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).resolve().parent}\n")
    copied = in_private_copy(BotEntry("ada", (str(own), "ada/bot.py"), folder, ("ada",)), tmp_path / "copies")
    assert copied.command == (str(own), "ada/bot.py")


def test_a_bot_of_which_only_the_command_is_known_keeps_its_folder(folder: Path, tmp_path: Path) -> None:
    entry = BotEntry("bob", (sys.executable, "-c", "pass"), folder)
    assert in_private_copy(entry, tmp_path / "copies") == entry
    assert not (tmp_path / "copies").exists()


OPENS = """Traceback (most recent call last):
  File "/bot/bot.py", line 3, in <module>
    W = open("weights.txt").read()
        ^^^^^^^^^^^^^^^^^^^
FileNotFoundError: [Errno 2] No such file or directory: 'weights.txt'
"""
IMPORTS = """Traceback (most recent call last):
  File "/bot/bot.py", line 1, in <module>
    import own
ModuleNotFoundError: No module named 'own'
"""


@pytest.fixture(params=["", "bots"])
def unlisted(request: pytest.FixtureRequest, tmp_path: Path) -> BotEntry:
    """A bot whose `files` lack two of its own, beside the file of another bot."""
    place = tmp_path / request.param
    place.mkdir(exist_ok=True)
    for name in ("bot.py", "weights.txt", "own.py", "grpc.py"):
        (place / name).write_text(name)
    listed = Path(request.param, "bot.py").as_posix()
    return BotEntry("ada", (sys.executable, "bot.py"), tmp_path, (listed,), own_folder=request.param)


@pytest.mark.parametrize(("printed", "name"), [(OPENS, "weights.txt"), (IMPORTS, "own.py")])
def test_the_line_that_lists_the_missing_file_is_told(unlisted: BotEntry, printed: str, name: str) -> None:
    place = Path(unlisted.own_folder)
    line = f'set files = ["{place / "bot.py"}", "{place / name}"]'
    assert diagnose(printed, 1, 0.1, read_started_file(unlisted)).mend == line


def test_what_the_bot_does_not_find_hides_no_module(unlisted: BotEntry) -> None:
    file = read_started_file(unlisted)
    assert (file.name, file.text, set(file.beside)) == ("bot.py", "bot.py", {"bot.py"})
    assert "grpc" not in diagnose("", 0, 0.1, file).cause


def test_a_bot_of_which_only_the_command_is_known_finds_all(tmp_path: Path) -> None:
    for name in ("bot.py", "grpc.py"):
        (tmp_path / name).touch()
    file = read_started_file(BotEntry("ada", (sys.executable, "bot.py"), tmp_path))
    assert (set(file.beside), file.unlisted) == ({"bot.py", "grpc.py"}, {})


def packed(entry: BotEntry, target: Path) -> dict[str, str]:
    """The paths and modes of the files in its /bot."""
    bot_files = SandboxFiles(entry)
    copy_files(bot_files.folder, bot_files.binds(), target)
    return {
        path.relative_to(target).as_posix(): "link" if path.is_symlink() else f"{path.stat().st_mode & 0o777:o}"
        for path in target.rglob("*")
    }


def test_a_bots_own_files_come_along_and_anybody_may_read_them(folder: Path, tmp_path: Path) -> None:
    found = packed(BotEntry("ada", ("python", "ada/bot.py"), folder, ("ada",)), tmp_path / "to")
    files = {"ada/bot.py": "644", "ada/run.sh": "755", "ada/data/table": "644"}
    assert found == {"ada": "755", "ada/data": "755", **files}


def test_links_of_the_author_stay_links(folder: Path, tmp_path: Path) -> None:
    (folder / "ada" / "peek").symlink_to(tmp_path / "secret")
    (folder / "ada" / "peek-all").symlink_to(tmp_path)
    found = packed(BotEntry("ada", ("python", "ada/bot.py"), folder, ("ada",)), tmp_path / "to")
    assert (found["ada/peek"], found["ada/peek-all"]) == ("link", "link")
    assert (tmp_path / "secret").stat().st_mode & 0o777 != 0o755


def test_a_file_that_leads_out_of_the_folder_or_is_not_there_is_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "cy.py").symlink_to(tmp_path / "secret")
    with pytest.raises(
        OSError, match=r"leads through a link to something else, which its `files` do not list\.\nhint: ask its author"
    ):
        packed(BotEntry("cy", ("python", "cy.py"), folder, ("cy.py",)), tmp_path / "to")
    with pytest.raises(OSError, match="nothing"):
        packed(BotEntry("cy", ("python", "nothing"), folder, ("nothing",)), tmp_path / "to")


@pytest.mark.parametrize(
    ("command", "inside"),
    [
        ((sys.executable, "bob.py"), ("python3", "bob.py")),
        (("/usr/bin/node", "bob.py", "--fast"), ("node", "bob.py", "--fast")),
        (("{folder}/bob.py", "{folder}/other"), ("/bot/bob.py", "{folder}/other")),
    ],
)
def test_a_command_is_translated_for_the_image(folder: Path, command: tuple[str, ...], inside: tuple[str, ...]) -> None:
    entry = BotEntry("bob", tuple(word.format(folder=folder) for word in command), folder, ("bob.py",))
    assert command_inside(entry, SandboxFiles(entry)) == tuple(word.format(folder=folder) for word in inside)


def test_a_venv_of_the_host_is_refused(folder: Path) -> None:
    entry = BotEntry("bob", ("python", "bob.py"), folder, ("bob.py",), venv=Path("/venv"))
    with pytest.raises(OSError, match="hint: install its packages in the image"):
        command_inside(entry, SandboxFiles(entry))
