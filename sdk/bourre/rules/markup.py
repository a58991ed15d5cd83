"""Cards and views as HTML, for notebooks: escaped, with nothing to load, and no suit told by its colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from bourre.rules.cards import RANKS, Card, Suit
from bourre.rules.view import View

SYMBOLS = {Suit.C: "♣", Suit.D: "♦", Suit.H: "♥", Suit.S: "♠"}
RED = "#c62828"


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def cards_html(cards: Iterable[Card]) -> Markup:
    """Cards in their order; a dash for none."""
    return Markup(" ".join(map(_card, cards)) or "-")


def suit_html(suit: Suit) -> Markup:
    """A suit's symbol."""
    style = f' style="color:{RED}"' if suit in (Suit.D, Suit.H) else ""
    return Markup(f'<span{style} title="{suit}">{SYMBOLS[suit]}</span>')


def table_html(caption: str, head: Sequence[object], rows: Iterable[Sequence[object]]) -> Markup:
    """A table; the first cell of each row is its heading. Whatever is no Markup is escaped."""
    heads = "".join(f'<th scope="col">{_cell(cell)}</th>' for cell in head)
    top = f"<thead><tr>{heads}</tr></thead>" if head else ""
    body = "".join(map(_row, rows))
    return Markup(f"<table><caption>{_cell(caption)}</caption>{top}<tbody>{body}</tbody></table>")


def view_html(view: View) -> Markup:
    """All that a player would look at: the own cards, the trick, the seats."""
    place = f"{view.decision} · deal {view.deal} of {view.deals} · seat {view.seat}"
    facts = [("hand", cards_html(view.hand)), ("trump", "not named" if view.named is None else suit_html(view.named))]
    if view.turned is not None:
        facts.append(("turned", cards_html([view.turned])))
    if view.leader is not None:
        facts.append(("trick", Markup(f"{cards_html(view.trick)} (led by seat {view.leader})")))
        facts.append(("legal", cards_html(view.legal)))
    facts.append(("pot", str(view.pot)))
    head = ("seat", "state", "drew", "tricks", "chips")
    return Markup(
        table_html(place, (), facts) + table_html("seats", head, (_seat(view, seat) for seat in range(view.seats)))
    )


def _card(card: Card) -> str:
    style = f"color:{RED};" if card.suit in (Suit.D, Suit.H) else ""
    rank = RANKS[card.rank - 2].replace("T", "10")
    return f'<span style="{style}white-space:nowrap" title="{card}">{rank}{SYMBOLS[card.suit]}</span>'


def _row(cells: Sequence[object]) -> str:
    first, *others = map(_cell, cells)
    return f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in others)}</tr>'


def _cell(cell: object) -> str:
    return cell if isinstance(cell, Markup) else escape(str(cell))


def _seat(view: View, seat: int) -> tuple[object, ...]:
    plays, drawn = view.plays[seat], view.drawn[seat]
    state = "?" if plays is None else "in" if plays else "passed"
    marks = [word for word, place in (("you", view.seat), ("dealer", view.dealer)) if place == seat]
    name = f"{seat} ({', '.join(marks)})" if marks else str(seat)
    return name, state, "-" if drawn is None else drawn, view.tricks_won[seat], f"{view.balances[seat]:+}"
