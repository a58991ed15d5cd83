"""Replays deals for the statistics: seats, hands, decisions, and the owner of every chip that moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bourre.record import Record, replay
from bourre.rules.actions import Fault
from bourre.rules.cards import Card, Suit
from bourre.rules.events import (
    AntePaid,
    DealEnded,
    DealStarted,
    Declared,
    Drew,
    Event,
    Faulted,
    FinePaid,
    HandDealt,
    HouseTookOver,
    MatchPaid,
    Penalized,
    PotShared,
    PotTaken,
    RenegeCorrected,
    Reneged,
    RenegeRetracted,
    Stayed,
    TrickReopened,
    TrickTaken,
    TrumpNamed,
    TrumpTurned,
)
from bourre.rules.pot import UNIT


@dataclass(slots=True)
class PlayedDeal:
    """One deal as it was played, in `duplicate` in one of its seatings. All lists are by seat."""

    deal: int
    """The number of the deal, starting at 1."""
    dealer: int
    line_up: tuple[int, ...]
    """The bot in each seat, by number in the match."""
    unit: int
    """How many parts a chip has: `moves` and `chips` count these parts. 840 in format `duplicate`."""
    trump: Suit | None = None
    hands: list[tuple[Card, ...]] = field(default_factory=list)
    """The hands before the draw."""
    playing: list[bool] = field(default_factory=list)
    discards: list[int] = field(default_factory=list)
    tricks: list[int] = field(default_factory=list)
    bourred: list[bool] = field(default_factory=list)
    """Whether the seat paid for taking no trick."""
    last_winner: int = 0
    """The seat that took the last trick."""
    moves: list[tuple[int, int]] = field(default_factory=list)
    """Seats and amounts, in order. Positive amounts come out of the pot, negative ones go into it."""

    decisions: list[int] = field(default_factory=list)
    """How many decisions each seat's bot was asked for. Corrections of reneges do not count."""
    faults: list[tuple[int, Fault]] = field(default_factory=list)
    """Each of these decisions that was a fault: the seat and the kind of fault."""
    reneges: list[tuple[int, str, bool]] = field(default_factory=list)
    """Each renege: the seat, the first rule that it broke, and whether the seat corrected it."""

    @property
    def chips(self) -> list[int]:
        """Returns the chips that each seat won or lost in the deal."""
        won = [0] * len(self.line_up)
        for seat, parts in self.moves:
            won[seat] += parts
        return won


def replay_deals(record: Record) -> Iterator[PlayedDeal]:
    """Yields every deal of a match, replayed by the rules. Raises RecordError if they contradict the record.

    The chips left in the pot are shared equally among all seats: in `duplicate` after every deal, in a session after
    the last one.
    """
    duplicate = record.header.format == "duplicate"
    seated = iter(record.deals)
    deal: PlayedDeal | None = None
    house: set[int] = set()
    for step in replay(record):
        if deal and step.decides and step.seat is not None and step.seat not in house:
            deal.decisions[step.seat] += 1
            deal.faults += [(step.seat, event.fault) for event in step.events if isinstance(event, Faulted)]
        for event in step.events:
            if isinstance(event, DealStarted):
                if deal:
                    yield deal
                if duplicate:
                    house.clear()  # each board is a separate match
                deal = _new_deal(event, next(seated).line_up, len(record.header.bots))
            elif deal and isinstance(event, DealEnded) and duplicate:
                _share_pot(deal, event.pot)
                yield deal
                deal = None
            elif isinstance(event, HouseTookOver):
                house.add(event.seat)
            elif deal:
                _apply(deal, event)
    if deal:
        yield deal


def _new_deal(event: DealStarted, line_up: tuple[int, ...] | None, seats: int) -> PlayedDeal:
    return PlayedDeal(
        deal=event.deal,
        dealer=event.dealer,
        line_up=line_up or tuple(range(seats)),
        unit=UNIT if line_up else 1,
        hands=[()] * seats,
        playing=[False] * seats,
        discards=[0] * seats,
        tricks=[0] * seats,
        bourred=[False] * seats,
        decisions=[0] * seats,
    )


