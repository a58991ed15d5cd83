"""Learns each bot from separate deals: when it plays, and what it discards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from least_squares import fit
from playings import LIMIT, play_out

from bourre.practice.session import BotMaker
from bourre.rules.cards import SUIT_CARDS, Suit, card_set, highest
from bourre.rules.deck import DuplicateChance
from bourre.rules.events import Declared, Drew, Event, HandDealt, TrumpTurned
from bourre.rules.match import Match
from bourre_referee.contest.schedule.duplicate_seatings import seatings

JACK, QUEEN, KING, ACE = 11, 12, 13, 14
RANKS = range(2, ACE + 2)


def side_cards_below(rank: int, hand: int, trump: Suit) -> int:
    """Returns the cards of a hand, as a set, that are not trumps and lower than this."""
    return hand & ~SUIT_CARDS[trump] & ((1 << 4 * rank) - 1)


def features(hand: int, trump: Suit, rivals: int, to_come: int) -> tuple[float, ...]:
    """Returns the features of a declaration; `rivals` already play, `to_come` declare later."""
    trumps = hand & SUIT_CARDS[trump]
    best = highest(trumps).rank if trumps else 0
    side = hand & ~SUIT_CARDS[trump]
    strong = [trumps.bit_count() >= count for count in (1, 2, 3)] + [best >= rank for rank in (JACK, QUEEN, KING)]
    faces, aces = side >> 4 * JACK, (side >> 4 * ACE).bit_count()
    return (1.0, *strong, faces > 0, aces, rivals, to_come, rivals >= 3)


@dataclass(frozen=True, slots=True)
class Model:
    """The learned model of a bot."""

    weights: tuple[float, ...]
    """Weights of the features: the bot plays if the sum exceeds one half."""
    keeps_from: int
    """The lowest rank that it keeps outside trumps."""

    def comes_in(self, hand: int, trump: Suit, rivals: int, to_come: int) -> bool:
        """Whether it plays this hand."""
        found = features(hand, trump, rivals, to_come)
        return sum(weight * value for weight, value in zip(self.weights, found, strict=True)) > 0.5

    def discards(self, hand: int, trump: Suit, most: int) -> int:
        """Returns its discards, as a set of at most `most` cards."""
        weak = side_cards_below(self.keeps_from, hand, trump)
        while weak.bit_count() > most:
            weak &= weak - 1
        return weak


class Listener:
    """Notes what each seat did in one deal, and with which cards."""

    def __init__(self, seats: int) -> None:
        self.declared: list[tuple[int, tuple[float, ...], bool]] = []
        self.thrown: list[tuple[int, int, int, Suit]] = []
        """Seat, hand, discards, trump."""
        self._hands = [0] * seats
        self._trump = Suit.C
        self._rivals = 0
        self._to_come = seats

    def hear(self, events: Iterable[Event]) -> None:
        """Notes the events."""
        for event in events:
            match event:
                case HandDealt(seat, cards):
                    self._hands[seat] = card_set(cards or ())
                case TrumpTurned(_, trump):
                    self._trump = trump
                case Declared(seat, plays, obliged):
                    self._to_come -= 1
                    if not obliged:
                        found = features(self._hands[seat], self._trump, self._rivals, self._to_come)
                        self.declared.append((seat, found, plays))
                    self._rivals += plays
                case Drew(seat, discarded=discarded):
                    self.thrown.append((seat, self._hands[seat], card_set(discarded or ()), self._trump))


def learn(bots: Sequence[BotMaker], deals: int, seed: bytes) -> list[Model]:
    """Learns a model of each bot, by number, from this many duplicate deals."""
    declared: list[list[tuple[tuple[float, ...], bool]]] = [[] for _ in bots]
    thrown: list[list[tuple[int, int, Suit]]] = [[] for _ in bots]
    for deal in range(1, deals + 1):
        for line_up in seatings(len(bots), deal):
            listener = Listener(len(bots))
            match = Match(len(bots), deal, LIMIT, DuplicateChance(seed), only=deal)
            play_out(match, [bots[bot] for bot in line_up], listener.hear)
            for seat, found, plays in listener.declared:
                declared[line_up[seat]].append((found, plays))
            for seat, *draw in listener.thrown:
                thrown[line_up[seat]].append((draw[0], draw[1], Suit(draw[2])))
    return [Model(_weights(said), _keeps_from(draws)) for said, draws in zip(declared, thrown, strict=True)]


def _weights(said: Sequence[tuple[tuple[float, ...], bool]]) -> tuple[float, ...]:
    return tuple(fit([found for found, _ in said], [float(plays) for _, plays in said]))


def _keeps_from(draws: Sequence[tuple[int, int, Suit]]) -> int:
    """Returns the rank that explains most discards."""

    def mistakes(rank: int) -> int:
        return sum((side_cards_below(rank, hand, trump) ^ gone).bit_count() for hand, gone, trump in draws)

    return min(RANKS, key=mistakes)
