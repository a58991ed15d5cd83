"""Renders pages as HTML from their data, with all foreign text escaped, such as names."""

from __future__ import annotations

from datetime import datetime
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from bourre.rules.card import FIRST_RANK, RANKS, Card, Suit
from bourre.rules.markup import SYMBOLS
from bourre.rules.sentences import sentence
from bourre.words.table_words import SUIT_NAMES, card_name, sort_hand
from bourre_referee.text import amounts
from bourre_referee.text.names import shorten
from bourre_referee.web.data import charts
from bourre_referee.web.data.charts import STRIP_WIDTH, heat_rows, spark, strips
from bourre_referee.web.data.event_page import EventData
from bourre_referee.web.data.run_page import RunData
from bourre_referee.web.page_links import Links, MatchChoice, Only
from bourre_referee.web.viewer import SCRIPT, STYLE

COURSE_WIDTH = 84
"""The width of the plot of a contest's curve, in per cent. Names stand next to it."""

MOST_COMPARED = 25
"""The most bots for which a folder of files has a page for each pair. With more, only a server compares two."""

WALL_ROWS = 12
"""The most bots in the standings on a wall, where letters are large."""

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

LONGEST_NAME = 60
"""The most characters of a name. Longer ones are cut off."""


def signed(chips: float | None, decimals: int = 0) -> str:
    """Formats chips won or lost, or a dash if they are unknown."""
    if chips is None:
        return "\N{EN DASH}"
    text = amounts.signed(chips, decimals, ",")
    return (text if text.strip("+-0.") else text[1:]).replace("-", "\N{MINUS SIGN}")


def number(value: float | None, decimals: int = 2) -> str:
    """Formats a number other than chips, or a dash if it is unknown."""
    return "\N{EN DASH}" if value is None else f"{value:,.{decimals}f}".replace("-", "\N{MINUS SIGN}")


def interval(ends: tuple[float, float] | None, decimals: int = 1) -> str:
    """Formats both ends of an interval, or a dash if there is none."""
    return f"{signed(ends[0], decimals)} to {signed(ends[1], decimals)}" if ends else "\N{EN DASH}"


def count(times: int, one: str, more: str = "") -> str:
    """Formats a count with its noun."""
    return f"{times:,} {one if times == 1 else more or one + 's'}"


def amount(chips: float) -> str:
    """Formats chips without a sign."""
    return amounts.unsigned(chips, 0)


def in_words(times: int) -> str:
    """Writes a small number as a word."""
    return NUMBERS[times] if times < len(NUMBERS) else f"{times:,}"


def milliseconds(time: float) -> str:
    """Formats a duration."""
    return f"{time:,.0f} ms" if time >= 10 else f"{time:.2g} ms"


def short(name: str) -> str:
    """Shortens a name, and makes it harmless to the text around it."""
    return shorten(name, LONGEST_NAME)


def percent(share: float) -> str:
    """Formats a share from 0 to 1."""
    return f"{100 * share:.0f} %"


def moment(time: datetime) -> str:
    """Formats a time."""
    return f"{time:%Y-%m-%d %H:%M:%S} UTC"


def rank_text(card: Card) -> str:
    """Returns the rank of a card as people write it, with 10 for the ten."""
    return RANKS[card.rank - FIRST_RANK].replace("T", "10")


def suit_sign(suit: Suit) -> str:
    """Returns the sign of a suit, as text and never as a coloured picture."""
    return f"{SYMBOLS[suit]}\N{VARIATION SELECTOR-15}"


def is_red(suit: Suit) -> bool:
    """Returns whether a suit is hearts or diamonds."""
    return suit in (Suit.D, Suit.H)


FILTERS = (
    *(signed, number, interval, count, amount, in_words, milliseconds, short, percent, moment, sentence),
    *(card_name, rank_text, suit_sign, is_red, sort_hand, spark),
)
"""The filters of the templates, which call them by their names."""


class Pages:
    """Renders all pages, with links for their place. `ladder` is the name of their ladder, if any."""

    def __init__(self, links: Links, ladder: str = "") -> None:
        self.links = links
        self.ladder = ladder
        self._environment = make_environment()

    def render(self, template: str, run: RunData | None = None, **values: object) -> str:
        """Renders a template, which fails if a value is missing."""
        found = self._environment.get_template(template)
        return found.render(links=self.links, ladder=self.ladder, run=run, **values)

    def event(self, template: str, run: RunData, event: EventData, seen: str = "") -> str:
        """Renders a page with standings. `seen` is the tag of their state, which a server need not send again."""
        return self.render(template, run, strips=strips(run.standings.rows), event=event, seen=seen)

    def cross(self, run: RunData) -> str:
        """Renders the cross-tables as heat maps. Their cells link to the pages of pairs, if there are any."""
        compared = self.links.live or len(run.bots) <= MOST_COMPARED
        standings = run.standings
        maps = [("as played", heat_rows(standings, standings.cross))]
        if standings.adjusted_cross is not None:
            maps.append(("less luck", heat_rows(standings, standings.adjusted_cross)))
        return self.render("cross.html", run, maps=maps, compared=compared)


@cache
def make_environment() -> Environment:
    """Returns the environment of all templates, made once, so that each is compiled once."""
    environment = Environment(
        loader=PackageLoader("bourre_referee.web", "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for function in FILTERS:
        environment.filters[function.__name__] = function
    environment.globals |= {
        "VIEWER_STYLE": STYLE.name,
        "VIEWER_SCRIPT": SCRIPT.name,
        "STRIP_WIDTH": STRIP_WIDTH,
        "CHART": charts,
        "COURSE_WIDTH": COURSE_WIDTH,
        "WALL_ROWS": WALL_ROWS,
        "MatchChoice": MatchChoice,
        "Only": Only,
        "SUITS": SUIT_NAMES,
    }
    return environment