def _apply(deal: PlayedDeal, event: Event) -> None:
    """Updates the deal by one event."""
    match event:
        case AntePaid(seat, chips) | FinePaid(seat, chips):
            deal.moves.append((seat, -chips * deal.unit))
        case MatchPaid(seat, chips, bourred):
            deal.moves.append((seat, -chips * deal.unit))
            deal.bourred[seat] = bourred
        case PotTaken(seat, chips) | PotShared(seat, chips):
            deal.moves.append((seat, chips * deal.unit))
        case TrickReopened():
            deal.tricks[deal.last_winner] -= 1
        case TrickTaken(seat):
            deal.tricks[seat] += 1
            deal.last_winner = seat
        case _:
            _apply_entry(deal, event)


def _apply_entry(deal: PlayedDeal, event: Event) -> None:
    match event:
        case HandDealt(seat, cards):
            deal.hands[seat] = cards or ()
        case TrumpTurned(trump=trump) | TrumpNamed(trump=trump):
            deal.trump = trump
        case Declared(seat, plays) | Stayed(seat, plays):
            deal.playing[seat] = plays
        case Drew(seat, number):
            deal.discards[seat] += number
        case Reneged(seat, rule=rule):
            deal.reneges.append((seat, rule, False))
        case RenegeCorrected(seat) | RenegeRetracted(seat):
            _correct(deal, seat, corrected=True)
        case Penalized(seat, "R8.5"):  # the second card was also illegal, or missing
            _correct(deal, seat, corrected=False)


def _correct(deal: PlayedDeal, seat: int, *, corrected: bool) -> None:
    """Marks the latest renege of the deal, if it is this seat's."""
    if deal.reneges and deal.reneges[-1][0] == seat:
        deal.reneges[-1] = seat, deal.reneges[-1][1], corrected


def _share_pot(deal: PlayedDeal, pot: int) -> None:
    """Shares the pot of a `duplicate` deal equally, as the rules do."""
    for seat in range(len(deal.line_up)) if pot else ():
        deal.moves.append((seat, deal.unit // len(deal.line_up) * pot))


MAX_CHIPS = 10**100
"""Chips are limited to this amount: a pot without a limit overflows floats, and its square does so even sooner."""

Matrix = tuple[tuple[float, ...], ...]
"""Rows pay, columns take. Bots are numbers in the match."""


@dataclass(frozen=True, slots=True)
class Flow:
    """The chips paid in one block: in a match, or in a `duplicate` deal over all its seatings."""

    bots: tuple[str, ...]
    """By number in the match."""
    deals: int
    """How many deals each bot played, counting each seating."""
    chips: Matrix
    """From the row's bot to the column's. The diagonal holds the chips that returned to their owner."""


def chip_flows(bots: tuple[str, ...], deals: Iterable[PlayedDeal]) -> list[Flow]:
    """Returns the flow of each block of a match.

    A seat that takes chips from a pot takes them in proportion to each bot's chips in it. In a session the pot carries
    over from deal to deal and is shared at the end. In `duplicate` it is shared after every deal.
    """
    blocks: dict[int, _Pot] = {}
    for deal in deals:
        pot = blocks.setdefault(deal.deal if deal.unit > 1 else 1, _Pot(len(bots)))
        pot.deals += 1
        for seat, parts in deal.moves:
            pot.move(deal.line_up[seat], parts, deal.unit)
    return [Flow(bots, pot.deals, tuple(map(tuple, pot.flow))) for pot in blocks.values()]


class _Pot:
    """A pot that tracks the owners of its chips."""

    def __init__(self, bots: int) -> None:
        self.deals = 0
        self.flow = [[0.0] * bots for _ in range(bots)]
        self._parts = 0
        self._shares = [0.0] * bots

    def move(self, bot: int, parts: int, unit: int) -> None:
        """Pays negative amounts into the pot, and takes positive ones out of it."""
        if parts < 0:
            before, self._parts = self._parts, self._parts - parts
            remaining = before / self._parts
            self._shares = [share * remaining for share in self._shares]
            self._shares[bot] += 1 - remaining
        else:
            self._parts -= parts
            for payer, share in enumerate(self._shares):
                self.flow[payer][bot] += share * (min(parts, MAX_CHIPS * unit) / unit)
