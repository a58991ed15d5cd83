"""A recorded decision asked again: what the bot says now, where it first differs, and in a debugger."""

from __future__ import annotations

import asyncio
from bdb import BdbQuit
from io import StringIO

import pytest

from bourre.bot import Bot
from bourre.practice import practice
from bourre.practice.debugging import Debugger
from bourre.practice.repro import reproduce
from bourre.record import RecordedAsk, asks, read
from bourre.rules.actions import Play
from bourre.rules.cards import Card
from bourre.rules.events import Event
from bourre.rules.visibility import View, visible_to
from tests.sdk.bots import Keen, Wild


class Low(Keen):
    def play(self, view: View) -> Card:
        return view.legal[0]


class Later(Keen):
    async def play(self, view: View) -> Card:
        card = view.legal[0]
        await asyncio.sleep(0)
        return card


class High(Keen):
    """Plays another card than `Low`, and hears all that happens."""

    heard: list[Event]

    def __init__(self) -> None:
        High.heard = []

    def on_event(self, event: Event) -> None:
        self.heard.append(event)

    def play(self, view: View) -> Card:
        return view.legal[-1]


def asked_of(bot: type[Bot]) -> list[RecordedAsk]:
    """What a bot was asked in a match, up to a card."""
    played = practice({"mine": bot, "other": Wild}, deals=6, seed=3, strict=False).matches[0]
    found = list(asks(read(played.record), 0))
    return found[: max(number for number, ask in enumerate(found) if isinstance(ask.action, Play)) + 1]


def test_the_first_answer_that_differs_is_told_and_the_match_goes_on_as_recorded() -> None:
    asked = asked_of(Low)
    same, other = reproduce(Low, "mine", asked), reproduce(High, "mine", asked)
    assert (same.wanted.same, same.wanted.ask, same.otherwise) == (True, asked[-1], None)
    differing = [ask for ask in asked if isinstance(ask.action, Play) and ask.action.card != ask.view.legal[-1]]
    assert other.otherwise is not None
    assert other.otherwise.ask == differing[0] != differing[-1] == other.wanted.ask
    assert other.otherwise.said == (Play(differing[0].view.legal[-1]),)
    told = [event for ask in asked for event in ask.events]
    assert High.heard == list(visible_to(asked[0].view.seat, told))


def test_what_is_illegal_or_raised_is_a_problem() -> None:
    class Raising(Keen):
        def play(self, view: View) -> Card:
            raise KeyError("lost")

    class Reneging(Keen):
        def play(self, view: View) -> Card:
            return next(card for card in map(Card, ("2C", "2D", "2H")) if card not in view.hand)

    asked = asked_of(Low)
    raised, illegal = reproduce(Raising, "mine", asked).wanted, reproduce(Reneging, "mine", asked).wanted
    assert (raised.said, raised.problem[:11], type(raised.error)) == ((), "play (line ", KeyError)
    assert (len(illegal.said), illegal.error) == (1, None)
    assert "which is not in its hand (R8.5)" in illegal.problem


def debugger(command: str, shown: StringIO) -> Debugger:
    """A debugger whose user types one command."""
    return Debugger(stdin=StringIO(f"{command}\n"), stdout=shown, nosigint=True, readrc=False)


@pytest.mark.parametrize(("bot", "line"), [(Low, "-> return view.legal[0]"), (Later, "-> card = view.legal[0]")])
def test_a_debugger_stops_in_the_last_decision_and_ends_when_its_user_quits(bot: type[Bot], line: str) -> None:
    asked, shown = asked_of(bot), StringIO()
    found = reproduce(bot, "mine", asked, debugger("continue", shown))
    assert (found.wanted.same, found.otherwise) == (True, None)
    assert shown.getvalue().count(line) == 1
    with pytest.raises(BdbQuit):
        reproduce(bot, "mine", asked, debugger("quit", StringIO()))
