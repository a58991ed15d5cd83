"""What one seat has seen of the others' hands in this deal."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bourre.rules.cards import card_set
from bourre.rules.visibility import View
from bourre.sampling.gathered import DealtAgain, dealt_again, has_taken_turned
from bourre.sampling.holding import Holding
from bourre.sampling.plays import PlaySeen, plays_seen
from bourre.view_reading import played, remaining

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
    again = dealt_again(view)
    gathered = card_set(view.discarded) & ~_shown(view) if any(again.own) else 0
    turned = _turned_at_large(view)
    back = turned if any(again.dealers) else 0
    pool = card_set(remaining(view)) | gathered | back
    others = [seat for seat in range(view.seats) if seat != view.seat and view.plays[seat] is not False]
    holdings = tuple(
        _holding(view, seat, pool & ~_kept_from(view, seat, gathered, back, again), gathered, again.own[seat])
        for seat in others
    )
    if view.turned is None or not turned or back:
        return (Evidence(1.0, pool, holdings, thrown=0),)
    kept = _chance_that_dealer_holds_turned(view)
    ways = [Evidence(1 - kept, pool, holdings, thrown=turned)] if kept < 1 else []
    if kept and all(holding.may_hold(view.turned) for holding in holdings if holding.seat == view.dealer):
        holdings = tuple(each.holding(view.turned) if each.seat == view.dealer else each for each in holdings)
        ways.append(Evidence(kept, pool, holdings, thrown=0))
    return tuple(ways)


def _shown(view: View) -> int:
    """The set of cards played, or taken back after a renege."""
    return card_set(played(view)) | card_set(card for _, card in view.recalled)


def _turned_at_large(view: View) -> int:
    """The set of the turned card, where it is or was in another dealer's hand and has not been shown since."""
    with_dealer = view.house.trump_card == "dealer_fifth" or has_taken_turned(view)
    if view.turned is None or view.dealer == view.seat or not with_dealer:
        return 0
    return 1 << view.turned & ~(_shown(view) | card_set(view.hand))


def _chance_that_dealer_holds_turned(view: View) -> float:
    if view.plays[view.dealer] is False:
        return 0.0
    drawn = view.drawn[view.dealer] or 0
    if drawn == 0 or has_taken_turned(view):
        return 1.0
    return 0.0 if drawn == view.house.cards else KEPT


def _kept_from(view: View, seat: int, gathered: int, back: int, again: DealtAgain) -> int:
    """The set of cards that chance deals out, but not to this seat: it drew nothing from where they lay."""
    none_of = (0 if again.own[seat] else gathered) | (0 if again.dealers[seat] else back)
    if view.turned is not None and view.house.trump_card == "separate_returned" and not view.drawn[seat]:
        none_of |= 1 << view.turned
    return none_of


def _holding(view: View, seat: int, candidates: int, gathered: int, dealt_own: int) -> Holding:
    """`dealt_own`: how many cards of this hand came from a stock with the `gathered` cards in it."""
    plays = plays_seen(view, seat)
    known = card_set(card for holder, card in view.recalled if holder == seat) & ~card_set(played(view))
    shown = known | card_set(play.card for play in plays)
    trusted = _trusted(view, seat, plays)
    possible = candidates | (_turned_at_large(view) if seat == view.dealer else 0)
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


def _trusted(view: View, seat: int, plays: list[PlaySeen]) -> list[PlaySeen]:
    """The plays of a seat that were legal for certain: a silent renege is told only when the next card lies (R8.4)."""
    if seat in view.barred:
        return []
    untold = view.house.renege_policy == "silent" and bool(plays) and plays[0].card == played(view)[-1]
    return plays[1:] if untold else plays
