"""Renders the viewer as HTML: the table, its buttons and the log of each deal, for a page or as a separate file."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bourre.record import Record
from bourre.rules.cards import Card, Suit, show
from bourre.rules.events import DealStarted
from bourre.rules.visibility import public_event
from bourre.words.table_words import sort_hand
from bourre.words.table_words.picture import RenegePicture, SeatPicture
from bourre_referee.model.seat_remarks import SeatRemarks
from bourre_referee.text.names import printable, seat_names
from bourre_referee.text.narration.events_by_deal import DealEvents, deal_of, deals_of
from bourre_referee.text.narration.spoken_notes import SpokenNotes, closing_lines, spoken_notes
from bourre_referee.web.data.deal_headline import DealHeadline, deal_headline
from bourre_referee.web.data.trick_table import TrickTable, trick_table
from bourre_referee.web.template_filters import add_filters
from bourre_referee.web.viewer.replay_steps import (
    JudgedMove,
    ReplayStep,
    opening_step,
    seen_by_onlooker,
    steps_of,
)
from bourre_referee.web.viewer.weighed_moves import LEAST_COST, WeighedMove, weigh_moves
from bourre_seats.card_pictures import suit_symbols
from bourre_seats.card_table import MODULES, join_modules
from bourre_seats.card_table import STYLE as TABLE_STYLE

Json = dict[str, object]
ESCAPED = str.maketrans({character: f"\\u{ord(character):04x}" for character in "<>&"})
"""Escapes for the characters that could end a script element, or begin one."""


def deal_data(names: Sequence[str], dealer: int, steps: Iterable[ReplayStep]) -> str:
    """Encodes a deal for a script element of HTML. `names` are by seat."""
    return _text({"names": names, "dealer": dealer, "steps": list(_encode_steps(steps))})


def _text(data: object) -> str:
    return json.dumps(data, separators=(",", ":")).translate(ESCAPED)


def _encode_steps(steps: Iterable[ReplayStep]) -> Iterator[Json]:
    tables: list[Json] = [_table(step) for step in steps]
    yield from tables[:1]
    for old, new in pairwise(tables):
        yield changes(old, new)


def changes(old: Json, new: Json) -> Json:
    """Returns only the keys whose values differ, also within nested objects."""
    different: Json = {}
    for key, value in new.items():
        before = old[key]
        if isinstance(value, dict) and isinstance(before, dict):
            if inner := changes(before, value):
                different[key] = inner
        elif value != before:
            different[key] = value
    return different


def _table(step: ReplayStep) -> Json:
    table = step.table
    return {
        "mark": step.mark,
        "seats": {str(number): _seat(seat, table.trump) for number, seat in enumerate(table.seats)},
        "pot": table.pot,
        "turned": "" if table.turned is None else str(table.turned),
        "trump": "" if table.trump is None else str(table.trump),
        "trick": [[played.seat, str(played.card), int(played.wrong)] for played in table.trick],
        "number": table.number,
        "winner": table.winner,
        "acting": table.acting,
        "renege": _renege(table.renege),
        "asked": [step.asked.seat, step.asked.question] if step.asked else None,
    }


def _renege(renege: RenegePicture | None) -> list[object] | None:
    return None if renege is None else [renege.seat, str(renege.card), show(renege.legal)]


def _seat(seat: SeatPicture, trump: Suit | None) -> Json:
    return {
        "hand": _hand(seat.hand, trump),
        "status": seat.status,
        "drew": seat.drew,
        "tricks": seat.tricks,
        "chips": seat.chips,
        "barred": seat.barred,
    }


def _hand(cards: tuple[Card | None, ...], trump: Suit | None) -> str:
    """Encodes a hand in the order in which people hold it. A question mark is a card that the reader may not see."""
    known = [card for card in cards if card is not None]
    return " ".join([*map(str, sort_hand(known, trump)), *["?"] * (len(cards) - len(known))])


HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file that pages load, and its sources."""

    name: str
    sources: tuple[Path, ...]

    def read(self) -> str:
        """Joins the sources."""
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
    names: tuple[str, ...]
    """By seat."""
    anchor: str
    """`deal-3`, in `duplicate` with its seating `deal-3-2`."""
    prefix: str
    """The prefix of its steps' anchors. Empty if it is the only deal on the page."""
    steps: tuple[ReplayStep, ...]
    tricks: TrickTable
    data: Markup
    begins: str
    """The fragment of the step that the viewer shows first."""
    headline: DealHeadline

    @property
    def dearest(self) -> tuple[int, WeighedMove] | None:
        """The decision that lost most in the champion's judgement, with the number of its step, if any lost a chip."""
        weighed = [(number, step.weighed) for number, step in enumerate(self.steps, start=1) if step.weighed]
        found = max(weighed, key=lambda one: one[1].cost, default=None)
        return found if found and found[1].cost >= LEAST_COST else None


