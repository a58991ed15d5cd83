"""The table as a person sees it, and how each event changes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from bourre.rules.cards import Card, Suit
from bourre.rules.events import (
    AntePaid,
    CardPlayed,
    DealEnded,
    DealStarted,
    Declared,
    Drew,
    Event,
    FinePaid,
    HandDealt,
    MatchPaid,
    Penalized,
    PotShared,
    PotTaken,
    RenegeCorrected,
    RenegeRetracted,
    Stayed,
    TrickReopened,
    TrickTaken,
    TrumpNamed,
    TrumpTurned,
    TurnedReturned,
    TurnedTaken,
)
from bourre.rules.view import View

State = Literal["", "in", "out"]
_STATES: dict[bool | None, State] = {None: "", True: "in", False: "out"}


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """What everyone sees of a seat; chips are its balance."""

    state: State = ""
    """In the deal, out of it, or empty before it has declared."""
    drew: int | None = None
    tricks: int = 0
    chips: int = 0
    barred: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """The table at one moment."""

    deal: int = 0
    dealer: int | None = None
    you: int | None = None
    """The seat of the person; None until its cards are dealt."""
    pot: int = 0
    trump: Suit | None = None
    turned: Card | None = None
    seats: tuple[SeatPicture, ...] = ()
    hand: tuple[Card, ...] = ()
    """The person's cards, lowest first."""
    trick: tuple[tuple[int, Card], ...] = ()
    """The seats and cards of the trick in progress, or of the last one until the next is led."""
    winner: int | None = None
    """The seat that took that trick; None while it is in progress."""

    def seat(self, number: int) -> SeatPicture:
        """Returns what everyone sees of a seat."""
        return self.seats[number] if number < len(self.seats) else SeatPicture()

    def change(self, number: int, change: Callable[[SeatPicture], SeatPicture]) -> Picture:
        """Returns the same table with one seat changed."""
        seats = [*self.seats, *[SeatPicture()] * (number + 1 - len(self.seats))]
        seats[number] = change(seats[number])
        return replace(self, seats=tuple(seats))

    def pay(self, number: int, chips: int) -> Picture:
        """Returns the table after a seat has paid these chips into the pot; negative ones leave it."""
        paid = self.change(number, lambda seat: replace(seat, chips=seat.chips - chips))
        return replace(paid, pot=self.pot + chips)


def picture_of(view: View) -> Picture:
    """Returns the table as the view of a decision shows it."""
    order = view.playing
    first = 0 if view.leader is None else order.index(view.leader)
    trick = zip((*order[first:], *order[:first]), view.trick, strict=False)
    return Picture(
        deal=view.deal,
        dealer=view.dealer,
        you=view.seat,
        pot=view.pot,
        trump=view.named,
        turned=view.turned,
        seats=tuple(_seat_of(view, seat) for seat in range(view.seats)),
        hand=view.hand,
        trick=tuple(trick),
    )


def _seat_of(view: View, seat: int) -> SeatPicture:
    state = _STATES[view.plays[seat]]
    return SeatPicture(state, view.drawn[seat], view.tricks_won[seat], view.balances[seat], seat in view.barred)


def after(picture: Picture, event: Event) -> Picture:
    """Returns the table after an event, as far as the person may know it."""
    match event:
        case DealStarted(deal, dealer):
            cleared = tuple(SeatPicture(chips=seat.chips) for seat in picture.seats)
            return Picture(deal, dealer, picture.you, picture.pot, seats=cleared)
        case AntePaid(seat, chips) | FinePaid(seat, chips) | MatchPaid(seat, chips):
            return picture.pay(seat, chips)
        case PotTaken(seat, chips) | PotShared(seat, chips):
            return picture.pay(seat, -chips)
        case DealEnded(_, balances, pot):
            seats = zip(picture.seats, balances, strict=False)
            return replace(picture, pot=pot, seats=tuple(replace(seat, chips=chips) for seat, chips in seats))
        case TrickTaken() | TrickReopened() | CardPlayed() | RenegeCorrected() | RenegeRetracted():
            return _after_card(picture, event)
        case _:
            return _after_entry(picture, event)


def _after_entry(picture: Picture, event: Event) -> Picture:
    match event:
        case HandDealt(seat, cards):
            known = picture.change(seat, lambda one: one)
            return known if cards is None else replace(known, you=seat, hand=tuple(sorted(cards)))
        case TrumpTurned(card, trump):
            return replace(picture, turned=card, trump=trump)
        case TurnedReturned():
            return replace(picture, turned=None)
        case TrumpNamed(_, trump):
            return replace(picture, trump=trump)
        case Declared(seat, state) | Stayed(seat, state):
            return picture.change(seat, lambda one: replace(one, state="in" if state else "out"))
        case Drew(seat, number, discarded, received):
            hand = tuple(sorted({*picture.hand, *(received or ())} - set(discarded or ())))
            return replace(picture.change(seat, lambda one: replace(one, drew=number)), hand=hand)
        case TurnedTaken(seat, card):
            hand = tuple(sorted({*picture.hand, card})) if seat == picture.you else picture.hand
            return replace(picture, hand=hand, turned=None)
        case Penalized(seat):
            return picture.change(seat, lambda one: replace(one, barred=True))
    return picture


def _after_card(
    picture: Picture, event: TrickTaken | TrickReopened | CardPlayed | RenegeCorrected | RenegeRetracted
) -> Picture:
    match event:
        case CardPlayed(seat, card):
            trick = () if picture.winner is not None else picture.trick
            hand = tuple(held for held in picture.hand if held != card)
            return replace(picture, trick=(*trick, (seat, card)), winner=None, hand=hand)
        case TrickTaken(seat):
            won = picture.change(seat, lambda one: replace(one, tricks=one.tricks + 1))
            return replace(won, winner=seat)
        case TrickReopened() if picture.winner is not None:
            lost = picture.change(picture.winner, lambda one: replace(one, tricks=one.tricks - 1))
            return replace(lost, winner=None)
        case RenegeCorrected(seat, card) | RenegeRetracted(seat, card):
            back = _take_back(picture, seat, card)
            barred = isinstance(event, RenegeCorrected)
            return back.change(seat, lambda one: replace(one, barred=one.barred or barred))
    return picture


def _take_back(picture: Picture, seat: int, card: Card) -> Picture:
    """Returns the table without a card that had been played; one that the referee never accepted is not on it."""
    if (seat, card) not in picture.trick:
        return picture
    hand = tuple(sorted({*picture.hand, card})) if seat == picture.you else picture.hand
    return replace(picture, trick=tuple(played for played in picture.trick if played != (seat, card)), hand=hand)
