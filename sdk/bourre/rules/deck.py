"""Derives all chance from a match's seed (docs/data.md describes it for any language)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from functools import cache
from typing import Final, Protocol

from bourre.rules.cards import DECK, Card

_BLOCK: Final = 64
"""The block size of SHA-256 in bytes, to which HMAC pads its key (RFC 2104)."""


class Chance(Protocol):
    """The source of a match's cards. Tests replace it."""

    @property
    def by_seat(self) -> bool:
        """Whether every seat draws from its own places in the stock (`stock.SeatStock`)."""

    def stake(self, deal: int) -> int:
        """Returns the chips that every seat pays into the pot before the antes of this deal (from 1)."""

    def first_dealer(self, seats: int) -> int:
        """Returns the seat that deals first, uniform over the seats (R1.3)."""

    def draw_for_deal(self) -> list[Card]:
        """Returns all 52 cards in the order in which the seats draw for the first deal (R1.3)."""

    def deck(self, deal: int) -> list[Card]:
        """Returns all 52 cards in the order in which this deal (from 1) deals them (R1.2)."""

    def shuffle_gathered(self, deal: int, time: int, cards: Iterable[Card]) -> list[Card]:
        """Returns these cards shuffled into a new stock; `time` counts the gatherings of this deal from 1 (R4.4)."""

    def shuffle_returned(self, deal: int, cards: Iterable[Card]) -> list[Card]:
        """Returns the stock shuffled with the turned card, in `separate_returned` (R3.2)."""

    def seat_seed(self, deal: int, seat: int) -> int:
        """Returns 64 bits for the bot's own chance. They reveal nothing about the cards."""


class SeededChance:
    """The chance of real matches, which follows from 32 secret bytes."""

    __slots__ = ("_inner", "_outer", "seed")

    by_seat = False

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        key = seed if len(seed) <= _BLOCK else hashlib.sha256(seed).digest()
        self._inner = bytes([byte ^ 0x36 for byte in key.ljust(_BLOCK, b"\0")])
        self._outer = bytes([byte ^ 0x5C for byte in key.ljust(_BLOCK, b"\0")])

    def __reduce__(self) -> tuple[type[SeededChance], tuple[object, ...]]:
        """Keeps only the seed, from which all else follows. Without it, the compiled class cannot be pickled."""
        return SeededChance, (self.seed,)

    def stake(self, deal: int) -> int:
        return 0

    def first_dealer(self, seats: int) -> int:
        return int.from_bytes(self._derive("first dealer")) % seats

    def draw_for_deal(self) -> list[Card]:
        return _draw_all(self._derive("draw for the deal"), list(DECK))

    def deck(self, deal: int) -> list[Card]:
        return _draw_all(self._derive(f"deck {deal}"), list(DECK))

    def shuffle_gathered(self, deal: int, time: int, cards: Iterable[Card]) -> list[Card]:
        return shuffle(self._derive(f"gathering {deal} {time}"), cards)

    def shuffle_returned(self, deal: int, cards: Iterable[Card]) -> list[Card]:
        return shuffle(self._derive(f"returned {deal}"), cards)

    def seat_seed(self, deal: int, seat: int) -> int:
        return int.from_bytes(self._derive(f"bot {deal} {seat}")[:8])

    def _derive(self, label: str) -> bytes:
        """Works like `derive` in a third of the time. It spells out RFC 2104, because `hmac` is slow to set up."""
        inner = hashlib.sha256(self._inner + label.encode()).digest()
        return hashlib.sha256(self._outer + inner).digest()


class DuplicateChance(SeededChance):
    """The chance of format `duplicate`. A seat's cards do not depend on its bot or on the draws of other seats."""

    __slots__ = ("_stakes",)

    by_seat = True

    def __init__(self, seed: bytes, stakes: tuple[int, ...] = (0,)) -> None:
        """Before each deal, every seat pays one of the `stakes`, chosen uniformly."""
        super().__init__(seed)
        self._stakes = stakes

    def __reduce__(self) -> tuple[type[SeededChance], tuple[object, ...]]:
        return DuplicateChance, (self.seed, self._stakes)

    def stake(self, deal: int) -> int:
        return self._stakes[int.from_bytes(self._derive(f"stake {deal}")) % len(self._stakes)]


def master_seed(seed: int) -> bytes:
    """Returns the 32 bytes of a public (practice) seed: the SHA-256 of its decimal digits."""
    return hashlib.sha256(str(seed).encode()).digest()


def derive(seed: bytes, label: str) -> bytes:
    """Derives 32 bytes for one purpose: the HMAC-SHA-256 of the label under the seed."""
    return hmac.digest(seed, label.encode(), hashlib.sha256)


def start_seed(seed: bytes, bot: str) -> str:
    """Returns the start seed of a bot's process, from its match's seed. It reveals nothing about the cards."""
    return derive(seed, f"start {bot}").hex()


def shuffle(entropy: bytes, cards: Iterable[Card]) -> list[Card]:
    """Shuffles these cards by 32 bytes of entropy.

    The cards are sorted. The bytes are one big-endian number, which is divided in turn by the number of cards that are
    left. Each remainder picks the next card among them, counting from 0. 52! is below 2^226, so no order is likelier
    than another by more than one part in 2^30.
    """
    return _draw_all(entropy, sorted(cards))


def _draw_all(entropy: bytes, left: list[Card]) -> list[Card]:
    """Draws all cards from a sorted list, as `shuffle` describes."""
    number = int.from_bytes(entropy)
    order = []
    for counts, product in _divisor_groups(len(left)):
        number, picks = divmod(number, product)
        for count in counts:
            order.append(left.pop(picks % count))
            picks //= count
    return order


@cache
def _divisor_groups(cards: int) -> tuple[tuple[range, int], ...]:
    """Returns the divisors for this many cards in groups, each with the product of its group.

    A group's remainder is below 2^30, one digit of a Python integer, which Python divides fastest.
    """
    steps = []
    while cards:
        product, least = cards, cards - 1
        while product * least < 2**30 and least:
            product *= least
            least -= 1
        steps.append((range(cards, least, -1), product))
        cards = least
    return tuple(steps)
