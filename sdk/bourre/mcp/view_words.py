"""A view in words, for agents that read rather than parse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bourre.practice.cost import price
from bourre.rules.cards import Card, show
from bourre.rules.view import View


def view_words(view: View) -> str:
    """Describes everything that matters in a view, but not which cards are legal."""
    return "\n".join(_lines(view))


def _lines(view: View) -> Iterator[str]:
    dealer = "you deal" if view.seat == view.dealer else f"seat {view.dealer} deals"
    yield f"Deal {view.deal} of {view.deals}: you are seat {view.seat} of {view.seats}, and {dealer}."
    yield f"The pot holds {view.pot}; going bourré costs {view.match}."
    yield _trump(view)
    yield f"Your hand: {show(view.hand)}."
    if view.discarded:
        yield f"You discarded {show(view.discarded)}."
    yield from (_seat(view, seat) for seat in range(view.seats))
    for number, trick in enumerate(view.tricks, 1):
        yield f"Trick {number}: {_plays(view, trick.leader, trick.cards)}; seat {trick.winner} took it."
    if view.leader is not None:
        yield _trick(view)
    yield from (f"Seat {seat} showed {card} and took it back." for seat, card in view.recalled)
    if view.correcting:
        yield _correction(view)


def _trump(view: View) -> str:
    if view.named is None:
        return "The trump suit is not named yet."
    dead = f"; {view.dead} belongs to nobody" if view.dead is not None else ""
    turned = "" if view.turned is None else f" ({view.turned} was turned up{dead})"
    return f"Trump is {view.named}{turned}."


def _seat(view: View, seat: int) -> str:
    plays, drew = view.plays[seat], view.drawn[seat]
    facts = ["has not declared" if plays is None else "in" if plays else "passed"]
    if drew is not None:
        facts.append(f"drew {drew}")
    if plays:
        facts.append(f"tricks {view.tricks_won[seat]}")
    facts.append(f"chips {view.balances[seat]:+d}")
    if seat in view.barred:
        facts.append("cannot win this pot")
    if view.owed_turns[seat]:
        facts.append(f"forfeits {view.owed_turns[seat]} turns to deal")
    return f"Seat {seat}{' (you)' if seat == view.seat else ''}: {', '.join(facts)}."


def _trick(view: View) -> str:
    number = len(view.tricks) + 1
    if view.leader is None or not view.trick:
        return f"Trick {number}: you lead."
    return f"Trick {number}: {_plays(view, view.leader, view.trick)}; you are next."


def _plays(view: View, leader: int, cards: Sequence[Card]) -> str:
    """Says who played which card of a trick, in order."""
    order = view.playing
    first = order.index(leader)
    seats = (*order[first:], *order[:first])
    return ", ".join(f"seat {seat} {card}" for seat, card in zip(seats, cards, strict=False))


def _correction(view: View) -> str:
    renege = view.correcting
    if renege is None:
        raise ValueError("this view asks for no correction")
    return (
        f"Your {renege.card} broke {renege.sentence}. You may correct it once, with another card. "
        f"{_price_of_correction(view)} Another illegal card costs {price(view)}."
    )


def _price_of_correction(view: View) -> str:
    if view.house.renege_policy == "prompt":
        return "Corrected, it still costs you this pot and your next turn to deal."
    if view.house.renege_policy == "retract":
        return "Corrected, it costs you nothing."
    return "Corrected, it still costs what a renege costs."
