"""The picture that a link to a contest shows in a message: who wins, on felt, with the best hand of the contest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from textwrap import wrap
from typing import Final

import matplotlib
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, get_font
from matplotlib.patches import Circle, FancyBboxPatch

from bourre.rules.card import FIRST_RANK, RANKS
from bourre.rules.cards import Card, Suit
from bourre.rules.markup import SYMBOLS

WIDTH, HEIGHT = 1200, 630
"""The size in pixels that services expect of a preview."""

FELT, GLOW, RIM, GOLD, PALE, PAPER = "#0e4630", "#1b6a45", "#6b4423", "#ffd36b", "#cfe0d6", "#fffdf6"
BLACK, RED = "#1a1f24", "#b3261e"
FONTS: Final = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
SERIF, SANS, BOLD = FONTS / "DejaVuSerif-Bold.ttf", FONTS / "DejaVuSans.ttf", FONTS / "DejaVuSans-Bold.ttf"
SHORT = 28
"""The most letters of a title in one line."""
CARD_WIDTH, CARD_HEIGHT, STEP = 150, 210, 105


@dataclass(frozen=True, slots=True)
class ShareWords:
    """The words of the picture. Names in them may be anybody's."""

    kicker: str
    title: str
    text: str
    contest: str


def draw_share(words: ShareWords, hand: Sequence[Card]) -> bytes:
    """Draws the picture, with this hand if there is one. Returns a PNG of 1200 x 630 pixels."""
    figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100, facecolor=RIM)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(HEIGHT, 0))
    axes.set_axis_off()
    felt = FancyBboxPatch((50, 50), WIDTH - 100, HEIGHT - 100, "round,pad=28", facecolor=FELT, edgecolor="none")
    axes.add_patch(felt)
    for radius in range(520, 100, -20):
        glow = axes.add_patch(Circle((WIDTH / 2, HEIGHT * 0.42), radius, facecolor=GLOW, edgecolor="none", alpha=0.03))
        glow.set_clip_path(felt)

    def say(x: float, y: float, text: str, font: Path, size: float, colour: str) -> None:
        said = _drawable(text, font)
        of = FontProperties(fname=font, size=size * 0.72)
        axes.text(x, y, said, font=of, color=colour, parse_math=False).set_clip_path(felt)

    say(80, 106, words.kicker.upper(), BOLD, 26, GOLD)
    size, step, lines = (66, 76, [words.title]) if len(words.title) <= SHORT else (50, 60, _lines(words.title, 36, 2))
    for number, line in enumerate(lines):
        say(78, 174 + step * number, line, SERIF, size, PAPER)
    below = 174 + step * (len(lines) - 1)
    for number, line in enumerate(_lines(words.text, 62, 2)):  # above the cards
        say(80, below + 56 + 40 * number, line, SANS, 30, PALE)
    say(80, 556, f"♠ {words.contest}", SERIF, 34, PAPER)
    for number, card in enumerate(hand):
        x = WIDTH - 70 - CARD_WIDTH - STEP * (len(hand) - 1 - number)
        colour, rank = RED if card.suit in (Suit.D, Suit.H) else BLACK, RANKS[card.rank - FIRST_RANK].replace("T", "10")
        place = FancyBboxPatch((x + 8, 368), CARD_WIDTH - 16, CARD_HEIGHT - 16, "round,pad=8")
        place.set(facecolor=PAPER, edgecolor="#b9b09c", zorder=3 + number)
        axes.add_patch(place)
        for text, y, size, font in ((rank, 430, 62, BOLD), (SYMBOLS[card.suit], 490, 62, SANS)):
            of = FontProperties(fname=font, size=size * 0.72)
            axes.text(x + 14, y, text, font=of, color=colour, zorder=3 + number)
    found = BytesIO()
    figure.savefig(found, format="png", facecolor=RIM, metadata={"Software": None})
    return found.getvalue()


def _lines(text: str, width: int, most: int) -> list[str]:
    return wrap(text, width, max_lines=most, placeholder="…", break_long_words=True)


@cache
def _known(font: Path) -> frozenset[int]:
    return frozenset(get_font(font).get_charmap())


def _drawable(text: str, font: Path) -> str:
    """Returns the text without what the font cannot draw, such as direction marks; a letter becomes a box."""
    return "".join(each if ord(each) in _known(font) else "\N{WHITE SQUARE}" for each in text if each.isprintable())