@dataclass(frozen=True, slots=True)
class DealView:
    """A deal for a page of its own."""

    headline: DealHeadline
    viewer: Markup


Remarks = Sequence[SeatRemarks]
"""The notes and usage of a match's bots, by their numbers, that the reader may see. Empty shows no notes."""


def render_deal(record: Record, deal: int, seating: int | None = None, remarks: Remarks = ()) -> DealView | None:
    """Renders the viewer with one deal, in `duplicate` with one seating. None if there is no such deal."""
    played = deal_of(record, deal, seating)
    if played is None:
        return None
    weighed = weigh_moves(record, deal, seating)
    return _view(prepare_deal(played, spoken_notes(record, remarks), alone=True, weighed=weighed))


def render_onlooker(record: Record, deal: int, seating: int | None = None) -> DealView | None:
    """Renders the viewer with one deal as an onlooker at the table saw it. None if there is no such deal."""
    played = deal_of(record, deal, seating)
    return None if played is None else _view(prepare_deal(played, {}, alone=True, onlooker=True))


def _view(deal: ViewerDeal) -> DealView:
    return DealView(deal.headline, render_viewer([deal]))


def render_match(record: Record, remarks: Remarks = ()) -> Markup:
    """Renders the viewer with all deals of a match. Raises RecordError if the record breaks the rules."""
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
    weighed: Sequence[WeighedMove] = (),
) -> ViewerDeal:
    """Prepares a deal for the template. Unless it is alone on its page, its anchors include its number.

    An `onlooker` sees no hidden card. Moves that a review `judged` get its verdicts, and `weighed` ones their choices.
    """
    told = steps_of(played, notes.get((played.number, played.seating), ()), judged, weighed)
    steps = tuple(map(seen_by_onlooker, told) if onlooker else told)
    dealer = next(event.dealer for event in played.events if isinstance(event, DealStarted))
    seating = "" if played.seating is None else f"-{played.seating}"
    anchor = f"deal-{played.number}{seating}"
    names = seat_names(played.bots)
    prefix = "" if alone else f"{anchor}-"
    return ViewerDeal(
        title=played.place.capitalize(),
        names=names,
        anchor=anchor,
        prefix=prefix,
        steps=steps,
        tricks=trick_table(replace(played, events=tuple(map(public_event, played.events))) if onlooker else played),
        data=Markup(deal_data(names, dealer, steps)),
        begins=f"#{prefix}step-{opening_step(played)}",
        headline=deal_headline(played),
    )


def render_viewer(deals: Iterable[ViewerDeal], said: Iterable[str] = ()) -> Markup:
    """Renders one table for all these deals, each with its log, and `said` below it."""
    template = load_templates().get_template("viewer.html")
    return Markup(template.render(deals=tuple(deals), said=tuple(said), suits=Markup(suit_symbols())))


def render_standalone(record: Record, deal: int | None = None, remarks: Remarks = ()) -> str:
    """Renders the match as one HTML file that requests nothing else, with all its deals or only this one."""
    notes = spoken_notes(record, remarks)
    deals = [prepare_deal(played, notes, alone=False) for played in deals_of(record) if deal in (None, played.number)]
    return render_page(
        "standalone.html",
        match=printable(record.header.match),
        bots=[printable(bot) for bot in record.header.bots],
        viewer=render_viewer(deals, closing_lines(record, remarks)),
    )


def render_page(template: str, **values: object) -> str:
    """Renders a template as a file that includes the viewer's style and script, and may request nothing."""
    style, script = _style_and_script()
    inside = {"policy": single_file_policy(), "style": Markup(style), "script": Markup(script)}
    return load_templates().get_template(template).render(**inside, **values)


def single_file_policy() -> str:
    """Returns the policy of these files, which allows only the style and the script inside."""
    style, script = map(_hash, _style_and_script())
    return f"default-src 'none'; style-src {style}; script-src {script}; base-uri 'none'; form-action 'none'"


@cache
def _style_and_script() -> tuple[str, str]:
    return COMMON_STYLE.read_text(encoding="utf-8") + STYLE.read(), SCRIPT.read()


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@cache
def load_templates() -> Environment:
    """Loads the templates of the viewer."""
    environment = Environment(
        loader=FileSystemLoader([TEMPLATES, HERE.parent / "templates"]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    add_filters(environment)
    return environment
