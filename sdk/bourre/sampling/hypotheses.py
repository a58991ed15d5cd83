"""Derives what the hidden hands of this deal may be, from what a seat knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from bourre.rules.cards import SUIT_CARDS, Card, card_set, cards_in, highest
from bourre.rules.house import HouseRules
from bourre.rules.tricks import CINCH_TRICKS, Position, Trick, legal_plays
from bourre.rules.view import View
from bourre.sampling.redrawn_cards import RedrawnCounts, count_redrawn, has_taken_turned
from bourre.sampling.view_reading import played_cards, remaining


class PlaySeen(NamedTuple):
    """A seat's play and its position, in which the hand is unknown."""

    card: Card
    position: Position
    """The position, with an empty hand."""
    known: int
    """The cards of that hand played since then, this one included, as a set."""

    def fits(self, hand: int) -> bool:
        """Returns whether the play was legal if this is the rest of the hand (R5, R6)."""
        return bool(legal_plays(self.position._replace(hand=hand | self.known)) >> self.card & 1)

    def keep_possible(self, candidates: int, without_cinch: HouseRules) -> int:
        """Returns the candidates beside which R5 allowed the play. Two cards suffice for this judgement."""
        position = self.position._replace(house=without_cinch)
        for other in cards_in(candidates):
            pair = 1 << self.card | 1 << other
            if not legal_plays(position._replace(hand=pair)) >> self.card & 1:
                candidates ^= 1 << other
        return candidates

    def may_tell_more(self, possible: int) -> bool:
        """Returns whether R6 may exclude more hands than R5, given the possible cards of the hand."""
        trick, trump = self.position.trick, self.position.trump
        trumps = (possible | self.known) & SUIT_CARDS[trump]
        last = len(trick) == self.position.playing - 1
        followed = bool(trick) and trick[0].suit == self.card.suit != trump
        if not self.position.house.cinch or not trumps or last or followed or self.card == highest(trumps):
            return False
        return self.position.tricks_won + trumps.bit_count() >= CINCH_TRICKS


def plays_seen(view: View, seat: int) -> list[PlaySeen]:
    """Returns the plays of a seat in this deal, the last first."""
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


@dataclass(frozen=True, slots=True)
class Holding:
    """The knowledge of another seat's hand."""

    seat: int
    known: int
    """The cards that it certainly holds, as a set."""
    unknown: int
    """The number of its other cards."""
    possible: int
    """The unseen or turned cards that R5 does not exclude one by one, as a set."""
    gathered: int
    """The sampling seat's discards that returned to the stock (R4.4), as a set."""
    most_gathered: int
    """The most `gathered` cards among the unknown ones."""
    plays: tuple[PlaySeen, ...]
    """The plays that the whole hand must fit, because of R6."""

    def fits(self, cards: int) -> bool:
        """Returns whether these may be the unknown cards."""
        if (cards & self.gathered).bit_count() > self.most_gathered:
            return False
        hand = self.known | cards
        return all(play.fits(hand) for play in self.plays)

    def may_hold(self, card: Card) -> bool:
        """Returns whether this card may be among the unknown ones."""
        return self.unknown > 0 and bool(self.possible >> card & 1)

    def with_known(self, card: Card) -> Holding:
        """Returns the same hand with one more card known."""
        return replace(self, known=self.known | 1 << card, unknown=self.unknown - 1)


KEPT = 0.95
"""The chance that a dealer who drew some cards, not all, kept the turned card. Few players throw a trump away."""


@dataclass(frozen=True, slots=True)
class HandsHypothesis:
    """One hypothesis about the hidden cards. The rest is left to chance."""

    likelihood: float
    pool: int
    """The cards left to chance, as a set. Some fill the holdings. The others are in the stock or thrown away."""
    holdings: tuple[Holding, ...]
    """The holdings of the other seats that are in or have not declared yet."""
    thrown: int
    """The cards that are certainly in no hand, as a set."""


