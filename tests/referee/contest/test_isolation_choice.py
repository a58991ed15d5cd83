"""The level of isolation: as the contest file asks for it, as it is decided, and as the run reports it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest

from bourre_referee.cli.standings_tables import isolation_in_words
from bourre_referee.contest.contest import Contest, Entrant
from bourre_referee.contest.contest_file import load
from bourre_referee.contest.isolation_choice import IsolationAsked, LevelAsked, NamedLevel, Strangers, choose_isolation
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import BotEntry, Isolation, Level, Limits, OwnIsolation
from bourre_referee.runner import start as begin
from bourre_referee.runner.run_changes import changes
from bourre_referee.sandbox.levels import find_exposing_folder
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.manifest import Terms
from bourre_referee.storage.run.run_writer import begin_run
from tests.referee.contests import FILE, bot, write_contest

ENTRIES = (BotEntry("ada", ("python", "ada.py"), Path("/x")), BotEntry("far", None, Path("/x")))

HOSTED = Strangers("hosted bots")


def broken(isolation: Isolation, entries: Sequence[BotEntry]) -> str | None:
    return "no boxes on Mondays; wait a day"


def sound(isolation: Isolation, entries: Sequence[BotEntry]) -> str | None:
    assert [entry.name for entry in entries] == ["ada"], "bots that connect are their authors' affair"
    return None


def contest_with(folder: Path, isolation: str, bots: Sequence[str] = ("ada", "bob", "cy")) -> Contest:
    return load(write_contest(folder, FILE.replace('[isolation]\nlevel = "none"\n', isolation), bots))


def terms_with(folder: Path, isolation: str) -> Terms:
    return terms_of(contest_with(folder, isolation))


def test_the_best_is_a_box_where_one_can_be_had() -> None:
    limits = Limits(memory_mib=99)
    told: list[str] = []
    settled = choose_isolation(IsolationAsked(limits=limits), ENTRIES, told.append, sound, HOSTED)
    assert (settled, told) == (Isolation(Level.BWRAP, limits), [])


def test_where_the_best_is_none_it_says_so() -> None:
    told: list[str] = []
    assert choose_isolation(IsolationAsked(), ENTRIES, told.append, broken).level == Level.NONE
    (warning,) = told
    assert warning.startswith("warning: bots run without isolation, so you must trust them all: no boxes on Mondays")


def test_what_hinders_the_host_is_told_of_no_bot() -> None:
    def named(isolation: Isolation, entries: Sequence[BotEntry]) -> str | None:
        return f"{entries[0].name}: no boxes on Mondays"

    told: list[str] = []
    choose_isolation(IsolationAsked(), ENTRIES[:1], told.append, named)
    assert "you must trust them all: no boxes on Mondays" in told[0]


@pytest.mark.parametrize("entries", [ENTRIES, ENTRIES[1:], ()])
def test_strangers_do_not_play_where_there_is_no_box(entries: Sequence[BotEntry]) -> None:
    """They may come later, so it is not enough that no bot is started yet."""
    with pytest.raises(ContestError, match=r"(?s)^hosted bots need isolation, .*: no boxes on .*level = .none."):
        choose_isolation(IsolationAsked(), entries, pytest.fail, broken, HOSTED)


@pytest.mark.parametrize(("level", "strangers"), [("none", HOSTED), ("best", Strangers("hosted bots", trusted=True))])
@pytest.mark.parametrize("user", [0, 1000])
def test_strangers_who_are_trusted_in_words_play_with_a_warning(
    monkeypatch: pytest.MonkeyPatch, level: LevelAsked, strangers: Strangers, user: int
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    told: list[str] = []

    def no_box(isolation: Isolation, entries: Sequence[BotEntry]) -> str | None:
        return None if isolation.level is Level.NONE else "no boxes on Mondays"

    assert choose_isolation(IsolationAsked(level), ENTRIES, told.append, no_box, strangers).level == Level.NONE
    (warning,) = told
    assert warning.startswith("warning: hosted bots run without isolation, and can read and change ")
    assert ("You are root" in warning) == (user == 0)


def test_one_bot_that_leaves_the_box_beside_strangers_is_told_of() -> None:
    told: list[str] = []
    free = replace(ENTRIES[0], name="eve", isolation=OwnIsolation(Level.NONE))
    choose_isolation(IsolationAsked(), [*ENTRIES, free], told.append, lambda *_: None, HOSTED)
    (warning,) = told
    assert warning.startswith("warning: eve, by a section of their own, run without isolation")


def test_a_contest_file_may_ask_for_every_level() -> None:
    assert get_args(NamedLevel) == tuple(Level)
    assert get_args(LevelAsked) == ("best", *Level)


@pytest.mark.parametrize("entry", [ENTRIES[0], replace(ENTRIES[0], isolation=OwnIsolation(memory_mib=99))])
@pytest.mark.parametrize("level", ["best", "bwrap", "container"])
def test_what_a_bot_brings_along_weakens_no_level_and_blames_none(level: LevelAsked, entry: BotEntry) -> None:
    """Its author could have put it there, to be started without a sandbox."""

    def picky(isolation: Isolation, entries: Sequence[BotEntry]) -> str | None:
        return "ada.py is a link to /" if any(entry.name == "ada" for entry in entries) else None

    with pytest.raises(ContestError, match=r"^ada.py is a link to /$"):
        choose_isolation(IsolationAsked(level), [entry], print, picky)


@pytest.mark.parametrize("level", ["bwrap", "container"])
def test_a_level_that_was_asked_for_is_never_weakened(level: LevelAsked) -> None:
    with pytest.raises(ContestError, match=f'level = "{level}" is not available here: no boxes on Mondays; wait a day'):
        choose_isolation(IsolationAsked(level), ENTRIES, print, broken)
    assert choose_isolation(IsolationAsked(level), ENTRIES, print, sound).level == level


def test_none_is_taken_at_its_word(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    assert (choose_isolation(IsolationAsked("none"), ENTRIES, told.append).level, told) == (Level.NONE, [])


def test_a_contest_file_says_what_a_bot_may_use(tmp_path: Path) -> None:
    assert contest_with(tmp_path / "without", "").isolation == IsolationAsked()
    keys = '[isolation]\nlevel = "container"\nmemory_mib = 100\nprocesses = 20\ndisk_mib = 5\nimage = "bots:1"\n'
    asked = IsolationAsked("container", Limits(memory_mib=100, processes=20, disk_mib=5), "bots:1")
    assert contest_with(tmp_path / "whole", keys).isolation == asked


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("levle = 'none'", "[isolation] Unknown key 'levle'. Did you mean 'level'?"),
        ("level = 'docker'", "[isolation] level = \"docker\": must be 'best', 'none', 'bwrap' or 'container'"),
        ("memory_mib = 1", "[isolation] memory_mib = 1: must be 64 or more"),
        ("level = 'container'", '[isolation] level = "container" needs an image.\nhint: set image = "..."'),
        ("image = 'x'", '[isolation] image needs level = "container".\nhint: remove image'),
    ],
)
def test_what_is_wrong_is_told_with_the_fix(tmp_path: Path, keys: str, words: str) -> None:
    with pytest.raises(ContestError) as caught:
        contest_with(tmp_path, f"[isolation]\n{keys}\n")
    assert words in str(caught.value)


def test_an_environment_whose_python_is_gone_is_made_anew(tmp_path: Path) -> None:
    """An environment whose Python was removed."""
    (tmp_path / "env" / "bin").mkdir(parents=True)
    (tmp_path / "env" / "pyvenv.cfg").touch()
    (tmp_path / "env" / "bin" / "python").symlink_to(tmp_path / "gone")
    (tmp_path / "dee.py").touch()
    with pytest.raises(ContestError, match=r"'env' has no executable bin/python\.\nhint: run python -m venv env"):
        load(write_contest(tmp_path, FILE + bot("dee") + 'venv = "env"\n', ("ada", "bob")))


def test_a_bot_has_its_own_environment(tmp_path: Path) -> None:
    (tmp_path / "env" / "bin").mkdir(parents=True)
    (tmp_path / "env" / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).parent}\n")
    (tmp_path / "env" / "bin" / "python").symlink_to(sys.executable)
    text = FILE + bot("dee") + 'venv = "env"\n'
    (tmp_path / "dee.py").touch()
    contest = load(write_contest(tmp_path, text, ("ada", "bob")))
    dee, ada, _ = contest.entries
    assert (dee.command, dee.venv) == ((str(tmp_path / "env/bin/python"), "dee.py"), tmp_path / "env")
    assert (ada.command, ada.venv) == ((sys.executable, "ada.py"), None)
    assert [terms.venv for terms in terms_of(contest).bots] == ["env", None, None]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('command = ["python", "ada.py"]\nvenv = "evn"\n', "no file 'evn' here.\nhint: use 'env'"),
        (
            'command = ["python", "ada.py"]\nvenv = "env"\n',
            "'env' is not an environment.\nhint: run python -m venv env",
        ),
        ('command = ["sh", "ada.py"]\nvenv = "env"\n', 'venv needs a command that starts with "python"'),
        ('connect = true\nvenv = "env"\n', 'venv needs a command that starts with "python"'),
    ],
)
def test_what_is_no_environment_is_told(tmp_path: Path, lines: str, words: str) -> None:
    (tmp_path / "env").mkdir()
    with pytest.raises(ContestError) as caught:
        load(write_contest(tmp_path, f'{FILE}[[bots]]\nname = "dee"\n{lines}', ("ada", "bob")))
    assert words in str(caught.value)


def test_a_run_goes_on_with_the_isolation_it_was_begun_with(tmp_path: Path) -> None:
    before, now = terms_with(tmp_path, ""), terms_with(tmp_path, '[isolation]\nlevel = "none"\nprocesses = 32\n')
    begun = begin_run("small", before, bytes(32), 1, datetime.now(UTC))
    assert changes(begun, "small", now) == [
        "[isolation] level was 'best', is 'none'",
        "[isolation] processes was 64, is 32",
    ]
    moved = replace(contest_with(tmp_path, ""), entrants=tuple(_in_env(contest_with(tmp_path, ""))))
    assert changes(begun, "small", terms_of(moved))[0] == "bot ada: its venv was not set, is 'env'"


def _in_env(contest: Contest) -> list[Entrant]:
    return [replace(entrant, venv="env") for entrant in contest.entrants]


def test_the_level_is_told_with_what_it_means() -> None:
    assert isolation_in_words(Isolation()) == "isolation none: bots are plain processes, which can spy on one another"
    assert isolation_in_words(Isolation(Level.BWRAP, Limits(100, 20, 5))) == (
        "isolation bwrap: each bot has its own sandbox (100 MiB, 20 processes, 5 MiB of files)"
    )


@pytest.mark.parametrize(("level", "is_open"), [(Level.BWRAP, True), (Level.NONE, False), (Level.CONTAINER, False)])
def test_no_run_folder_is_where_every_box_could_read_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, level: Level, is_open: bool
) -> None:
    isolation = Isolation(level, image="bots:1")
    assert find_exposing_folder(isolation, Path("/usr/local/runs")) == (Path("/usr") if is_open else None)
    assert find_exposing_folder(isolation, tmp_path) is None
    if is_open:
        monkeypatch.setattr(begin, "choose_isolation", lambda *_: isolation)
        contest = contest_with(tmp_path, "")
        with pytest.raises(ContestError, match=r"Bots could read /usr/bourre-run, .*\nhint: set another with --out"):
            begin.begin(contest, terms_of(contest), FolderLocation(Path("/usr/bourre-run")), datetime.now(UTC), print)
