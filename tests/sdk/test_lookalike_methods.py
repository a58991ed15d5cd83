"""Methods whose names are nearly ours: the warning names the one that was meant, and there are no false alarms."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import bourre_referee
from bourre import Bot, Card, PracticeError, View, bot_from
from bourre.bot import METHODS
from bourre.bot_code.bot_file import load
from bourre.bot_code.lookalike_methods import find_misnamed
from bourre.connection.client import run
from bourre.practice import MisnamedMethod, practice, practice_duplicate
from bourre.testing import assert_legal

ROOT = Path(__file__).parents[2]
STARTER = Path(bourre_referee.__file__).parent / "evaluation" / "starters" / "python" / "bot.py"


def bot_with(*names: str, **methods: Callable[..., object]) -> type[Bot]:
    """A bot with methods of these names that take a view, and with these methods."""
    plain: dict[str, Callable[..., object]] = dict.fromkeys(names, lambda self, view: None)
    return type("Mine", (Bot,), plain | methods)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Play", "play"),
        ("PLAY", "play"),
        ("paly", "play"),
        ("plays", "play"),
        ("play_card", "play"),
        ("choose_card", "play"),
        ("declair", "declare"),
        ("decalre", "declare"),
        ("Declare", "declare"),
        ("bid", "declare"),
        ("discard", "draw"),
        ("exchange", "draw"),
        ("drwa", "draw"),
        ("takeTurned", "take_turned"),
        ("nameTrump", "name_trump"),
        ("choose_trump", "name_trump"),
        ("stay_in", "stay"),
        ("onEvent", "on_event"),
        ("on_events", "on_event"),
        ("onRenege", "on_renege"),
        ("on_match_ended", "on_match_end"),
        ("game_over", "on_match_end"),
    ],
)
def test_a_name_that_is_nearly_ours_is_told_with_what_was_meant(written: str, meant: str) -> None:
    (warning,) = find_misnamed(bot_with(written))
    question, _, what = warning.partition("? ")
    assert question == f"Mine.{written} is never called: did you mean {meant!r}"
    sentence, _, own = what.partition(" (If ")
    assert sentence.startswith((f"Bot.{meant} returns ", f"Bot.{meant} receives "))
    assert own == f"it is for your own use, begin its name with an underscore: _{written}.)"


@pytest.mark.parametrize(
    "name",
    [
        *("random", "strength", "count", "plan_ahead", "reset", "stats", "setup", "log", "_play", "_discard", "update"),
        *("__call__", "evaluate", "hand_value", "is_safe", "display", "delay", "decline", "learn", "save", *METHODS),
    ],
)
def test_other_names_are_the_bots_own_affair(name: str) -> None:
    assert list(find_misnamed(bot_with(name))) == []


def test_no_alarm_beside_the_method_itself() -> None:
    assert list(find_misnamed(bot_with("draw", "discard", "drawn", "exchange"))) == []


def test_no_alarm_for_what_could_not_take_its_arguments() -> None:
    assert list(find_misnamed(bot_with(plan=lambda self: None, discards=lambda self, hand, trump: None))) == []


def test_but_our_own_name_in_another_case_is_meant_whatever_it_takes() -> None:
    assert len(list(find_misnamed(bot_with(Play=lambda self: None)))) == 1


class Calling(Bot):
    """Calls the methods that would otherwise be taken for misspellings."""

    def play(self, view: View) -> Card:
        return min(view.legal, key=lambda card: (self.bid(view), card))

    @staticmethod
    def discards(view: View) -> list[Card]:
        return []

    @functools.cached_property
    def stays(self) -> int:
        return 3

    def bid(self, view: View) -> int:
        return len([self.discards(view) for _ in view.hand])


def test_no_alarm_for_what_the_bot_itself_calls() -> None:
    assert list(find_misnamed(Calling)) == []


def test_what_is_inherited_counts() -> None:
    base = bot_with("swap")
    assert len(list(find_misnamed(type("Child", (base,), {})))) == 1
    assert list(find_misnamed(type("Child", (base,), {"draw": lambda self, view: []}))) == []


@pytest.mark.parametrize("path", [*sorted((ROOT / "examples").glob("*.py")), STARTER], ids=lambda path: path.stem)
def test_no_alarm_for_examples_and_starters(path: Path) -> None:
    assert list(find_misnamed(load(str(path)))) == []


def test_nor_for_functions() -> None:
    assert list(find_misnamed(bot_from(play=lambda view: view.legal[-1]))) == []


def test_strict_practice_refuses_it_and_lenient_practice_tells_it() -> None:
    mine = bot_with("Play")
    with pytest.raises(MisnamedMethod, match=r"^Mine: Mine\.Play is never called: did you mean 'play'\?"):
        practice([mine, Bot], deals=2)
    assert issubclass(MisnamedMethod, PracticeError)
    (problem,) = practice([lambda: mine(), Bot], deals=2, matches=3, strict=False).problems
    assert "did you mean 'play'?" in problem


@contextmanager
def told_of_play() -> Iterator[None]:
    with pytest.raises((MisnamedMethod, AssertionError), match=r"did you mean 'play'\?"):
        yield


def test_so_do_duplicate_practice_and_the_ready_made_tests() -> None:
    with told_of_play():
        practice_duplicate([bot_with("Play"), Bot], 1, lambda seats, deal: [(0, 1), (1, 0)])
    with told_of_play():
        assert_legal(bot_with("Play"), deals=4, presets=["limit"])


def test_a_bot_at_a_referee_says_it_on_stderr(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("BOURRE_ADDRESS", raising=False)
    with pytest.raises(SystemExit):
        run(bot_with("Play"))
    assert capsys.readouterr().err.startswith("bourre: warning: Mine.Play is never called: did you mean 'play'?")
