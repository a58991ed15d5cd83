"""Pages as HTML: page data goes in, text comes out; whatever a stranger chose is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from bourre.rules.sentences import sentence
from bourre_referee.text.names import SUITS
from bourre_referee.web import number_format as figures
from bourre_referee.web.data import charts as chart
from bourre_referee.web.data.bot_page import BotData
from bourre_referee.web.data.charts import STRIP_WIDTH, heat_rows, strips
from bourre_referee.web.data.match_page import DealLine, MatchData, MatchList
from bourre_referee.web.data.run_page import RunData
from bourre_referee.web.page_links import Choice, Links, Only

FILTERS = (
    *(figures.signed, figures.number, figures.interval, figures.count, figures.milliseconds, figures.short),
    sentence,
)
"""By their names in the templates."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """The replay of one deal, to be put into its page."""

    section: Markup
    style: str
    """Name of the file in `static` that it needs."""
    script: str
    """Likewise."""


class Pages:
    """All pages, with the links that hold where they are shown."""

    def __init__(self, links: Links) -> None:
        self._links = links
        self._environment = _environment()

    def home(self, run: RunData, seen: str = "") -> str:
        """The standings; `seen` names their state, so that a server need not tell them again at once."""
        return self._page("home.html", run, strips=strips(run.standings.rows), seen=seen)

    def standings_fragment(self, run: RunData) -> str:
        """What of it changes while a contest goes on: what stands within its element `standings`."""
        return self._page("parts/standings.html", run, strips=strips(run.standings.rows))

    def cross(self, run: RunData) -> str:
        """The cross-table as a heat map."""
        return self._page("cross.html", run, rows=heat_rows(run.standings))

    def matches(self, run: RunData, found: MatchList) -> str:
        """A list of matches."""
        return self._page("matches.html", run, found=found)

    def match(self, run: RunData, match: MatchData) -> str:
        """A match."""
        return self._page("match.html", run, match=match)

    def bot(self, run: RunData, bot: BotData, log: str | None = None) -> str:
        """A bot; `log` is where its owner finds what it printed."""
        return self._page("bot.html", run, bot=bot, log=log)

    def deal(self, run: RunData, match: MatchData, deal: DealLine, viewer: Viewer) -> str:
        """A deal of that match, which can be stepped through."""
        return self._page("deal.html", run, match=match, deal=deal, viewer=viewer)

    def logs(self, run: RunData, bot: str, logs: Sequence[tuple[str, str]]) -> str:
        """What a bot printed: each room with the address of its log."""
        return self._page("logs.html", run, bot=bot, logs=logs)

    def api(self, addresses: Sequence[object]) -> str:
        """The addresses for programs, each with its `path` and a `summary`."""
        return self._page("api.html", None, addresses=addresses)

    def replay(self, run: RunData, match: MatchData, viewer: Viewer) -> str:
        """All deals of a match, which can be stepped through."""
        return self._page("replay.html", run, match=match, viewer=viewer)

    def problem(self, heading: str, mend: str, run: RunData | None = None) -> str:
        """A page for what cannot be shown, and what to do instead."""
        return self._page("problem.html", run, heading=heading, mend=mend)

    def _page(self, template: str, run: RunData | None, **values: object) -> str:
        return self._environment.get_template(template).render(links=self._links, run=run, **values)


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("bourre_referee.web", "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for shown in FILTERS:
        environment.filters[shown.__name__] = shown
    environment.globals |= {"STRIP_WIDTH": STRIP_WIDTH, "CHART": chart, "Choice": Choice, "Only": Only, "SUITS": SUITS}
    return environment