def derive_hypotheses(view: View) -> tuple[HandsHypothesis, ...]:
    """Returns one hypothesis for this view, or two if the dealer may or may not hold the turned card."""
    redrawn = count_redrawn(view)
    gathered = card_set(view.discarded) & ~_shown_cards(view) if any(redrawn.own) else 0
    turned = _turned_at_large(view)
    back = turned if any(redrawn.dealers) else 0
    pool = card_set(remaining(view)) | gathered | back
    others = [seat for seat in range(view.seats) if seat != view.seat and view.plays[seat] is not False]
    holdings = tuple(
        _holding(view, seat, pool & ~_unreachable(view, seat, gathered, back, redrawn), gathered, redrawn.own[seat])
        for seat in others
    )
    if view.turned is None or not turned or back:
        return (HandsHypothesis(1.0, pool, holdings, thrown=0),)
    kept = _chance_that_dealer_holds_turned(view)
    hypotheses = [HandsHypothesis(1 - kept, pool, holdings, thrown=turned)] if kept < 1 else []
    if kept and all(holding.may_hold(view.turned) for holding in holdings if holding.seat == view.dealer):
        holdings = tuple(each.with_known(view.turned) if each.seat == view.dealer else each for each in holdings)
        hypotheses.append(HandsHypothesis(kept, pool, holdings, thrown=0))
    return tuple(hypotheses)


def _shown_cards(view: View) -> int:
    """Returns the cards that were played or taken back after a renege, as a set."""
    return card_set(played_cards(view)) | card_set(card for _, card in view.recalled)


def _turned_at_large(view: View) -> int:
    """Returns the turned card as a set if another seat deals, got it and has not shown it since."""
    with_dealer = view.house.dealer_holds_turned or has_taken_turned(view)
    if view.turned is None or view.dealer == view.seat or not with_dealer:
        return 0
    return 1 << view.turned & ~(_shown_cards(view) | card_set(view.hand))


def _chance_that_dealer_holds_turned(view: View) -> float:
    if view.plays[view.dealer] is False:
        return 0.0
    drawn = view.drawn[view.dealer] or 0
    if drawn == 0 or has_taken_turned(view):
        return 1.0
    return 0.0 if drawn == view.house.cards else KEPT


def _unreachable(view: View, seat: int, gathered: int, back: int, redrawn: RedrawnCounts) -> int:
    """Returns the cards left to chance that this seat cannot have, because it drew nothing from their place."""
    none_of = (0 if redrawn.own[seat] else gathered) | (0 if redrawn.dealers[seat] else back)
    if view.turned is not None and view.house.returns_turned and not view.drawn[seat]:
        none_of |= 1 << view.turned
    return none_of


def _holding(view: View, seat: int, candidates: int, gathered: int, dealt_own: int) -> Holding:
    """Makes the holding of a seat; `dealt_own` of its cards came from a stock with the `gathered` cards in it."""
    plays = plays_seen(view, seat)
    known = card_set(card for holder, card in view.recalled if holder == seat) & ~card_set(played_cards(view))
    shown = known | card_set(play.card for play in plays)
    trusted = _trusted_plays(view, seat, plays)
    possible = candidates | (_turned_at_large(view) if seat == view.dealer else 0)
    without_cinch = replace(view.house, cinch=False)
    for play in trusted:
        possible = play.keep_possible(possible, without_cinch)
    return Holding(
        seat=seat,
        known=known,
        unknown=view.house.cards - len(plays) - known.bit_count(),
        possible=possible,
        gathered=gathered,
        most_gathered=dealt_own - (shown & card_set(view.discarded)).bit_count(),
        plays=tuple(play for play in trusted if play.may_tell_more(possible | known)),
    )


def _trusted_plays(view: View, seat: int, plays: list[PlaySeen]) -> list[PlaySeen]:
    """Returns the certainly legal plays of a seat. A silent renege is announced only at the next card (R8.4)."""
    if seat in view.barred:
        return []
    may_be_silent = view.house.allows_recall and bool(plays) and plays[0].card == played_cards(view)[-1]
    return plays[1:] if may_be_silent else plays
