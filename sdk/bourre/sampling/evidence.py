"""What one seat has seen of the others' hands in this deal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bourre.reading import played, remaining
from bourre.rules.cards import Card, card_set, cards_in
from bourre.rules.house import HouseRules
from bourre.rules.play import Trick
from bourre.rules.tricks import Position, legal_plays
from bourre.rules.view import View
from bourre.sampling.gathered import dealt_from_own
from bourre.sampling.holding import Holding, PlaySeen

KEPT = 0.95
"""The chance that a dealer who drew some cards, not all, kept the one turned up: few throw a trump away."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One way in which the hidden cards may lie, up to chance."""

    likelihood: float
    pool: int
    """The set of cards that chance deals out: some fill the holdings, the rest is in the stock or thrown away."""
    holdings: tuple[Holding, ...]
    """Of the other seats that are in or have not declared yet."""
    thrown: int
    """The set of cards that are in no hand for certain."""


def evidence(view: View) -> tuple[Evidence, ...]:
    """What this view tells: one way, or two where the dealer may have kept the card turned up or thrown it away."""
    dealt_own = dealt_from_own(view)
    gathered = card_set(view.discarded) if any(dealt_own) else 0
    pool = card_set(remaining(view)) | gathered
    others = [seat for seat in range(view.seats) if seat != view.seat and view.plays[seat] is not False]
    holdings = tuple(_holding(view, seat, pool, gathered, dealt_own[seat]) for seat in others)
    if not _turned_is_hidden(view):
        return (Evidence(1.0, pool, holdings, thrown=0),)
    kept = _chance_that_turned_was_kept(view)
    ways = [Evidence(1 - kept, pool, holdings, thrown=1 << view.turned)] if kept < 1 else []
    if kept and all(holding.may_hold(view.turned) for holding in holdings if holding.seat == view.dealer):
        holdings = tuple(each.holding(view.turned) if each.seat == view.dealer else each for each in holdings)
        ways.append(Evidence(kept, pool, holdings, thrown=0))
    return tuple(ways)


def _turned_is_hidden(view: View) -> bool:
    recalled = [card for _, card in view.recalled]
    return view.dealer != view.seat and view.turned not in played(view) and view.turned not in recalled


def _chance_that_turned_was_kept(view: View) -> float:
    if view.plays[view.dealer] is False:
        return 0.0
    drawn = view.drawn[view.dealer] or 0
    return 1.0 if drawn == 0 else 0.0 if drawn == view.house.cards else KEPT


def _holding(view: View, seat: int, pool: int, gathered: int, most_gathered: int) -> Holding:
    plays = _plays(view, seat)
    known = card_set(card for holder, card in view.recalled if holder == seat) & ~card_set(played(view))
    candidates = pool | (1 << view.turned if seat == view.dealer else 0)
    if not most_gathered:
        candidates &= ~gathered
    trusted = [] if seat in view.barred else plays
    possible = _not_excluded(trusted, candidates, view.house)
    return Holding(
        seat=seat,
        known=known,
        unknown=view.house.cards - len(plays) - known.bit_count(),
        possible=possible,
        gathered=gathered,
        most_gathered=most_gathered,
        plays=tuple(play for play in trusted if play.may_tell_more(possible | known)),
    )


def _not_excluded(plays: list[PlaySeen], candidates: int, house: HouseRules) -> int:
    """Those candidates beside which every play was legal by R5, which any two cards can be judged by."""
    without_cinch = replace(house, cinch=False)
    for play in plays:
        position = play.position._replace(house=without_cinch)
        for other in cards_in(candidates):
            pair = 1 << play.card | 1 << other
            if not legal_plays(position._replace(hand=pair)) >> play.card & 1:
                candidates ^= 1 << other
    return candidates


def _plays(view: View, seat: int) -> list[PlaySeen]:
    """The plays of a seat in this deal, last first."""
    known = 0
    plays = []
    for card, position in reversed(list(_cards_played(view, seat))):
        known |= 1 << card
        plays.append(PlaySeen(card, position, known))
    return plays


def _cards_played(view: View, seat: int) -> Iterator[tuple[Card, Position]]:
    if view.leader is None:
        return
    order = view.playing
    position = view.position._replace(hand=0, trick=(), tricks_won=0, seen=0)
    for trick in (*view.tricks, Trick(view.leader, view.trick, winner=-1)):
        turn = (order.index(seat) - order.index(trick.leader)) % len(order)
        if turn < len(trick.cards):
            yield trick.cards[turn], position._replace(trick=trick.cards[:turn])
        position = position._replace(
            tricks_won=position.tricks_won + (trick.winner == seat),
            seen=position.seen | card_set(trick.cards),
        )
