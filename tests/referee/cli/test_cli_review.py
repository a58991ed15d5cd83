"""`bourre review` judges a bot of a run, or a bot's file that it lets play first."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from bourre.rules.errors import BourreError
from bourre.rules.house import HouseRules
from bourre_lab.review import LIMITS
from bourre_referee.storage.run.run import Run
from tests.referee.command import called

NEVER = """\
from bourre import Bot


class Never(Bot):
    def declare(self, view):
        return False
"""


@pytest.fixture
def never(tmp_path: Path) -> Path:
    """A bot that passes whatever it holds."""
    file = tmp_path / "never_bot.py"
    file.write_text(NEVER)
    return file


def test_a_file_plays_first_and_its_worst_mistakes_are_told(never: Path) -> None:
    done = called("review", never, "--deals", "20", "--against", "tight,random", "--seed", "3")
    lines = done.out.splitlines()
    assert lines[0].startswith("never: ")
    assert " in 20 deals, mistakes: " in lines[0]
    assert not lines[0].endswith("mistakes: 0")
    assert any(line.startswith("1. match 1, deal ") for line in lines)
    assert "   it chose to pass" in lines
    assert any("to play" in line and line.endswith("chips more") for line in lines)
    assert lines[-len(LIMITS) :] == list(LIMITS)


def test_a_bot_of_a_run_is_reviewed_as_far_as_it_played(half: Path) -> None:
    bot = Run.open(half).bots[0]
    document = json.loads(called("review", half, bot, "--deals", "6", "--json").out)
    assert (document["bot"], document["deals"]) == (bot, 6)
    assert sum(kind["decisions"] for kind in document["kinds"]) == len(document["decisions"]) > 0
    assert len({(one["match"], one["deal"]) for one in document["decisions"]}) <= 6
    assert document["limits"] == list(LIMITS)


def test_what_cannot_be_reviewed_is_refused(half: Path) -> None:
    unknown = called("review", half, "nobody")
    assert (unknown.code, unknown.out) == (2, "")
    assert ": Unknown bot 'nobody'. Bots: " in unknown.err
    folder = called("review", half)
    assert (folder.code, folder.out) == (2, "")
    assert "is a folder.\nhint: add the name of a bot" in folder.err


def test_a_file_is_let_play_as_the_options_say(never: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[object, ...]]()

    def play(named: Mapping[str, str], *words: object, strict: bool) -> None:
        asked.append((*named, *words, strict))
        raise BourreError("enough")

    monkeypatch.setattr("bourre.practice.practice", play)
    options = ("--deals", "40", "--against", "tight,random", "--seed", "3", "--rules", "nba")
    assert called("review", never, *options).code == 1
    assert asked == [("never", "tight", "random", 40, 3, HouseRules.preset("nba"), False)]


RAISING = NEVER.replace("return False", 'raise ValueError("no idea")')


def test_exceptions_of_a_file_are_told_with_their_places(tmp_path: Path) -> None:
    file = tmp_path / "raising.py"
    file.write_text(RAISING)
    done = called("review", file, "--deals", "2")
    assert done.out.startswith("raising: 0 decisions in 2 deals, mistakes: 0\nNot judged: 2 of 2 decisions (2 without")
    assert done.err.count("raised ValueError: no idea") == 2
