"""The formula of R6.1 compared with an exhaustive search of every small deck.

`python -m tests.sdk.rules.cinch_check --cards 9` tries all decks of up to nine cards: every number of
trumps, seats and held cards, every card that may have been played; it prints a line for each number and a last line.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

from bourre.rules import cards, tricks
from bourre.rules.house import HouseRules

Card = tuple[int, int]
Hands = tuple[frozenset[Card], ...]
TRUMP = 0


def fewest_trump_tricks(
    hand: frozenset[Card], unseen: frozenset[Card], sizes: tuple[int, ...], trick: tuple[Card, ...]
) -> int:
    """The fewest tricks that the seat can take with trumps, from a trick to which it plays next.

    `sizes`: how many cards each of the others holds, first those that have yet to play to this trick; `unseen`: the
    cards of which they may hold any.
    """
    return min(_fewest((hand, *others), len(trick), trick, 0) for others in _deals(unseen, sizes))


def _deals(unseen: frozenset[Card], sizes: tuple[int, ...]) -> Iterator[Hands]:
    if not sizes:
        yield ()
        return
    for chosen in combinations(sorted(unseen), sizes[0]):
        held = frozenset(chosen)
        for rest in _deals(unseen - held, sizes[1:]):
            yield (held, *rest)


@cache
def _fewest(hands: Hands, laid: int, trick: tuple[Card, ...], turn: int) -> int:
    """`hands[0]` is the seat's; `turn` is the hand that plays next, after `laid` cards."""
    if laid == len(hands):
        winner = (turn + trick.index(best(trick))) % len(hands)
        mine = int(winner == 0 and best(trick)[0] == TRUMP)
        return mine + (_fewest(hands, 0, (), winner) if hands[0] else 0)
    return min(
        _fewest(
            (*hands[:turn], hands[turn] - {card}, *hands[turn + 1 :]), laid + 1, (*trick, card), (turn + 1) % len(hands)
        )
        for card in allowed(hands[turn], trick)
    )


def forget() -> None:
    """Frees the memory of the search."""
    _fewest.cache_clear()


def allowed(hand: frozenset[Card], trick: tuple[Card, ...]) -> list[Card]:
    """R5.2 to R5.5."""
    if not trick:
        return sorted(hand)
    able = [card for card in hand if card[0] == trick[0][0]] or [card for card in hand if card[0] == TRUMP]
    return [card for card in able if best((*trick, card)) == card] or able or sorted(hand)


def best(trick: tuple[Card, ...]) -> Card:
    """R5.1."""
    trumps = [card for card in trick if card[0] == TRUMP]
    return max(trumps or [card for card in trick if card[0] == trick[0][0]])


HOUSE = HouseRules()


@dataclass(frozen=True, slots=True)
class Table:
    """A small deck of each suit's highest cards, and a seat that holds `held` cards and plays after `laid` cards."""

    trumps: int
    plain: tuple[int, ...]
    held: int
    playing: int
    laid: int

    @property
    def pack(self) -> list[Card]:
        """Its cards."""
        return [(suit, rank) for suit, count in enumerate((self.trumps, *self.plain)) for rank in range(13 - count, 13)]


@dataclass
class Findings:
    """The number of hands examined with no trick won, with one and with two; and how many were a cinch."""

    asked: int = 0
    cinches: int = 0

    def add(self, other: Findings) -> None:
        """Adds up."""
        self.asked += other.asked
        self.cinches += other.cinches


def compare(table: Table) -> Findings:
    """Compares every hand before every trick; raises AssertionError if formula and search disagree."""
    found = Findings()
    pack = table.pack
    others = (table.held,) * (table.playing - 1 - table.laid) + (table.held - 1,) * table.laid
    for trick in permutations(pack, table.laid):
        left = frozenset(pack) - set(trick)
        for hand in map(frozenset, combinations(sorted(left), table.held)):
            fewest = fewest_trump_tricks(hand, left - hand, others, trick)
            for won in range(3):
                sure = won + fewest >= 3
                found.add(Findings(1, int(sure)))
                asked = position(hand, trick, pack, table.playing, won)
                assert tricks.is_cinch(asked) == sure, (sorted(hand), trick, won, fewest)
    forget()
    return found


def position(
    hand: frozenset[Card], trick: tuple[Card, ...], pack: list[Card], playing: int, won: int
) -> tricks.Position:
    """The position in the types of the rules; cards that the small deck lacks count as played."""
    return tricks.Position(
        hand=cards.card_set(map(real, hand)),
        trick=tuple(map(real, trick)),
        trump=cards.Suit.S,
        playing=playing,
        tricks_won=won,
        seen=cards.card_set(set(cards.DECK) - set(map(real, pack))),
        dead=0,
        house=HOUSE,
    )


def real(card: Card) -> cards.Card:
    """A card of the search as a card of the rules; suit 0, the trump, is spades."""
    suit, rank = card
    return cards.Card("23456789TJQKA"[rank] + "SHDC"[suit])


def tables(size: int) -> Iterator[Table]:
    """Every table for which a deck of this many cards, trumps and one plain suit, is enough.

    The last seat of a trick is left out: R6.2 does not apply to it, and R6.1 ignores that its winning card is safe.
    """
    for trumps in range(2, size):
        for playing in range(2, size // 2 + 1):
            for held in range(2, min(5, size // playing) + 1):
                for laid in range(playing - 1):
                    yield Table(trumps, (size - trumps,), held, playing, laid)


def main() -> None:
    """Tries all decks up to the size given."""
    parser = argparse.ArgumentParser(description="Check the formula of R6.1 by exhaustive search.")
    parser.add_argument(
        "--cards", type=int, default=8, help="the largest deck; two cards more take about 50 times as long"
    )
    largest = parser.parse_args().cards
    total = Findings()
    for size in range(4, largest + 1):
        found = Findings()
        for table in tables(size):
            found.add(compare(table))
        print(f"{size} cards: {found.asked} hands, {found.cinches} of them a cinch, no difference", flush=True)
        total.add(found)
    print(f"R6.1 is exact on every deck of up to {largest} cards: {total.asked} hands, {total.cinches} cinches")


if __name__ == "__main__":
    main()
