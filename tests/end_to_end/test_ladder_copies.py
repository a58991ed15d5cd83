"""`bourre ladder copies` hosted bots that decide alike are named, and nobody is judged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bourre import Bot
from bourre.bot_code.bot_file import load
from bourre.practice import practice
from bourre_referee.evaluation.check.examine_bot import Subject
from bourre_referee.evaluation.check.trial_matches import TESTED_BOT
from bourre_referee.evaluation.copies import identical_play
from bourre_referee.evaluation.copies.identical_play import play_fixed_deals
from bourre_referee.ladder.host.joining import Newcomer
from tests.referee.command import called
from tests.referee.ladder.host.ladder_folders import FILE, STAFF, add_bot, make_ladder

pytestmark = pytest.mark.timeout(300)

MINE = """\
from bourre import Bot, View, run


class Mine(Bot):
    def declare(self, view: View) -> bool:
        return view.hand[-1].rank > 11


if __name__ == "__main__":
    run(Mine)
"""


def quiz_here(subject: Subject, logs: Path) -> tuple[str, ...] | None:
    """Asks a bot in this process."""
    file = subject.entry.folder / "bot.py"
    if not file.exists():
        return None
    players: dict[str, Callable[[], Bot] | str] = {TESTED_BOT: load(str(file)), "tight": "tight", "random": "random"}
    return tuple(match.record for match in practice(players, 150, 3).matches)


@pytest.mark.parametrize("play", [quiz_here, pytest.param(play_fixed_deals, marks=pytest.mark.long)])
def test_copies_on_a_ladder_are_a_question_to_its_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, play: Callable[[Subject, Path], tuple[str, ...] | None]
) -> None:
    asked = []

    def noted(subject: Subject, logs: Path) -> tuple[str, ...] | None:
        asked.append(subject.name)
        return play(subject, logs)

    monkeypatch.setattr(identical_play, "play_fixed_deals", noted)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    ladder = make_ladder(tmp_path, f'{FILE}{STAFF}[isolation]\nlevel = "none"\n')
    add_bot(ladder, tmp_path / "ann", Newcomer("ann"), MINE)
    add_bot(ladder, tmp_path / "bob", Newcomer("bob"), MINE.replace("Mine", "Own") + "# all my own work\n")
    add_bot(ladder, tmp_path / "cleo", Newcomer("cleo"), MINE.replace("> 11", "> 12"))
    ended = called("ladder", "copies", ladder.path)
    assert ended.code == 0, ended.err
    assert "a question to you, never a verdict" in ended.out
    assert "ann, bob: alike in the first " in ended.out
    assert "cleo" not in ended.out
    assert ended.err.count("is not compared") == 1, "the staff bot of this ladder is an empty file"
    assert "tight is not compared: it did not play to the end" in ended.err

    add_bot(ladder, tmp_path / "dora", Newcomer("dora"), MINE.replace("> 11", "> 12") + "# mine\n")
    asked.clear()
    ended = called("ladder", "copies", ladder.path)
    assert asked == ["tight", "dora"], "what the others answered was kept"
    assert "ann, bob: alike in the first " in ended.out
    assert "cleo, dora: alike in the first " in ended.out
