"""Render the viewer as HTML: the table, its buttons and the log of each deal, for a page or as a file of its own."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from bourre.record import Record
from bourre.rules.events import DealStarted
from bourre_referee.model.seat_remarks import SeatRemarks
from bourre_referee.text.names import printable, seat_names
from bourre_referee.text.narration.events_by_deal import DealEvents, deal_of, deals_of
from bourre_referee.text.narration.spoken_notes import SpokenNotes, closing_lines, spoken_notes
from bourre_referee.web.viewer.replay_data import deal_data
from bourre_referee.web.viewer.replay_steps import (
    END_OF_ISOLATE,
    ISOLATE,
    JudgedMove,
    ReplayStep,
    seen_by_onlooker,
    steps_of,
)
from bourre_seats.card_pictures import suit_symbols
from bourre_seats.card_table import MODULES, join_modules
from bourre_seats.card_table import STYLE as TABLE_STYLE

HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file that pages load, and the files that it is joined from."""

    name: str
    sources: tuple[Path, ...]

    def read(self) -> str:
        """Join the sources."""
        if self.name.endswith(".js"):
            return join_modules(self.sources)
        return "".join(path.read_text(encoding="utf-8") for path in self.sources)


STYLE: Final = PageFile("viewer.css", (TABLE_STYLE, HERE / "viewer.css"))
SCRIPT: Final = PageFile(
    "viewer.js", (*MODULES, *(HERE / name for name in ("replay_deal.js", "autoplay.js", "viewer.js")))
)


COMMON_STYLE = HERE.parent / "static" / "style.css"
TEMPLATES = HERE / "templates"


@dataclass(frozen=True, slots=True)
class ViewerDeal:
    """A deal, prepared for the template."""

    title: str
    anchor: str
    """`deal-3`, in `duplicate` with its seating `deal-3-2`."""
    prefix: str
    """The prefix of its steps' anchors; empty if it is the only deal on the page."""
    steps: tuple[ReplayStep, ...]
    data: Markup
    begins: str = ""
    """The fragment of the step that the viewer shows first; empty: the first of all, as everyone."""


Remarks = Sequence[SeatRemarks]
"""What the bots of a match said, by their numbers, as far as the reader may know it; nothing shows no notes."""


def render_deal(record: Record, deal: int, seating: int | None = None, remarks: Remarks = ()) -> Markup | None:
    """Render the viewer with one deal, in `duplicate` with one seating; None if there is no such deal."""
    played = deal_of(record, deal, seating)
    if played is None:
        return None
    return render_viewer([prepare_deal(played, spoken_notes(record, remarks), alone=True)])


def render_onlooker(record: Record, deal: int, seating: int | None = None) -> Markup | None:
    """Render the viewer with one deal as an onlooker at the table saw it; None if there is no such deal."""
    played = deal_of(record, deal, seating)
    if played is None:
        return None
    return render_viewer([prepare_deal(played, {}, alone=True, onlooker=True)])


def render_match(record: Record, remarks: Remarks = ()) -> Markup:
    """Render the viewer with all deals of a match; raises RecordError if the record breaks the rules."""
    notes = spoken_notes(record, remarks)
    deals = (prepare_deal(deal, notes, alone=False) for deal in deals_of(record))
    return render_viewer(deals, closing_lines(record, remarks))


def prepare_deal(
    played: DealEvents,
    notes: SpokenNotes,
    *,
    alone: bool,
    onlooker: bool = False,
    judged: Sequence[JudgedMove] = (),
) -> ViewerDeal:
    """Prepare a deal for the template; unless it is alone on its page, its anchors include its number.

    An `onlooker` sees no hidden card. Moves that a review `judged` get its verdicts.
    """
    told = steps_of(played, notes.get((played.number, played.seating), ()), judged)
    steps = tuple(map(seen_by_onlooker, told) if onlooker else told)
    dealer = next(event.dealer for event in played.events if isinstance(event, DealStarted))
    seating = "" if played.seating is None else f"-{played.seating}"
    anchor = f"deal-{played.number}{seating}"
    return ViewerDeal(
        title=played.place.capitalize(),
        anchor=anchor,
        prefix="" if alone else f"{anchor}-",
        steps=steps,
        data=Markup(deal_data(seat_names(played.bots), dealer, steps)),
    )


def render_viewer(deals: Iterable[ViewerDeal], said: Iterable[str] = ()) -> Markup:
    """Render one table for all these deals, each with its log; what the bots said in the whole match is below."""
    template = load_templates().get_template("viewer.html")
    return Markup(template.render(deals=tuple(deals), said=tuple(said), suits=Markup(suit_symbols())))


def isolate(text: str) -> Markup:
    """Return the text as HTML, with each isolated name in a `bdi` element."""
    return Markup(str(escape(text)).replace(ISOLATE, "<bdi>").replace(END_OF_ISOLATE, "</bdi>"))


def render_standalone(record: Record, deal: int | None = None, remarks: Remarks = ()) -> str:
    """Render the match as one HTML file that requests nothing else, with all its deals or only this one."""
    notes = spoken_notes(record, remarks)
    deals = [prepare_deal(played, notes, alone=False) for played in deals_of(record) if deal in (None, played.number)]
    return render_page(
        "standalone.html",
        match=record.header.match,
        bots=[printable(bot) for bot in record.header.bots],
        viewer=render_viewer(deals, closing_lines(record, remarks)),
    )


def render_page(template: str, **values: object) -> str:
    """Render a template as a file that has the viewer's style and script within it, and may request nothing."""
    style, script = COMMON_STYLE.read_text(encoding="utf-8") + STYLE.read(), SCRIPT.read()
    inside = {"policy": _policy(style, script), "style": Markup(style), "script": Markup(script)}
    return load_templates().get_template(template).render(**inside, **values)


def _policy(style: str, script: str) -> str:
    """Return a policy that allows this style and this script, and nothing else."""
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@cache
def load_templates() -> Environment:
    """Load the templates of the viewer."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["isolate"] = isolate
    return environment
