"""The kinds of trouble that the stand-in makes on request, as servers and models do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from bourre.rules.cards import Suit
from bourre.rules.view import View
from bourre.words.table_words import SUIT_NAMES
from bourre_seats.models.stand_in_player import as_text, card_against_the_rules


class Trouble(StrEnum):
    """What goes wrong with an answer."""

    SLOW = "slow"
    """It comes after `--slow-seconds`."""
    TOO_MANY = "429"
    """The server has too many requests."""
    SERVER_ERROR = "500"
    CUT_OFF = "cut_off"
    """The connection ends in the middle of the reply."""
    GARBAGE = "garbage"
    """Words without a decision."""
    EMPTY = "empty"
    WRONG_CARD = "wrong_card"
    """A card of the hand that breaks a rule; where there is none, a later card does."""
    PROSE = "prose"
    """The right decision in a sentence instead of JSON."""
    TWO_CARDS = "two_cards"
    """A sentence with several cards and no decision."""
    LANGUAGE = "language"
    """The right decision in words of another language, without notation."""
    HUGE = "huge"
    """More text than anybody reads."""
    REFUSED = "refused"
    """The model says that it will not answer."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What the model says, and how the reply marks it."""

    text: str
    refusal: str | None = None


_HUGE_LENGTH = 200_000


def can_spoil(trouble: Trouble, answer: Mapping[str, object], seen: View) -> bool:
    """Returns whether this can go wrong with this answer."""
    return trouble is not Trouble.WRONG_CARD or ("card" in answer and card_against_the_rules(seen) is not None)


def spoil(trouble: Trouble | None, answer: Mapping[str, object], seen: View) -> Spoken:
    """Returns what the model says with this trouble; those of the server leave the words as they are."""
    match trouble:
        case Trouble.GARBAGE:
            return Spoken("}{ lorem ipsum ][ 0x5f \ufffd\ufffd")
        case Trouble.EMPTY:
            return Spoken("")
        case Trouble.WRONG_CARD if "card" in answer and (wrong := card_against_the_rules(seen)):
            return Spoken(as_text({**answer, "card": str(wrong)}))
        case Trouble.PROSE:
            return Spoken(_in_prose(answer))
        case Trouble.TWO_CARDS:
            return Spoken("I could play the ace of spades, but also 2C, and either would win or lose.")
        case Trouble.LANGUAGE:
            return Spoken("Nach reiflicher Überlegung lege ich die Kreuz-Neun auf den Tisch.")
        case Trouble.HUGE:
            return Spoken(as_text(answer) + " and so on" * (_HUGE_LENGTH // 10))
        case Trouble.REFUSED:
            return Spoken("", refusal="I cannot help with gambling.")
        case _:
            return Spoken(as_text(answer))


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
