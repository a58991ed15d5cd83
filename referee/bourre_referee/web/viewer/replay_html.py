"""The viewer as a piece of HTML: the table, its buttons, and the log of every deal that it holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from bourre.record import Record
from bourre.rules.events import DealStarted
from bourre_referee.text.names import seat_names
from bourre_referee.text.narration.events_by_deal import DealEvents, deal_of, deals_of
from bourre_referee.web.viewer.replay_data import deal_data, layout_data
from bourre_referee.web.viewer.replay_steps import END_OF_ISOLATE, ISOLATE, ReplayStep, steps_of
from bourre_referee.web.viewer.seat_layout import narrow_layout, wide_layout

HERE = Path(__file__).parent
STYLE = HERE / "viewer.css"
SCRIPT = HERE / "viewer.js"
COMMON_STYLE = HERE.parent / "static" / "style.css"
TEMPLATES = HERE / "templates"


@dataclass(frozen=True, slots=True)
class ShownDeal:
    """A deal, ready for the page."""

    title: str
    anchor: str
    """`deal-3`, in `duplicate` with its seating `deal-3-2`."""
    prefix: str
    """Before the anchors of its steps; empty where it is the only deal."""
    steps: tuple[ReplayStep, ...]
    data: Markup


def deal_section(record: Record, deal: int, seating: int | None = None) -> Markup | None:
    """The whole viewer of one deal, in `duplicate` of one seating; None where there is no such deal."""
    played = deal_of(record, deal, seating)
    return None if played is None else viewer([shown(played, alone=True)], len(record.header.bots))


def match_section(record: Record) -> Markup:
    """The whole viewer of all deals of a match; RecordError where the rules contradict it."""
    return viewer((shown(deal, alone=False) for deal in deals_of(record)), len(record.header.bots))


def shown(played: DealEvents, *, alone: bool) -> ShownDeal:
    """This deal; if it is not alone on its page, its anchors tell it apart."""
    steps = tuple(steps_of(played))
    dealer = next(event.dealer for event in played.events if isinstance(event, DealStarted))
    seating = "" if played.seating is None else f"-{played.seating}"
    anchor = f"deal-{played.number}{seating}"
    return ShownDeal(
        title=played.place.capitalize(),
        anchor=anchor,
        prefix="" if alone else f"{anchor}-",
        steps=steps,
        data=Markup(deal_data(seat_names(played.bots), dealer, steps)),
    )


def viewer(deals: Iterable[ShownDeal], seats: int) -> Markup:
    """One table for all these deals, each with its log."""
    layouts = Markup(layout_data(wide_layout(seats), narrow_layout(seats)))
    return Markup(environment().get_template("viewer.html").render(deals=tuple(deals), layouts=layouts))


def isolated(text: str) -> Markup:
    """The text as HTML, each isolated name in its `bdi`."""
    return Markup(str(escape(text)).replace(ISOLATE, "<bdi>").replace(END_OF_ISOLATE, "</bdi>"))


@cache
def environment() -> Environment:
    """The templates of the viewer."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["isolated"] = isolated
    return made
