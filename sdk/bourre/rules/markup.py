"""Cards and tables as HTML for notebooks: escaped, self-contained, and readable without colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from bourre.rules.cards import RANKS, Card, Suit

SYMBOLS = {Suit.C: "♣", Suit.D: "♦", Suit.H: "♥", Suit.S: "♠"}
RED = "#c62828"


class Markup(str):
    """Text that is already HTML."""

    __slots__ = ()


def cards_html(cards: Iterable[Card]) -> Markup:
    """Writes cards in their order, or a dash for none."""
    return Markup(" ".join(map(_card, cards)) or "-")


def suit_html(suit: Suit) -> Markup:
    """Writes a suit's symbol."""
    style = f' style="color:{RED}"' if suit in (Suit.D, Suit.H) else ""
    return Markup(f'<span{style} title="{suit}">{SYMBOLS[suit]}</span>')


def table_html(caption: str, head: Sequence[object], rows: Iterable[Sequence[object]]) -> Markup:
    """Writes a table. The first cell of each row is its heading. Cells other than Markup are escaped."""
    heads = "".join(f'<th scope="col">{_cell(cell)}</th>' for cell in head)
    top = f"<thead><tr>{heads}</tr></thead>" if head else ""
    body = "".join(map(_row, rows))
    return Markup(f"<table><caption>{_cell(caption)}</caption>{top}<tbody>{body}</tbody></table>")


def _card(card: Card) -> str:
    style = f"color:{RED};" if card.suit in (Suit.D, Suit.H) else ""
    rank = RANKS[card.rank - 2].replace("T", "10")
    return f'<span style="{style}white-space:nowrap" title="{card}">{rank}{SYMBOLS[card.suit]}</span>'


def _row(cells: Sequence[object]) -> str:
    first, *others = map(_cell, cells)
    return f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in others)}</tr>'


def _cell(cell: object) -> str:
    return cell if isinstance(cell, Markup) else escape(str(cell))
