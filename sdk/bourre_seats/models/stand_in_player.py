"""Reads a prompt back to a view, decides like an example bot, and makes trouble on demand."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bourre.bot import Bot
from bourre.bot_code.bot_file import find, load
from bourre.bot_code.decisions import decide_now
from bourre.bot_code.example_folders import shipped_folders
from bourre.rules.actions import Declare, Draw, NameTrump, Play, Stay
from bourre.rules.cards import Card, Suit
from bourre.rules.errors import BourreError
from bourre.rules.view import View
from bourre.words.table_words import SUIT_NAMES
from bourre.words.view_notation import view
from bourre_seats.models.questions import ENTER

_NOTATION = re.compile(r"^In notation: (.*)$", re.MULTILINE)


class NoPrompt(BourreError):
    """A request has no prompt of `bourre_seats.models`. The message names the missing part."""


class StandInPlayer:
    """Answers prompts like an example bot."""

    def __init__(self, skill: str) -> None:
        """Raises BotFileError, which lists the example bots, for an unknown name."""
        self._bot: type[Bot] = load(find(skill, tuple(shipped_folders())))

    def answer(self, question: str, seen: View) -> dict[str, object]:
        """Returns the JSON of an answer to the question of this name, with a reason."""
        return {"why": f"{self._bot.__name__} would.", **self._decision(question, seen)}

    def _decision(self, question: str, seen: View) -> dict[str, object]:
        if question == "take_turned":
            return {"take": False}
        match decide_now(self._bot(), seen, _result):
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


def _result(answer: Awaitable[object]) -> object:
    """Waits for a method that is `async`. Most are not, and need no event loop."""

    async def wait() -> object:
        return await answer

    return asyncio.run(wait())


def _discarding(cards: Iterable[Card]) -> dict[str, object]:
    return {"discard": [str(card) for card in cards]}


def view_in(messages: Sequence[Mapping[str, object]]) -> View:
    """Returns the view that the last prompt among these messages describes; raises NoPrompt."""
    texts = (str(message.get("content", "")) for message in reversed(messages) if message.get("role") == "user")
    found = next((match for match in map(_NOTATION.search, texts) if match), None)
    if found is None:
        raise NoPrompt(
            "No user message has a line `In notation: ...`. The stand-in reads only prompts of bourre_seats.models."
        )
    return view(found[1])


def question_in(body: Mapping[str, object], seen: View) -> str:
    """Returns the name of a request's question, by its schema, or else by the view's decision."""
    form = body.get("response_format")
    schema = form.get("json_schema") if isinstance(form, dict) else None
    return str(schema.get("name")) if isinstance(schema, dict) else str(seen.decision)


def card_against_the_rules(seen: View) -> Card | None:
    """Returns an illegal card of the hand; None if there is none."""
    return next((card for card in seen.hand if card not in seen.legal), None) if seen.legal else None


class StandInTrouble(StrEnum):
    """The kinds of trouble with an answer."""

    SLOW = "slow"
    """The answer comes after `--slow-seconds`."""
    TOO_MANY = "429"
    """The server has too many requests."""
    SERVER_ERROR = "500"
    CUT_OFF = "cut_off"
    """The connection ends in the middle of the reply."""
    GARBAGE = "garbage"
    """Words without a decision."""
    EMPTY = "empty"
    WRONG_CARD = "wrong_card"
    """A card of the hand breaks a rule. If none does, a later card will."""
    PROSE = "prose"
    """The right decision in a sentence instead of JSON."""
    TWO_CARDS = "two_cards"
    """A sentence with several cards and no decision."""
    TWO_ANSWERS = "two_answers"
    """Two different answers in JSON, one after the other."""
    ENDLESS_THOUGHT = "endless_thought"
    """The right decision in a thought that does not end."""
    LANGUAGE = "language"
    """The right decision in another language, without notation."""
    HUGE = "huge"
    """A text over the limit."""
    REFUSED = "refused"
    """The model refuses to answer."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """The model's text and its marks in the reply."""

    text: str
    refusal: str | None = None


_HUGE_LENGTH = 200_000


def can_spoil(trouble: StandInTrouble, answer: Mapping[str, object], seen: View) -> bool:
    """Returns whether this trouble is possible with this answer."""
    return trouble is not StandInTrouble.WRONG_CARD or ("card" in answer and card_against_the_rules(seen) is not None)


def spoil(trouble: StandInTrouble | None, answer: Mapping[str, object], seen: View) -> Spoken:
    """Returns the model's text with this trouble. Trouble of the server does not change the text."""
    match trouble:
        case StandInTrouble.GARBAGE:
            return Spoken("}{ lorem ipsum ][ 0x5f \ufffd\ufffd")
        case StandInTrouble.EMPTY:
            return Spoken("")
        case StandInTrouble.WRONG_CARD if "card" in answer and (wrong := card_against_the_rules(seen)):
            return Spoken(json.dumps({**answer, "card": str(wrong)}))
        case StandInTrouble.PROSE:
            return Spoken(_in_prose(answer))
        case StandInTrouble.TWO_CARDS:
            return Spoken("I could play the ace of spades, but also 2C, and either would win or lose.")
        case StandInTrouble.TWO_ANSWERS:
            return Spoken(
                f"{json.dumps(answer)}\n{json.dumps({key: _other(key, said) for key, said in answer.items()})}"
            )
        case StandInTrouble.ENDLESS_THOUGHT:
            return Spoken(f"<think>\nIt may be {json.dumps(answer)}, but")
        case StandInTrouble.LANGUAGE:
            return Spoken("Nach reiflicher Überlegung lege ich die Kreuz-Neun auf den Tisch.")
        case StandInTrouble.HUGE:
            return Spoken(json.dumps(answer) + " and so on" * (_HUGE_LENGTH // 10))
        case StandInTrouble.REFUSED:
            return Spoken("", refusal="I cannot help with gambling.")
        case _:
            return Spoken(json.dumps(answer))


def _other(key: str, said: object) -> object:
    """Returns another value of an answer's key."""
    match said:
        case bool():
            return not said
        case [*cards]:
            return [] if cards else ["2C"]
        case _:
            choice = {"card": ("2C", "3C"), "suit": ("C", "D")}.get(key, ("First.", "Second."))
            return choice[said == choice[0]]


def _in_prose(answer: Mapping[str, object]) -> str:
    match {key: value for key, value in answer.items() if key != "why"}:
        case {"card": card}:
            return f"After some thought I put {card} on the table."
        case {"play": plays}:
            return f"My answer is {'yes' if plays else 'no'}."
        case {"discard": list(cards)}:
            return f"I discard {' and '.join(cards) or 'none'}."
        case {"suit": suit}:
            return f"Let the trump be {SUIT_NAMES[Suit.parse(str(suit))]}."
        case decision:
            return f"My answer is {'yes' if next(iter(decision.values())) else 'no'}."
