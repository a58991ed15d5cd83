"""What practice says about illegal cards, illegal discards and exceptions, and how it treats them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable

import pytest

from bourre.bot import Bot
from bourre.practice import PracticeError, practice
from bourre.record import read
from bourre.rules.actions import Fault, Missing
from bourre.rules.cards import Card
from bourre.rules.events import Event, Reneged
from bourre.rules.house import HouseRules
from bourre.rules.visibility import View
from tests.sdk.bots import Drawing, Keen, Wild, events_of


def playing(play: Callable[[View], object]) -> type[Bot]:
    """A bot whose cards come from this function."""
    return type("Mine", (Keen,), {"play": lambda self, view: play(view)})


def drawing(draw: Callable[[View], object]) -> type[Bot]:
    """A bot whose discards come from this function."""
    return type("Mine", (Keen,), {"draw": lambda self, view: draw(view)})


def illegal(view: View) -> Card:
    return next((card for card in view.hand if card not in view.legal), view.legal[0])


def strange(view: View) -> Card:
    return next(card for card in (Card("2C"), Card("2D"), Card("2H")) if card not in view.hand)


PLACE = r"\(match 1, deal \d+, seat 0, seed 3\)\n  where: .+\n  hand .+, trump \w(, .*legal .+)?\n"


@pytest.mark.parametrize(
    ("mine", "words"),
    [
        (playing(illegal), r"^Mine: play returned \w\w, which breaks R[56]\.\d, [a-z, ]+ " + PLACE),
        (playing(strange), r"^Mine: play returned 2\w, which is not in its hand \(R8\.5\) " + PLACE),
        (
            playing(lambda view: "AS"),
            r"^Mine: play returned 'AS', which is not a Card: return a card of view\.legal, such as view\.legal\[0\] "
            + PLACE,
        ),
        (
            playing(lambda view: view.hand[9]),
            r"^Mine: play \(line \d+\) raised IndexError: tuple index out .+ " + PLACE,
        ),
        (
            playing(lambda view: view.leagl),  # type: ignore[attr-defined]
            r"^Mine: play \(line \d+\) raised AttributeError: .+ 'leagl'\. Did you mean 'legal'\? " + PLACE,
        ),
        (drawing(lambda view: [strange(view)]), r"^Mine: draw returned 2\w, but its hand lacks 2\w \(R4\.3\) " + PLACE),
        (
            drawing(lambda view: [view.hand[0]] * 2),
            r"^Mine: draw returned (\w\w) \1: each card can be discarded only once .+ " + PLACE,
        ),
        (drawing(lambda view: 5), r"^Mine: draw returned 5: return the cards to discard, as a list " + PLACE),
    ],
)
def test_strict_practice_stops_at_the_first_mistake(mine: type[Bot], words: str) -> None:
    with pytest.raises(PracticeError, match=words) as caught:
        practice([mine, Drawing, Bot, Bot], deals=50, seed=3)
    method = str(caught.value).split()[1]
    assert f'\n  as a test: view("{method} hand=' in str(caught.value)


def leave(view: View) -> Card:
    raise SystemExit(3)


def leave_at_once(view: View) -> Card:
    os._exit(3)


@pytest.mark.parametrize("leave", [leave, leave_at_once])
def test_a_bot_that_ends_the_program_is_told_of_too(leave: Callable[[View], Card]) -> None:
    before = os._exit
    with pytest.raises(
        PracticeError,
        match=r"^Mine: play \(line \d+\) raised SystemExit: 3. hint: return an answer instead of exiting, .+ "
        + PLACE
        + "  in a contest: its process ends",
    ):
        practice([playing(leave), Drawing, Bot, Bot], deals=50, seed=3)
    result = practice([playing(leave), Drawing, Bot, Bot], deals=20, seed=3, strict=False)
    assert 0 < result.bots[0].faults == len(result.problems)
    assert os._exit is before


def test_a_child_that_a_bot_forks_ends_as_always() -> None:
    def fork(view: View) -> Card:
        if child := os.fork():
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
            return view.legal[0]
        os._exit(3)

    assert practice([playing(fork), Bot], deals=1, seed=3).bots[0].deals == 1


class Waverer(Keen):
    """Returns from `play` at one of two lines, with a different card each time if it `wavers`."""

    wavers = False
    asked = 0

    def play(self, view: View) -> Card:
        print("asked")
        type(self).asked += 1
        if len(view.legal) == len(view.hand):
            return view.legal[0]
        wrong = [card for card in view.hand if card not in view.legal]
        return wrong[self.asked % len(wrong) if self.wavers else 0]


def stopped(bot: type[Bot]) -> str:
    with pytest.raises(PracticeError) as caught:
        practice([bot, Drawing, Bot, Bot], deals=50, seed=3)
    return str(caught.value)


def test_the_line_that_returned_an_illegal_card_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    first = Waverer.play.__code__.co_firstlineno
    before = Waverer.asked
    assert f"where: test_practice_mistakes.py, line {first + 6}, where play returns\n" in stopped(Waverer)
    asked = Waverer.asked - before - 1  # once more than needed: what it prints then is not shown
    assert capsys.readouterr().out == "asked\n" * asked


def test_a_bot_that_says_something_else_when_asked_again_has_no_such_line() -> None:
    class Fickle(Waverer):
        wavers = True

        def play(self, view: View) -> Card:
            return super().play(view)

    first = Fickle.play.__code__.co_firstlineno
    said = stopped(Fickle)
    assert f"line {first}, where play begins\n" in said


def test_the_tracer_that_was_there_before_is_there_again() -> None:
    def before(frame: object, event: str, value: object) -> None:
        return None

    kept = sys.gettrace()
    sys.settrace(before)
    try:
        stopped(Waverer)
        assert sys.gettrace() is before
    finally:
        sys.settrace(kept)


def test_too_many_discards_are_told_with_their_number() -> None:
    mine = drawing(lambda view: view.hand[:4])
    with pytest.raises(PracticeError, match=r"draw returned \w\w \w\w \w\w \w\w: at most 3 may be discarded \(R4\.3\)"):
        practice([mine, Bot], house=HouseRules.preset("limit", max_discards=3))


def test_the_cause_of_the_error_is_kept_and_the_seed_told() -> None:
    with pytest.raises(PracticeError) as caught:
        practice([playing(lambda view: view.hand[9]), Bot, Bot], deals=50, seed=b"\1\2")
    assert isinstance(caught.value.__cause__, IndexError)
    assert ", seed 0102)\n" in str(caught.value)


def test_lenient_practice_plays_on_as_a_referee_does() -> None:
    result = practice([playing(lambda view: view.hand[9]), Drawing, Bot], deals=20, seed=3, strict=False)
    record = read(result.matches[0].record)
    missing = [action for deal in record.deals for seat, action in deal.actions if isinstance(action, Missing)]
    assert missing == [Missing(Fault.ERROR)] * len(missing)
    assert 0 < len(missing) == result.bots[0].faults == len(result.problems)
    assert result.bots[0].chips < 0
    assert result.problems[0].startswith("Mine: play (line ")


def test_a_renege_is_prompted_and_can_be_corrected() -> None:
    heard: list[Reneged] = []

    class Careless(Keen):
        def play(self, view: View) -> Card:
            return view.legal[0] if view.correcting else illegal(view)

        def on_renege(self, renege: Reneged) -> None:
            heard.append(renege)

    result = practice([Careless, Drawing, Bot, Bot], deals=40, strict=False)
    assert heard == [event for event in events_of(result.matches[0]) if isinstance(event, Reneged)]
    assert len(heard) == result.bots[0].reneges > 0
    assert result.bots[0].faults == 0


class Deaf(Wild):
    """Raises at every notification."""

    def on_event(self, event: Event) -> None:
        raise KeyError("lost")


class Proud(Wild):
    """Raises when it is told of its reneges or losses."""

    def on_renege(self, renege: Reneged) -> None:
        raise KeyError("lost")

    def on_match_end(self, balances: tuple[int, ...]) -> None:
        raise KeyError("lost")


@pytest.mark.parametrize(("mine", "hook"), [(Deaf, "on_event"), (Proud, "on_renege"), (Proud, "on_match_end")])
def test_hooks_that_raise_are_mistakes_too(mine: type[Bot], hook: str) -> None:
    result = practice([mine, Drawing, Bot, Bot], deals=20, seed=4, strict=False)
    words = re.compile(rf"^{mine.__name__}: {hook} \(line \d+\) raised KeyError: 'lost'")
    assert any(words.match(problem) for problem in result.problems)
    with pytest.raises(PracticeError):
        practice([mine, Drawing, Bot, Bot], deals=20, seed=4)
