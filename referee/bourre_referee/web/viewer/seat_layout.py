"""Compute where the seats are around the table, and where their cards are."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

WIDE = (820, 600)
NARROW = (310, 600)
"""Width and height of the picture: an oval table, and two columns for a screen as narrow as a phone's."""


@dataclass(frozen=True, slots=True)
class Place:
    """The centres of a seat's hand and of its card in the trick."""

    x: int
    y: int
    card_x: int
    card_y: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The size of a picture, and the places of the pot and the seats."""

    size: tuple[int, int]
    pot: tuple[int, int]
    seats: tuple[Place, ...]


def wide_layout(seats: int) -> Layout:
    """Place the seats around an oval: seat 0 at the bottom, the others clockwise from it (R1.1)."""
    middle = (WIDE[0] // 2, WIDE[1] // 2)
    return Layout(WIDE, middle, tuple(_on_oval(middle, pi / 2 + 2 * pi * seat / seats) for seat in range(seats)))


def narrow_layout(seats: int) -> Layout:
    """Place the seats clockwise in two columns: the first half up the left side, the others down the right."""
    left = (seats + 1) // 2
    places = (
        _in_column(0, left - 1 - seat, left) if seat < left else _in_column(1, seat - left, seats - left)
        for seat in range(seats)
    )
    return Layout(NARROW, (NARROW[0] // 2, 60), tuple(places))


def _on_oval(middle: tuple[int, int], angle: float) -> Place:
    x, y = middle
    across, down = cos(angle), sin(angle)
    return Place(round(x + 315 * across), round(y + 214 * down), round(x + 138 * across), round(y + 92 * down))


def _in_column(column: int, row: int, rows: int) -> Place:
    width, height = NARROW
    y = round(height * (row + 0.5) / rows)
    hand, card = (58, 130) if column == 0 else (width - 58, width - 130)
    return Place(hand, y, card, round(height / 2 + (y - height / 2) * 0.5))
