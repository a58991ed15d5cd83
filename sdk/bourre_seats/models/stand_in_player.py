"""The mind of the stand-in: reads our own prompt back to a view, and decides like an example bot."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable, Mapping, Sequence

from bourre.bot import Bot
from bourre.bot_code.bot_file import find, load
from bourre.bot_code.decisions import decide
from bourre.bot_code.example_folders import shipped_folders
from bourre.rules.actions import Declare, Draw, NameTrump, Play, Stay
from bourre.rules.cards import Card
from bourre.rules.errors import BourreError
from bourre.rules.view import View
from bourre.words.view_notation import view
from bourre_seats.models.questions import ENTER

_NOTATION = re.compile(r"^In notation: (.*)$", re.MULTILINE)


class NoPrompt(BourreError):
    """A request holds no prompt of `bourre_seats.models`; the message says what is missing."""


class StandInPlayer:
    """Answers prompts as an example bot would, without thinking about their words."""

    def __init__(self, skill: str) -> None:
        """Raises BotFileError, which lists the example bots, if none has this name."""
        self._bot: type[Bot] = load(find(skill, tuple(shipped_folders())))

    def answer(self, question: str, seen: View) -> dict[str, object]:
        """Returns the JSON of an answer to a question by its name, a reason included."""
        return {"why": f"{self._bot.__name__} would.", **self._decision(question, seen)}

    def _decision(self, question: str, seen: View) -> dict[str, object]:
        if question == "take_turned":
            return {"take": False}
        match asyncio.run(decide(self._bot(), seen)):
            case Declare(plays=plays, discards=discards):
                return {"play": plays} | (_discarding(discards) if question == ENTER.name else {})
            case Draw(discards=discards):
                return _discarding(discards)
            case NameTrump(trump):
                return {"suit": str(trump)}
            case Stay(stays):
                return {"stay": stays}
            case Play(card):
                return {"card": str(card)}


def _discarding(cards: Iterable[Card]) -> dict[str, object]:
    return {"discard": [str(card) for card in cards]}


def view_in(messages: Sequence[Mapping[str, object]]) -> View:
    """Returns the view that the last prompt among these messages describes; raises NoPrompt."""
    texts = (str(message.get("content", "")) for message in reversed(messages) if message.get("role") == "user")
    found = next((match for match in map(_NOTATION.search, texts) if match), None)
    if found is None:
        raise NoPrompt(
            "no user message has a line `In notation: ...`: the stand-in only reads prompts of bourre_seats.models"
        )
    return view(found[1])


def question_in(body: Mapping[str, object], seen: View) -> str:
    """Returns the name of the question that a request asks: that of its schema, or else what the view is asked."""
    form = body.get("response_format")
    schema = form.get("json_schema") if isinstance(form, dict) else None
    return str(schema.get("name")) if isinstance(schema, dict) else str(seen.decision)


def card_against_the_rules(seen: View) -> Card | None:
    """Returns a card of the hand that may not be played now; None if there is none."""
    return next((card for card in seen.hand if card not in seen.legal), None) if seen.legal else None


def as_text(answer: Mapping[str, object]) -> str:
    """Writes an answer."""
    return json.dumps(answer)
