"""What happens at the table, as sentences that a person reads or a screen reader says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bourre.rules.cards import Card
from bourre.rules.events import (
    AntePaid,
    CardDrawn,
    CardPlayed,
    DealEnded,
    DealForfeited,
    DealStarted,
    Declared,
    Drew,
    Event,
    Faulted,
    FinePaid,
    HandDealt,
    HouseTookOver,
    MatchEnded,
    MatchPaid,
    Penalized,
    PotCarried,
    PotShared,
    PotTaken,
    RenegeCorrected,
    Reneged,
    RenegeRetracted,
    Stayed,
    StockGathered,
    TrickReopened,
    TrickTaken,
    TrumpNamed,
    TrumpTurned,
    TurnedReturned,
    TurnedTaken,
    TurnForfeited,
)
from bourre.rules.sentences import sentence
from bourre.words.table_words import SUIT_NAMES, card_name
from bourre_seats.seat.picture import Picture


@dataclass(frozen=True, slots=True)
class Speaker:
    """Tells events to one person."""

    names: Sequence[str] = ()
    """The names of the seats, in order; a seat without one is called by its number."""

    def name(self, seat: int, you: int | None) -> str:
        """Returns what to call a seat in the middle of a sentence."""
        if seat == you:
            return "you"
        return self.called(seat)

    def called(self, seat: int) -> str:
        """Returns the name of a seat, whoever sits there."""
        return _spaced(self.names[seat]) if seat < len(self.names) else f"seat {seat}"

    def tell(self, event: Event, picture: Picture) -> str:
        """Returns a sentence about an event that has led to this picture; empty if it needs none."""
        match event:
            case DealStarted() | CardDrawn() | AntePaid() | HandDealt() | TrumpTurned() | TurnedReturned():
                return self._tell_opening(event, picture)
            case TrumpNamed() | TurnedTaken() | Declared() | Drew() | Stayed() | CardPlayed() | TrickTaken():
                return self._tell_move(event, picture)
            case PotTaken() | PotCarried() | MatchPaid() | FinePaid() | DealEnded() | PotShared() | MatchEnded():
                return self._tell_outcome(event, picture)
            case _:
                return self._tell_incident(event, picture)

    def _does(self, seat: int, picture: Picture, verb: str, rest: str = "") -> str:
        """Returns a sentence about what a seat does; `verb` is its plain form, such as `take`."""
        subject = self.name(seat, picture.you)
        said = verb if seat == picture.you else _third_person(verb)
        return f"{subject[:1].upper()}{subject[1:]} {said}{' ' * bool(rest)}{rest}."

    def _tell_opening(self, event: Event, picture: Picture) -> str:
        match event:
            case DealStarted(deal, dealer):
                carried = f" The pot already holds {_chips(picture.pot)}." if picture.pot else ""
                return f"Deal {deal}. {self._does(dealer, picture, 'deal')}{carried}"
            case CardDrawn(seat, card):
                return self._does(seat, picture, "draw", f"the {card_name(card)} for the first deal")
            case AntePaid(seat, chips):
                return self._does(seat, picture, "pay", f"an ante of {_chips(chips)}")
            case HandDealt(_, cards):
                return "" if cards is None else f"You are dealt the {cards_in_words(cards)}."
            case TrumpTurned(card, trump):
                return f"The {card_name(card)} is turned up: {SUIT_NAMES[trump]} are trump."
            case TurnedReturned(card):
                return f"The {card_name(card)} is shuffled back into the stock."
        return ""

    def _tell_move(self, event: Event, picture: Picture) -> str:
        match event:
            case TrumpNamed(seat, trump):
                return self._does(seat, picture, "name", f"{SUIT_NAMES[trump]} as trump")
            case TurnedTaken(seat, card):
                return self._does(seat, picture, "take", f"the turned {card_name(card)}")
            case Declared(seat, plays, obliged):
                return self._does(seat, picture, "play" if plays else "pass", "as the rules oblige" * obliged)
            case Drew(seat, number, _, received):
                got = f" for the {cards_in_words(received)}" if received else ""
                if not number:
                    return self._does(seat, picture, "keep", "every card")
                return self._does(seat, picture, "exchange", f"{number} card{'s' * (number != 1)}{got}")
            case Stayed(seat, stays):
                return self._does(seat, picture, "stay" if stays else "pass", "" if stays else "after the draw")
            case CardPlayed(seat, card):
                return self._does(
                    seat, picture, "lead" if len(picture.trick) == 1 else "play", f"the {card_name(card)}"
                )
            case TrickTaken(seat, trick):
                return self._does(seat, picture, "take", f"trick {trick}")
        return ""

    def _tell_outcome(self, event: Event, picture: Picture) -> str:
        match event:
            case PotTaken(seat, chips):
                return self._does(seat, picture, "win", f"{_chips(chips)} from the pot")
            case PotCarried(chips, tied, played):
                return self._tell_carried(chips, tied, played, picture)
            case MatchPaid(seat, chips, bourred, reneged):
                why = " and ".join(["going bourré: no trick taken"] * bourred + ["a renege"] * reneged)
                return self._does(seat, picture, "pay", f"{_chips(chips)} for {why}")
            case FinePaid(seat, chips):
                return self._does(seat, picture, "pay", f"{_chips(chips)} in fines")
            case DealEnded(deal, balances):
                yours = "" if picture.you is None else f" You stand at {balances[picture.you]:+d}."
                return f"Deal {deal} is over.{yours}"
            case PotShared(seat, chips):
                return self._does(seat, picture, "get", f"{_chips(chips)} of the pot left on the table")
            case MatchEnded(balances):
                yours = "" if picture.you is None else f" You end with {balances[picture.you]:+d}."
                return f"The game is over.{yours}"
        return ""

    def _tell_carried(self, chips: int, tied: Sequence[int], played: bool, picture: Picture) -> str:
        if tied:
            who = " and ".join(self.name(seat, picture.you) for seat in tied)
            why = f"{who[:1].upper()}{who[1:]} tie for most tricks"
        else:
            why = "The winner is barred" if played else "Nobody plays"
        return f"{why}: {_stay(chips)} in the pot."

    def _tell_incident(self, event: Event, picture: Picture) -> str:
        match event:
            case Reneged(seat, card, rule):
                return self._does(seat, picture, "renege", f"with the {card_name(card)}: {sentence(rule)}")
            case RenegeCorrected(seat, card):
                who = self.name(seat, picture.you)
                cost = f"{who} cannot win this pot, and the next turn to deal is lost"
                return f"{self._does(seat, picture, 'take', f'back the {card_name(card)}')} The cost: {cost}."
            case RenegeRetracted(seat, card):
                return self._does(seat, picture, "take", f"back the {card_name(card)}")
            case TrickReopened(trick):
                return f"Trick {trick} is open again."
            case Penalized(seat, rule, match):
                owed = f"owe {_chips(match)}" if seat == picture.you else f"owes {_chips(match)}"
                barred = self._does(seat, picture, "cannot", "win this pot any more").rstrip(".")
                return f"{barred} and {owed}: {sentence(rule)}."
            case Faulted(seat, fault):
                return self._does(seat, picture, "give", f"no usable answer: {fault.replace('_', ' ')}")
            case DealForfeited(seat):
                return self._does(seat, picture, "answer", "too early, and the next turn to deal is lost (R4.7)")
            case TurnForfeited(seat):
                return self._does(seat, picture, "miss", "a turn to deal (R1.4)")
            case HouseTookOver(seat):
                return f"The house plays for {self.name(seat, picture.you)} from here on."
            case StockGathered(cards):
                return f"The stock is empty: {cards} cards are shuffled into a new one (R4.4)."
        return ""


def _spaced(name: str) -> str:
    """Returns the name of an example as people write it: `Monte Carlo` for `monte_carlo`."""
    return name.replace("_", " ").title() if name.islower() else name


def cards_in_words(cards: Sequence[Card]) -> str:
    """Returns the full names of these cards: `two of clubs, king of hearts`."""
    return ", ".join(map(card_name, cards))


def _chips(number: int) -> str:
    return f"{number} chip{'s' * (number != 1)}"


def _stay(chips: int) -> str:
    return f"{_chips(chips)} stay{'s' * (chips == 1)}" if chips else "nothing stays"


def _third_person(verb: str) -> str:
    if verb == "cannot":
        return verb
    if verb.endswith("ss"):
        return f"{verb}es"
    return f"{verb}s"
