"""A second opinion on samples: whether hands fit a view, according to the literal judge in the tests of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bourre.rules.cards import Card
from bourre.rules.match import Match
from bourre.rules.tricks import Trick
from bourre.rules.visibility import View
from tests.sdk.rules.judge import Case, verdicts

Hands = Sequence[Sequence[Card]]
"""Cards by seat; empty for a seat that has passed."""


def true_hands(match: Match, view: View) -> Hands:
    """The true hands."""
    seats = range(match.seats)
    return [() if view.plays[seat] is False else match.view(seat).hand for seat in seats]


def contradictions(view: View, hands: Hands) -> Iterator[str]:
    """Everything in this view that these hands contradict."""
    yield from _misplaced(view, hands)
    for seat, hand in enumerate(hands):
        others = [card for other, cards in enumerate(hands) for card in cards if other != seat]
        if set(hand) & set(others) or len(set(hand)) < len(hand):
            yield f"seat {seat} holds a card that is elsewhere too"
        if seat != view.seat and view.plays[seat] and seat not in view.barred:
            yield from _illegal_plays(view, seat, hand)


def _misplaced(view: View, hands: Hands) -> Iterator[str]:
    played = [card for trick in view.tricks for card in trick.cards] + list(view.trick)
    if tuple(hands[view.seat]) != view.hand:
        yield "the own hand is another"
    for seat, hand in enumerate(hands):
        size = 0 if view.plays[seat] is False else view.house.cards - len(cards_of(view, seat))
        if len(hand) != size:
            yield f"seat {seat} holds {len(hand)} cards, not {size}"
        if set(hand) & set(played):
            yield f"seat {seat} holds a card that was played"
        if set(hand) & set(view.discarded) and not _may_have_own_discards(view, seat):
            yield f"seat {seat} holds a card that the onlooker threw away"
    if view.turned is not None:
        yield from _turned_misplaced(view, hands, played)
    for seat, card in view.recalled:
        if card not in played and card not in hands[seat]:
            yield f"seat {seat} has not got {card}, which it took back"


def _turned_misplaced(view: View, hands: Hands, played: Sequence[Card]) -> Iterator[str]:
    """R3.2: where the turned-up card may be, in each form of the rule."""
    form, dealer = view.house.trump_card, view.dealer
    holders = [seat for seat, hand in enumerate(hands) if view.turned in hand]
    taken = form == "separate_dealer_option" and view.dead is None
    shown = view.turned in played or view.turned in [card for _, card in view.recalled]
    out = view.plays[dealer] is False
    if form == "separate_returned":
        if any(not view.drawn[seat] for seat in holders):
            yield "the card that went back into the stock is with a seat that drew nothing"
    elif form in ("separate_dead", "separate_dealer_option") and not taken:
        if holders:
            yield f"seat {holders[0]} holds the card that is nobody's"
    elif any(seat != dealer and not _may_have_dealers_hand(view, seat) for seat in holders):
        yield f"seat {holders[0]} holds the card that was turned up"
    elif dealer != view.seat and not out and not shown:
        drawn = view.drawn[dealer] or 0
        if (drawn == 0 or taken) and dealer not in holders:
            yield "the dealer has not got the card turned up"
        if drawn == view.house.cards and not taken and dealer in holders:
            yield "the dealer has the card turned up, which he threw away"


def _may_have_own_discards(view: View, seat: int) -> bool:
    """R4.4: only a seat served after the onlooker, once more cards were drawn than the stock had."""
    turns = [(other - view.dealer - 1) % view.seats for other in range(view.seats)]
    return turns[seat] > turns[view.seat] and _was_served_gathered(view, seat)


def _may_have_dealers_hand(view: View, seat: int) -> bool:
    """R4.1, R4.4: a dealer who passed before others drew; his hand is gathered with the rest."""
    passed = view.plays[view.dealer] is False and view.drawn[view.dealer] is None
    return passed and view.house.declare_mode != "turn" and _was_served_gathered(view, seat)


def _was_served_gathered(view: View, seat: int) -> bool:
    turns = [(other - view.dealer - 1) % view.seats for other in range(view.seats)]
    drawn = sum(view.drawn[other] or 0 for other in range(view.seats) if turns[other] <= turns[seat])
    apart = view.house.trump_card in ("separate_dead", "separate_dealer_option")
    return drawn > 52 - view.house.cards * view.seats - apart and bool(view.drawn[seat])


def _tricks(view: View) -> list[Trick]:
    return [*view.tricks, *([] if view.leader is None else [Trick(view.leader, view.trick, -1)])]


def _place(view: View, seat: int, trick: Trick) -> int:
    return (view.playing.index(seat) - view.playing.index(trick.leader)) % len(view.playing)


def cards_of(view: View, seat: int) -> list[Card]:
    """The cards that a seat has played, in order."""
    tricks = _tricks(view) if view.plays[seat] else []
    return [trick.cards[_place(view, seat, trick)] for trick in tricks if len(trick.cards) > _place(view, seat, trick)]


def _illegal_plays(view: View, seat: int, hand: Sequence[Card]) -> Iterator[str]:
    played = cards_of(view, seat)
    lying = [card for trick in _tricks(view) for card in trick.cards]
    for number, card in enumerate(played):
        if card == lying[-1] and view.house.renege_policy == "silent":
            continue  # a renege is announced only when the next card is played
        before, trick = _tricks(view)[:number], _tricks(view)[number]
        case = Case(
            hand=[*map(str, hand), *map(str, played[number:])],
            trick=[str(other) for other in trick.cards[: _place(view, seat, trick)]],
            trump=str(view.trump),
            playing=len(view.playing),
            won=sum(done.winner == seat for done in before),
            seen=[str(other) for done in before for other in done.cards],
            dead=[] if view.dead is None else [str(view.dead)],
            keys=view.house,
        )
        if broken := verdicts(case)[str(card)]:
            yield f"seat {seat} could not have played {card} to trick {number + 1} ({broken})"
