"""How every picture looks, and how it is saved: the same run gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import matplotlib
from matplotlib import style
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, SymmetricalLogLocator

from bourre_referee.text.names import shortened

BLUE, ORANGE, GREY, PALE = "#0072B2", "#D55E00", "#595959", "#CCCCCC"
"""Blue and vermilion of Okabe and Ito (Color Universal Design), told apart by every eye, and in grey by their marks."""

RULES = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "svg.hashsalt": "bourre",
    "text.parse_math": False,
}

ASTRONOMICAL = 1e5
"""From here on chips are drawn on a logarithmic axis: pots without a limit."""

LARGEST = 1e90
"""Chips beyond are drawn here: no axis has room for what a float may hold."""

LONGEST = 24
"""Letters of a name that a picture has room for."""


@contextmanager
def styled() -> Iterator[None]:
    """Inside, pictures look as here, whatever the user's own settings are."""
    with matplotlib.rc_context(), style.context(["default", RULES]):
        yield


def picture(width: float, height: float, title: str, note: str) -> Figure:
    """An empty picture, in inches, with a title above and a note below."""
    figure = Figure(figsize=(width, height), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
    figure.supxlabel(note, x=0.01, ha="left", fontsize=8, color=GREY)
    return figure


def save(figure: Figure, place: Path) -> None:
    """Writes the picture as `place`.svg and `place`.png."""
    figure.savefig(place.with_suffix(".svg"), metadata={"Date": None})
    figure.savefig(place.with_suffix(".png"), dpi=150)


def short(name: str) -> str:
    """A name that strangers chose, printable and not too long."""
    return shortened(name, LONGEST)


def chips_axis(axis: Axis, numbers: Sequence[float]) -> None:
    """Chips with their sign, and powers of ten where these numbers need them."""
    if any(abs(number) >= ASTRONOMICAL for number in numbers):
        axis.axes.set(**{f"{axis.axis_name}scale": "symlog"})  # type: ignore[attr-defined]
        locator = SymmetricalLogLocator(base=10, linthresh=2)
        locator.set_params(numticks=7)
        axis.set_major_locator(locator)
    axis.set_major_formatter(chips_formatter())


def chips_formatter() -> FuncFormatter:
    """Chips with their sign, in plain text."""
    return FuncFormatter(lambda chips, _: signed(chips))


def drawable(chips: float) -> float:
    """Chips that an axis has room for."""
    return min(max(chips, -LARGEST), LARGEST)


def signed(chips: float) -> str:
    """Whole chips with a sign; 0 has none; in powers of ten where they are astronomical."""
    text = f"{chips:+.0f}" if abs(chips) < ASTRONOMICAL else f"{chips:+.0e}"
    return text.replace("-", "\N{MINUS SIGN}") if round(chips) else "0"
