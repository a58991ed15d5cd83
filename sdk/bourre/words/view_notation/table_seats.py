"""Infers the seats of a view: the dealer, the leader, and the seats that are in."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.rules.actions import Decision
from bourre.rules.cards import show
from bourre.rules.errors import InvalidHouse
from bourre.rules.house import MAX_SEATS, MIN_SEATS, HouseRules
from bourre.words.view_notation.notation_values import (
    read_cards,
    read_int,
    read_ints,
    read_leader,
    read_plays,
    show_maybe,
)
from bourre.words.view_notation.notation_words import ViewTextError, Words

SEATS = 4
"""The default number of seats."""


@dataclass(frozen=True, slots=True)
class TableSeats:
    """The seats of a view and their roles."""

    seats: int
    seat: int
    dealer: int
    plays: tuple[bool | None, ...]
    leader: int | None

    @property
    def order(self) -> tuple[int, ...]:
        """The seats that are in, from the dealer's left."""
        return tuple(seat for seat in seats_after(self.dealer, self.seats) if self.plays[seat])


def infer_seats(words: Words, house: HouseRules) -> TableSeats:
    """Infers the seats from these words; raises ViewTextError."""
    seats = _count_seats(words, house)
    seat = _get_seat(words, "seat", seats, 0)
    declared = words.get("plays", read_plays, ())
    if words.decision == Decision.PLAY:
        return _infer_in_play(
            words, seats, seat, declared or _plays_from(seat, seats, words.get("playing", read_int, seats))
        )
    dealer = _get_seat(words, "dealer", seats, _infer_dealer(words, house, seats, seat, declared))
    plays = declared or _infer_plays(words, house, seats, seat, dealer)
    return TableSeats(seats, seat, dealer, plays, words.get("leader", read_leader, None))


def seats_after(seat: int, seats: int) -> tuple[int, ...]:
    """Returns all seats clockwise, from the left neighbour of this seat to itself."""
    return tuple((seat + turn) % seats for turn in range(1, seats + 1))


def _count_seats(words: Words, house: HouseRules) -> int:
    """Returns the number of seats: as stated, the length of a list, or enough for the players and seat numbers."""
    by_seat = (("plays", read_plays), ("balances", read_ints))
    lengths = [len(words.get(word, read, ())) for word, read in by_seat if word in words]
    play = words.decision == Decision.PLAY
    least = [words.get(word, read_int, 0) + 1 for word in ("seat", "dealer")]
    guess = max([MIN_SEATS, words.get("playing", read_int, SEATS) if play else SEATS, *least])
    seats = words.get("seats", read_int, lengths[0] if lengths else min(guess, MAX_SEATS))
    try:
        house.check_seats(seats)
    except InvalidHouse as error:
        raise ViewTextError(str(error)) from None
    if any(length != seats for length in lengths):
        raise ViewTextError(f"The table has {seats} seats.\nhint: use {seats} values for plays and for balances")
    return seats


def _get_seat(words: Words, word: str, seats: int, otherwise: int) -> int:
    seat = words.get(word, read_int, otherwise)
    if not 0 <= seat < seats:
        raise ViewTextError(f"{word}={seat}: the seats are 0 to {seats - 1}.\nhint: set a larger `seats`")
    return seat


def _plays_from(seat: int, seats: int, playing: int) -> tuple[bool | None, ...]:
    """Returns plays in which this many seats are in, from this seat to its left. The others passed."""
    if not 2 <= playing <= seats:
        raise ViewTextError(f"playing={playing}: at least 2 and at most {seats} play.\nhint: set a larger `seats`")
    return tuple((other - seat) % seats < playing for other in range(seats))


def _infer_in_play(words: Words, seats: int, seat: int, plays: tuple[bool | None, ...]) -> TableSeats:
    """Infers the leader, one seat back for each card of the trick, and the dealer, one seat before, unless stated."""
    # this seat, then the seats on its right
    back = tuple(other for other in reversed(seats_after(seat, seats)) if plays[other])
    trick = words.get("trick", read_cards, ())
    if not plays[seat] or len(trick) >= len(back):
        raise ViewTextError(
            f"seat {seat} plays to this trick, so it must be in, and the trick has at most {len(back) - 1} cards.\n"
            "hint: set another `trick`, `playing` or `plays`"
        )
    leader = words.get("leader", read_leader, back[len(trick)])
    if leader != back[len(trick)]:
        why = f"seat {seat} plays after {show(trick)}" if trick else "the trick is empty"
        raise ViewTextError(f"leader={show_maybe(leader)}: {why}, so seat {back[len(trick)]} leads")
    return TableSeats(seats, seat, _get_seat(words, "dealer", seats, _seat_before(leader, plays, seat)), plays, leader)


def _seat_before(leader: int | None, plays: tuple[bool | None, ...], seat: int) -> int:
    """Returns the playing seat on the leader's right. If it deals, the leader also led to the first trick."""
    seats = len(plays)
    first = seat if leader is None or not 0 <= leader < seats else leader
    return [other for other in seats_after(first, seats) if plays[other] or other == first][-2:][0]


def _infer_dealer(words: Words, house: HouseRules, seats: int, seat: int, declared: tuple[bool | None, ...]) -> int:
    """Infers the dealer before the play: the seat before the first declaration, or the seat that names trumps."""
    if words.decision == Decision.NAME_TRUMP:
        return seat
    if not _declares(words, house):
        return (seat - 1) % seats
    if not declared:
        return (seat - words.get("playing", read_int, 0) - 1) % seats
    right = [other for other in reversed(seats_after(seat, seats)) if other != seat]
    return next((other for other in right if declared[other] is None), seat)


def _declares(words: Words, house: HouseRules) -> bool:
    """Returns whether the decision is a declaration or its discards (R4.1)."""
    with_discards = words.decision == Decision.DRAW and house.declares_in_turn
    return words.decision == Decision.DECLARE or with_discards


def _infer_plays(words: Words, house: HouseRules, seats: int, seat: int, dealer: int) -> tuple[bool | None, ...]:
    """Infers the declarations so far: in turn, the seats from the dealer's left to this one, which are all in."""
    if words.decision == Decision.NAME_TRUMP:
        return (None,) * seats
    if not _declares(words, house):
        return _plays_from(seat, seats, words.get("playing", read_int, seats))
    if house.declares_at_once:
        return (None,) * seats
    order = seats_after(dealer, seats)
    earlier = order[: order.index(seat)]
    playing = words.get("playing", read_int, len(earlier))
    if not 0 <= playing <= len(earlier):
        raise ViewTextError(f"playing={playing}: at most {len(earlier)} can be in before seat {seat} declares")
    players = earlier[len(earlier) - playing :]
    return tuple(other in players if other in earlier else None for other in range(seats))
