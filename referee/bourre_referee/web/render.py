"""Render pages as HTML from their data; everything that others chose, such as names, is escaped."""

from __future__ import annotations

from collections.abc import Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from bourre.rules.sentences import sentence
from bourre.words.table_words import SUIT_NAMES
from bourre_referee.text import amounts
from bourre_referee.text.names import shorten
from bourre_referee.web.data import charts
from bourre_referee.web.data.bot_page import BotData
from bourre_referee.web.data.charts import STRIP_WIDTH, heat_rows, strips
from bourre_referee.web.data.conduct_page import ConductData
from bourre_referee.web.data.event_page import EventData
from bourre_referee.web.data.match_page import DealLine, MatchData, MatchList
from bourre_referee.web.data.run_page import RunData
from bourre_referee.web.data.versus_page import VersusData
from bourre_referee.web.page_links import Links, MatchChoice, Only
from bourre_referee.web.viewer import SCRIPT, STYLE

COURSE_WIDTH = 84
"""The width of the plot of a contest's course, in per cent; names stand beside it."""

MOST_COMPARED = 25
"""The most bots of whose pairs a folder of files has pages; with more, only a server compares two."""

WALL_ROWS = 12
"""The most bots in the standings on a wall, where letters are large."""

LONGEST_NAME = 60
"""The most characters of a name; longer ones are cut off."""


def signed(chips: float | None, decimals: int = 0) -> str:
    """Format chips won or lost; a dash if they are unknown."""
    if chips is None:
        return "\N{EN DASH}"
    text = amounts.signed(chips, decimals)
    return (text if float(text) else text[1:]).replace("-", "\N{MINUS SIGN}")


def number(value: float | None, decimals: int = 2) -> str:
    """Format a number other than chips; a dash if it is unknown."""
    return "\N{EN DASH}" if value is None else f"{value:,.{decimals}f}".replace("-", "\N{MINUS SIGN}")


def interval(ends: tuple[float, float] | None, decimals: int = 1) -> str:
    """Format both ends of an interval; a dash if there is none."""
    return f"{signed(ends[0], decimals)} to {signed(ends[1], decimals)}" if ends else "\N{EN DASH}"


def count(times: int, one: str, more: str = "") -> str:
    """Format a count with its noun."""
    return f"{times:,} {one if times == 1 else more or one + 's'}"


def milliseconds(time: float) -> str:
    """Format a duration."""
    return f"{time:,.0f} ms" if time >= 10 else f"{time:.2g} ms"


def short(name: str) -> str:
    """Shorten a name, and make it harmless to the text around it."""
    return shorten(name, LONGEST_NAME)


FILTERS = (signed, number, interval, count, milliseconds, short, sentence)
"""The filters of the templates, which call them by their names."""


class Pages:
    """Renders all pages, with links for the place where they are shown."""

    def __init__(self, links: Links) -> None:
        self.links = links
        self._environment = make_environment()

    def home(self, run: RunData, event: EventData, seen: str = "") -> str:
        """Render the standings; `seen` is the tag of their state, which a server need not send again."""
        return self._page("home.html", run, strips=strips(run.standings.rows), event=event, seen=seen)

    def standings_fragment(self, run: RunData, event: EventData) -> str:
        """Render the part that changes while a contest plays: the content of the element `standings`."""
        return self._page("parts/standings.html", run, strips=strips(run.standings.rows), event=event)

    def cross(self, run: RunData) -> str:
        """Render the cross-tables as heat maps; their cells link to the pages of pairs, where there are any."""
        compared = self.links.live or len(run.bots) <= MOST_COMPARED
        standings = run.standings
        maps = [("as played", heat_rows(standings, standings.cross))]
        if standings.adjusted_cross is not None:
            maps.append(("less luck", heat_rows(standings, standings.adjusted_cross)))
        return self._page("cross.html", run, maps=maps, compared=compared)

    def versus(self, run: RunData, versus: VersusData | None) -> str:
        """Render two bots; without them, the choice of them."""
        return self._page("versus.html", run, versus=versus)

    def wall(self, run: RunData, event: EventData, seen: str = "") -> str:
        """Render the page to project on a wall; `seen` is as for `home`."""
        return self._page("wall.html", run, strips=strips(run.standings.rows), event=event, seen=seen)

    def conduct(self, run: RunData, conduct: ConductData) -> str:
        """Render how bots follow the rules, and what they say they used."""
        return self._page("conduct.html", run, conduct=conduct)

    def checked(self, run: RunData, found: str) -> str:
        """Render what `bourre verify` found; nothing as long as it checks, or cards may still be played."""
        return self._page("checked.html", run, found=found)

    def matches(self, run: RunData, found: MatchList) -> str:
        """Render a list of matches."""
        return self._page("matches.html", run, found=found)

    def match(self, run: RunData, match: MatchData) -> str:
        """Render a match."""
        return self._page("match.html", run, match=match)

    def bot(self, run: RunData, bot: BotData, *, logs: bool = False, cards_wait: bool = False) -> str:
        """Render a bot; if its owner can read its `logs`, it leads there."""
        return self._page("bot.html", run, bot=bot, logs=logs, cards_wait=cards_wait)

    def deal(self, run: RunData, match: MatchData, deal: DealLine, viewer: Markup) -> str:
        """Render one deal of a match with its `viewer`."""
        return self._page("deal.html", run, match=match, deal=deal, viewer=viewer)

    def onlooker(self, run: RunData, match: MatchData, deal: DealLine, viewer: Markup, cards_wait: bool) -> str:
        """Render one deal with its `viewer` as an onlooker saw it; unless `cards_wait`, it links to all cards."""
        return self._page("onlooker.html", run, match=match, deal=deal, viewer=viewer, cards_wait=cards_wait)

    def login(self, run: RunData) -> str:
        """Render the form that takes the key of a bot's owner."""
        return self._page("login.html", run)

    def logs(self, run: RunData, bot: str, logs: Sequence[str], start_failure: str, notes: Sequence[str]) -> str:
        """Render the lists of a bot's logs and notes, by room and match, and why it never started, if it did not."""
        return self._page("logs.html", run, bot=bot, logs=logs, start_failure=start_failure, notes=notes)

    def api(self, addresses: Sequence[object]) -> str:
        """Render the addresses of the API, each with a `path` and a `summary`."""
        return self._page("api.html", None, addresses=addresses)

    def replay(self, run: RunData, match: MatchData, viewer: Markup) -> str:
        """Render all deals of a match with their `viewer`."""
        return self._page("replay.html", run, match=match, viewer=viewer)

    def problem(self, heading: str, text: str, run: RunData | None = None) -> str:
        """Render a page that says what cannot be shown, and what to do instead."""
        return self._page("problem.html", run, heading=heading, text=text)

    def _page(self, template: str, run: RunData | None, **values: object) -> str:
        return self._environment.get_template(template).render(links=self.links, run=run, **values)


def make_environment() -> Environment:
    """Make the environment in which all templates are rendered."""
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
