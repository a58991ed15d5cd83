"""What one seat has seen of the others' hands in this deal."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bourre.reading import played, remaining
from bourre.rules.cards import card_set
from bourre.rules.view import View
from bourre.sampling.gathered import dealt_from_own
from bourre.sampling.holding import Holding
from bourre.sampling.plays import plays_seen

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
    gathered = card_set(view.discarded) & ~_shown(view) if any(dealt_own) else 0
    pool = card_set(remaining(view)) | gathered
    others = [seat for seat in range(view.seats) if seat != view.seat and view.plays[seat] is not False]
    holdings = tuple(_holding(view, seat, pool, gathered, dealt_own[seat]) for seat in others)
    if view.dealer == view.seat or _shown(view) >> view.turned & 1:
        return (Evidence(1.0, pool, holdings, thrown=0),)
    kept = _chance_that_turned_was_kept(view)
    ways = [Evidence(1 - kept, pool, holdings, thrown=1 << view.turned)] if kept < 1 else []
    if kept and all(holding.may_hold(view.turned) for holding in holdings if holding.seat == view.dealer):
        holdings = tuple(each.holding(view.turned) if each.seat == view.dealer else each for each in holdings)
        ways.append(Evidence(kept, pool, holdings, thrown=0))
    return tuple(ways)


def _shown(view: View) -> int:
    """The set of cards played, or taken back after a renege."""
    return card_set(played(view)) | card_set(card for _, card in view.recalled)


def _chance_that_turned_was_kept(view: View) -> float:
    if view.plays[view.dealer] is False:
        return 0.0
    drawn = view.drawn[view.dealer] or 0
    return 1.0 if drawn == 0 else 0.0 if drawn == view.house.cards else KEPT


def _holding(view: View, seat: int, pool: int, gathered: int, dealt_own: int) -> Holding:
    """`dealt_own`: how many cards of this hand came from a stock with the `gathered` cards in it."""
    plays = plays_seen(view, seat)
    known = card_set(card for holder, card in view.recalled if holder == seat) & ~card_set(played(view))
    shown = known | card_set(play.card for play in plays)
    trusted = [] if seat in view.barred else plays
    possible = (pool if dealt_own else pool & ~gathered) | (1 << view.turned if seat == view.dealer else 0)
    without_cinch = replace(view.house, cinch=False)
    for play in trusted:
        possible = play.not_excluded(possible, without_cinch)
    return Holding(
        seat=seat,
        known=known,
        unknown=view.house.cards - len(plays) - known.bit_count(),
        possible=possible,
        gathered=gathered,
        most_gathered=dealt_own - (shown & card_set(view.discarded)).bit_count(),
        plays=tuple(play for play in trusted if play.may_tell_more(possible | known)),
    )
