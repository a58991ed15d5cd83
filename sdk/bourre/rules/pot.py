"""The chips of a match: the settlement of each deal (R7, R8), and the ledger of all payments."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from bourre.rules.compiled_class import mypyc_attr
from bourre.rules.house import HouseRules

S = TypeVar("S", bound=Hashable)
"""A seat: its number in a match, or any name if the rules are used alone."""


class Settlement(NamedTuple, Generic[S]):
    """The chips at the end of a deal. Seats are in the order of the caller."""

    winner: S | None
    taken: dict[S, int]
    """Chips each seat takes from the pot."""
    carry: int
    """Chips that stay in the pot."""
    payments: dict[S, int]
    """Chips that each seat pays into the next pot to match the pot, for bourré or a renege."""
    exempt: tuple[S, ...]
    """Seats that owe no ante for the next deal (R2.2)."""
    tied: tuple[S, ...]
    forfeit_deal: tuple[S, ...]
    """Seats that forfeit a turn to deal, once per corrected renege (R8.2)."""
    next_pot: int
    """Chips in the pot before the next antes."""


def settle(
    pot: int,
    tricks: Mapping[S, int],
    uncorrected: Collection[S],
    corrected: Collection[S],
    house: HouseRules,
) -> Settlement[S]:
    """Settles a deal (R7.1 to R7.4, R8.1 to R8.3).

    `pot` is the pot at the first lead, and `tricks` holds the tricks of every seat that played. `uncorrected` holds the
    seats that pay by R8.1. `corrected` holds each seat that corrected a renege, once for each renege.
    """
    barred: set[S] = {*uncorrected, *corrected}
    leaders = leading_seats(tricks, barred, house)
    winner = leaders[0] if len(leaders) == 1 and leaders[0] not in barred else None
    tied = tuple(leaders) if len(leaders) > 1 else ()
    taken = {winner: house.limited(pot)} if winner is not None else _divide(pot, tied, barred, house)
    payments = _payments(pot, tricks, uncorrected, house)
    carry = pot - sum(taken.values())
    exempt = _exempt(tricks, payments, tied, house) if payments or tied else ()
    next_pot = carry + sum(payments.values())
    # Keywords would take half of the time of a settlement.
    return Settlement(winner, taken, carry, payments, exempt, tied, tuple(corrected), next_pot)


def match_due(pot: int, house: HouseRules, *, bourred: bool, reneged: bool) -> int:
    """Returns the chips that a seat owes for bourré, a renege (a multiple of the pot) or the larger, limited (R7.4)."""
    multiple = house.renege_multiple if reneged else int(bourred)  # a multiple is at least 1, so it is the larger
    return house.limited(pot * multiple)


def leading_seats(tricks: Mapping[S, int], barred: Collection[S], house: HouseRules) -> list[S]:
    """Returns the seats with most tricks. The house rules may leave out barred seats (R8.3)."""
    if barred and house.renege_pot == "next_best":
        tricks = {seat: won for seat, won in tricks.items() if seat not in barred}
    most = max(tricks.values(), default=0)
    return [seat for seat, won in tricks.items() if won == most] if most else []


def _divide(pot: int, tied: tuple[S, ...], barred: Collection[S], house: HouseRules) -> dict[S, int]:
    sharing = [seat for seat in tied if seat not in barred]
    if house.tie == "carry" or not sharing:
        return {}
    share = house.limited(pot) // len(sharing)
    return dict.fromkeys(sharing, share) if share else {}


def _exempt(
    tricks: Mapping[S, int], payments: Mapping[S, int], tied: tuple[S, ...], house: HouseRules
) -> tuple[S, ...]:
    """Returns the seats that owe no ante for the next deal (R2.2)."""
    bourred = payments if house.exempt_bourre else ()
    level = tied if house.exempt_tied else ()
    return tuple([seat for seat in tricks if seat in bourred or seat in level])


def _payments(pot: int, tricks: Mapping[S, int], uncorrected: Collection[S], house: HouseRules) -> dict[S, int]:
    payments = {}
    for seat, won in tricks.items():
        if won == 0 or seat in uncorrected:
            due = match_due(pot, house, bourred=won == 0, reneged=seat in uncorrected)
            if due > 0:
                payments[seat] = due
    return payments


def share_pot(pot: int, seats: int, dealer: int) -> list[int]:
    """Shares the last pot equally among all seats. Odd chips go one each to seats from the dealer's left (R7.6)."""
    share, odd = divmod(pot, seats)
    return [share + ((seat - dealer - 1) % seats < odd) for seat in range(seats)]


UNIT: Final = 840
"""The units of a chip if deals are settled one by one. In units, 2 to 8 seats can share any pot equally."""


def settle_in_units(balances: Sequence[int], pot: int) -> tuple[int, ...]:
    """Returns each seat's result of a deal that is settled alone, with equal shares of the pot, in 1/840 chips."""
    return tuple(UNIT * chips + UNIT // len(balances) * pot for chips in balances)


@mypyc_attr(allow_interpreted_subclasses=True)
class Ledger:
    """The chips of a match: each seat's balance and the pot. They always add up to 0 (R7.5)."""

    __slots__ = ("balances", "pot")

    def __init__(self, seats: int) -> None:
        self.balances = [0] * seats
        self.pot = 0

    def pay(self, seat: int, chips: int) -> None:
        """Moves chips from a seat into the pot."""
        self.balances[seat] -= chips
        self.pot += chips

    def take(self, seat: int, chips: int) -> None:
        """Moves chips from the pot to a seat."""
        self.balances[seat] += chips
        self.pot -= chips
