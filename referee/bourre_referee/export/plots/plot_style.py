"""The style of every plot, and its files: the same run gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import matplotlib
from matplotlib import style
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, SymmetricalLogLocator

from bourre_referee.statistics.standing import Standing
from bourre_referee.text.names import shorten

BLUE, ORANGE, GREY, PALE = "#0072B2", "#D55E00", "#595959", "#CCCCCC"
"""Okabe and Ito's blue and vermilion (Color Universal Design), which every eye tells apart. In grey, marks differ."""

RC_PARAMS = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "svg.hashsalt": "bourre",
    "text.parse_math": False,
}

ASTRONOMICAL = 1e5
"""From this amount on, chips of pots without a limit are drawn on a logarithmic axis."""

LARGEST = 1e90
"""Larger amounts are drawn at this place, because no axis spans all floats."""

NAME_LENGTH = 24
"""The most characters of a name in a plot."""


@contextmanager
def use_style() -> Iterator[None]:
    """Uses this style within the context, whatever the user's own settings."""
    with matplotlib.rc_context(), style.context(["default", RC_PARAMS]):
        yield


def empty_figure(width: float, height: float, title: str, note: str) -> Figure:
    """Returns an empty plot, sized in inches, with a title above and a note below."""
    figure = Figure(figsize=(width, height), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
    figure.supxlabel(note, x=0.01, ha="left", fontsize=8, color=GREY)
    return figure


def save(figure: Figure, place: Path) -> None:
    """Writes the plot as `place`.svg and `place`.png."""
    figure.savefig(place.with_suffix(".svg"), metadata={"Date": None})
    figure.savefig(place.with_suffix(".png"), dpi=150)


def short_name(name: str) -> str:
    """Makes a name printable and short, because anybody may have chosen it."""
    return shorten(name, NAME_LENGTH)


def rank_text(row: Standing) -> str:
    """Returns the rank of a bot as text, or a dash for a no-show."""
    return "\N{EN DASH}" if row.rank is None else str(row.rank)


def chips_axis(axis: Axis, numbers: Sequence[float]) -> None:
    """Labels an axis with signed chips, or with powers of ten if these numbers need them."""
    if any(abs(number) >= ASTRONOMICAL for number in numbers):
        axis.axes.set(**{f"{axis.axis_name}scale": "symlog"})  # type: ignore[attr-defined]
        locator = SymmetricalLogLocator(base=10, linthresh=2)
        locator.set_params(numticks=7)
        axis.set_major_locator(locator)
    axis.set_major_formatter(chips_formatter())


def chips_formatter() -> FuncFormatter:
    """Returns a formatter for signed chips in plain text."""
    return FuncFormatter(lambda chips, _: signed_chips(chips))


def clip_chips(chips: float) -> float:
    """Limits chips to the range of an axis."""
    return min(max(chips, -LARGEST), LARGEST)


def signed_chips(chips: float) -> str:
    """Formats whole chips with a sign, except 0. Astronomical ones become powers of ten."""
    text = f"{chips:+.0f}" if abs(chips) < ASTRONOMICAL else f"{chips:+.0e}"
    return text.replace("-", "\N{MINUS SIGN}") if round(chips) else "0"
