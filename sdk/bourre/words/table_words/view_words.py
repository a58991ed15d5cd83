"""Describes a view and a choice in words."""

from __future__ import annotations

from collections.abc import Iterator

from bourre.rules.actions import Choice, Decision, Declare, Draw, NameTrump, Play, Stay
from bourre.rules.cards import Card, show
from bourre.rules.view import View
from bourre.words.table_words.readers import SUIT_NAMES, CardWriter


def describe_cards(view: View) -> str:
    """Describes the cards of a view in one line, as codes."""
    trick = f", trick {show(view.trick)}" if view.trick else ""
    trump = "not named" if view.named is None else view.named
    legal = f", legal {show(view.legal)}" if view.decision == Decision.PLAY else ""
    return f"hand {show(view.hand)}, trump {trump}{trick}{legal}"


def trump_text(view: View) -> str:
    """Returns the trump suit."""
    return "not named yet" if view.named is None else f"{view.named} ({SUIT_NAMES[view.named]})"


def seats_text(view: View) -> str:
    """Returns a line for each seat."""
    return "\n".join(_seat_line(view, seat) for seat in range(view.seats))


def _seat_line(view: View, seat: int) -> str:
    plays, drawn, won = view.plays[seat], view.drawn[seat], view.tricks_won[seat]
    parts = ["has not declared" if plays is None else "plays" if plays else "passed"]
    if drawn is not None:
        parts.append(f"drew {drawn}")
    if view.leader is not None and plays:
        parts.append(f"has {won} trick{'s' * (won != 1)}")
    parts.append(f"balance {view.balances[seat]:+} chips")
    if seat in view.barred:
        parts.append("cannot win this pot")
    if turns := view.owed_turns[seat]:
        parts.append(f"forfeits {turns} turn{'s' * (turns != 1)} to deal")
    return f"- seat {seat}{_marks(view, seat)}: {', '.join(parts)}"


def _marks(view: View, seat: int) -> str:
    marks = [word for word, place in (("you", view.seat), ("dealer", view.dealer)) if place == seat]
    return f" ({', '.join(marks)})" if marks else ""


def cards_text(view: View) -> str:
    """Returns a line for each group of known cards: turned, discarded, played, taken back."""
    return "\n".join(_card_lines(view))


def _card_lines(view: View) -> Iterator[str]:
    if view.turned is not None:
        belongs = "it belongs to nobody" if view.dead is not None else "its suit is trump"
        yield f"Turned card: {view.turned}; {belongs}."
    if view.discarded:
        yield f"You discarded: {show(view.discarded)}"
    for number, trick in enumerate(view.tricks, start=1):
        yield f"Trick {number}: {_played(view, trick.leader, trick.cards)}; seat {trick.winner} took it."
    if view.leader is not None:
        played = _played(view, view.leader, view.trick)
        yield f"Trick {len(view.tricks) + 1}, in progress: {played or 'you lead'}"
    for seat, card in view.recalled:
        yield f"Seat {seat} showed {card} and took it back."


def _played(view: View, leader: int, cards: tuple[Card, ...]) -> str:
    """Lists the seats and cards of a trick, in order."""
    order = view.playing
    first = order.index(leader) if cards else 0
    seats = (*order[first:], *order[:first])
    return ", ".join(f"seat {seat} {card}" for seat, card in zip(seats, cards, strict=False))


def choice_words(choice: Choice, cards: CardWriter = show) -> str:
    """Returns a choice as a verb: `play KH`, `pass`, `exchange 2C 4D`."""
    match choice:
        case Declare(plays, discards, takes):
            exchanging = f", exchanging {_exchanged(discards, takes, cards)}" if discards else ""
            return f"play{exchanging}" if plays else "pass"
        case Draw(discards, takes):
            return f"exchange {_exchanged(discards, takes, cards)}" if discards else "keep every card"
        case NameTrump(suit):
            return f"name {SUIT_NAMES[suit]}"
        case Stay(stays):
            return "stay" if stays else "leave"
        case Play(card):
            return f"play {cards([card])}"


def _exchanged(discards: tuple[Card, ...], takes: bool, cards: CardWriter) -> str:
    return f"{cards(discards)}{', one for the turned card' * takes}"
