"""A seat's knowledge as a vector of numbers. `SECTIONS` lists its parts, and `counts_of` and `chips_of` fill it.

Seats are relative: 0 is the observing seat, 1 the seat to its left. Tables of any size have the same vector, with 0
for absent seats. Cards are in the order of `DECK`: by rank, then C D H S.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log1p
from typing import Final, NamedTuple

from bourre.rules.actions import Decision
from bourre.rules.cards import DECK, Suit, card_set
from bourre.rules.house import MAX_SEATS
from bourre.rules.tricks import beats
from bourre.rules.view import View
from bourre_lab.envs.action_space import card_flags


class FeatureSection(NamedTuple):
    """A part of the vector."""

    name: str
    size: int
    meaning: str


SECTIONS: Final = (
    FeatureSection("hand", 52, "the cards held"),
    FeatureSection("discarded", 52, "the own discards of this deal"),
    FeatureSection("played", 52, "the cards of the completed tricks"),
    FeatureSection("trick", 52, "the cards of the trick in progress"),
    FeatureSection("turned", 52, "the card that was turned up"),
    FeatureSection("recalled", 52, "the cards that were shown in a renege and taken back"),
    FeatureSection("present", 8, "1 for each seat of the table"),
    FeatureSection("dealer", 8, "1 for the dealer"),
    FeatureSection("in", 8, "1 for each seat that is in"),
    FeatureSection("passed", 8, "1 for each seat that has passed"),
    FeatureSection("served", 8, "1 for each seat that has drawn"),
    FeatureSection("drawn", 8, "how many cards each seat drew"),
    FeatureSection("won", 8, "the tricks that each seat has won"),
    FeatureSection("leader", 8, "1 for the leader of the trick in progress"),
    FeatureSection("winning", 8, "1 for the seat whose card wins the trick so far"),
    FeatureSection("barred", 8, "1 for each seat that cannot win the pot (R8)"),
    FeatureSection("owed", 8, "the turns to deal that each seat has yet to forfeit, 127 at most"),
    FeatureSection("void", 32, "1 for each seat and suit, C D H S, that the seat did not follow"),
    FeatureSection("trump", 4, "1 for the trump suit, C D H S; all 0 until it is named"),
    FeatureSection("decision", 6, "1 for what is asked: name_trump, declare, draw, stay, play, or recall"),
    FeatureSection("correcting", 1, "1 if a renege is to be corrected"),
    FeatureSection("dead", 1, "1 if the turned card belongs to nobody"),
    FeatureSection("max_discards", 1, "the most cards that may be discarded"),
    FeatureSection("deals_left", 1, "the deals that follow this one, 127 at most"),
    FeatureSection("pot", 1, "the pot, in chips"),
    FeatureSection("match", 1, "what going bourré costs, in chips"),
    FeatureSection("balances", 8, "the balance of each seat, in chips"),
)
"""The parts of the vector in order. Chips x become ln(1 + x), or -ln(1 - x) below 0, within -127 and 127."""


def _starts() -> Iterator[tuple[str, int]]:
    start = 0
    for section in SECTIONS:
        yield section.name, start
        start += section.size
    yield "end", start


STARTS: Final = dict(_starts())
"""The first place of each section. `end` is the size of the vector."""
SIZE: Final = STARTS["end"]
COUNTS: Final = STARTS["pot"]
"""The number of whole numbers at the beginning. Chips follow them."""

_CARDS: Final = STARTS["present"]
_PRESENT: Final = STARTS["present"]
_DEALER: Final = STARTS["dealer"]
_IN: Final = STARTS["in"]
_PASSED: Final = STARTS["passed"]
_SERVED: Final = STARTS["served"]
_DRAWN: Final = STARTS["drawn"]
_WON: Final = STARTS["won"]
_LEADER: Final = STARTS["leader"]
_WINNING: Final = STARTS["winning"]
_BARRED: Final = STARTS["barred"]
_OWED: Final = STARTS["owed"]
_VOID: Final = STARTS["void"]
_TRUMP: Final = STARTS["trump"]
_DECISION: Final = STARTS["decision"]
_CORRECTING: Final = STARTS["correcting"]
_DEAD: Final = STARTS["dead"]
_MAX_DISCARDS: Final = STARTS["max_discards"]
_DEALS_LEFT: Final = STARTS["deals_left"]
_RECALL: Final = 5
_DECISIONS: Final = {decision: place for place, decision in enumerate(Decision)}
_MOST: Final = 127
_AFTER_CARDS: Final = bytes(COUNTS - _CARDS)
_NO_CARDS: Final = bytes(len(DECK))
_SUITS: Final = len(Suit)
_HUGE: Final = 10**55
"""Amounts this large (logarithm 127) share one value, because a pot without a limit is unbounded."""
_LOGS: Final = tuple(log1p(chips) for chips in range(1000))


def counts_of(view: View, recalls: bool = False) -> bytearray:
    """Returns the first `COUNTS` numbers of the vector as bytes. `recalls`: a silent renege may be corrected."""
    counts = bytearray(b"".join(_card_parts(view)))
    me = view.seat
    seats = len(view.balances)
    plays, drawn, owed = view.plays, view.drawn, view.owed_turns
    for seat in range(seats):
        place = (seat - me) % seats
        counts[_PRESENT + place] = 1
        if plays[seat] is not None:
            counts[(_IN if plays[seat] else _PASSED) + place] = 1
        number = drawn[seat]
        if number is not None:
            counts[_SERVED + place] = 1
            counts[_DRAWN + place] = number
        if owed[seat]:
            counts[_OWED + place] = min(owed[seat], _MOST)
    counts[_DEALER + (view.dealer - me) % seats] = 1
    for seat in view.barred:
        counts[_BARRED + (seat - me) % seats] = 1
    if view.named is not None:
        counts[_TRUMP + view.named] = 1
    counts[_DECISION + (_RECALL if recalls else _DECISIONS[view.decision])] = 1
    counts[_CORRECTING] = view.correcting is not None
    counts[_DEAD] = view.dead is not None
    counts[_MAX_DISCARDS] = view.max_discards
    counts[_DEALS_LEFT] = min(view.deals - view.deal, _MOST)
    if view.leader is not None:
        _mark_tricks(counts, view, view.leader)
    return counts


def _card_parts(view: View) -> list[bytes]:
    """Returns the sections of cards, and zeros for all others."""
    parts = card_flags(card_set(view.hand))
    parts += card_flags(card_set(view.discarded)) if view.discarded else [_NO_CARDS]
    played = 0
    for trick in view.tricks:
        played |= card_set(trick.cards)
    parts += card_flags(played) if played else [_NO_CARDS]
    parts += card_flags(card_set(view.trick)) if view.trick else [_NO_CARDS]
    parts += card_flags(1 << view.turned) if view.turned is not None else [_NO_CARDS]
    parts += card_flags(card_set([card for _, card in view.recalled])) if view.recalled else [_NO_CARDS]
    parts.append(_AFTER_CARDS)
    return parts


def _mark_tricks(counts: bytearray, view: View, leader: int) -> None:
    """Marks the leader and the winner of the trick in progress, the tricks won, and the suits not followed."""
    me, seats, trump = view.seat, len(view.balances), view.trump
    playing = view.playing
    counts[_LEADER + (leader - me) % seats] = 1
    for trick in view.tricks:
        counts[_WON + (trick.winner - me) % seats] += 1
        _mark_voids(counts, playing, trick.leader, trick.cards, me, seats)
    if view.trick:
        _mark_voids(counts, playing, leader, view.trick, me, seats)
        first = playing.index(leader)
        best, winner = view.trick[0], leader
        for turn, card in enumerate(view.trick):
            if beats(card, best, trump):
                best, winner = card, playing[(first + turn) % len(playing)]
        counts[_WINNING + (winner - me) % seats] = 1


def _mark_voids(
    counts: bytearray, playing: tuple[int, ...], leader: int, cards: tuple[int, ...], me: int, seats: int
) -> None:
    led = cards[0] & 3
    place = playing.index(leader)
    for card in cards:
        if (card & 3) ^ led:
            counts[_VOID + (playing[place] - me) % seats * _SUITS + led] = 1
        place += 1
        if place == len(playing):
            place = 0


def chips_of(view: View) -> list[float]:
    """Returns the other numbers of the vector, which are logarithms of chips."""
    me, balances = view.seat, view.balances
    logs = [_log(view.pot), _log(view.match)]
    logs += [_log(chips) for chips in balances[me:]]
    logs += [_log(chips) for chips in balances[:me]]
    logs += [0.0] * (MAX_SEATS - len(balances))
    return logs


def _log(chips: int) -> float:
    if chips < 0:
        return -_log(-chips)
    if chips < len(_LOGS):
        return _LOGS[chips]
    return log1p(chips) if chips < _HUGE else float(_MOST)
