"""Renders pages as HTML from their data, with all foreign text escaped, such as names."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from bourre.words.table_words import SUIT_NAMES
from bourre_referee.web.data import charts
from bourre_referee.web.data.bot_pages import FORM_HEIGHT, BotData
from bourre_referee.web.data.charts import STRIP_WIDTH, heat_rows, spark
from bourre_referee.web.data.event_page import EventData
from bourre_referee.web.data.front_page import front_page
from bourre_referee.web.data.headline import headline
from bourre_referee.web.data.match_headline import match_headline
from bourre_referee.web.data.run_page import RunData
from bourre_referee.web.page_links import Links, MatchChoice, Only
from bourre_referee.web.template_filters import add_filters
from bourre_referee.web.viewer import SCRIPT, STYLE

COURSE_WIDTH = 84
"""The width of the plot of a contest's curve, in per cent. Names stand next to it."""

MOST_COMPARED = 25
"""The most bots for which a folder of files has a page for each pair. With more, only a server compares two."""

WALL_ROWS = 12
"""The most bots in the standings on a wall, where letters are large."""


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
        return self.render(template, run, front=front_page(run, event.stories.featured), event=event, seen=seen)

    def bot(self, run: RunData, bot: BotData | None, **values: bool) -> str:
        """Renders the page of a bot."""
        return self.render("bot.html", run, bot=bot, compared=self._compares(run), **values)

    def _compares(self, run: RunData) -> bool:
        """Returns whether each pair of bots has a page."""
        return self.links.live or len(run.bots) <= MOST_COMPARED

    def cross(self, run: RunData) -> str:
        """Renders the cross-tables as heat maps. Their cells link to the pages of pairs, if there are any."""
        standings = run.standings
        maps = [("as played", heat_rows(standings, standings.cross))]
        if standings.adjusted_cross is not None:
            maps.append(("less luck", heat_rows(standings, standings.adjusted_cross)))
        cells = [row.cells for _, rows in maps for row in rows]
        marks = {
            "contradicted": any(cell is not None and cell.contradicts for row in cells for cell in row),
            "strangers": any(row.count(None) > 1 for row in cells),  # a bot never meets itself
        }
        return self.render("cross.html", run, maps=maps, compared=self._compares(run), **marks)


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
    add_filters(environment)
    environment.filters["spark"] = spark
    environment.globals |= {
        "VIEWER_STYLE": STYLE.name,
        "VIEWER_SCRIPT": SCRIPT.name,
        "STRIP_WIDTH": STRIP_WIDTH,
        "headline": headline,
        "match_headline": match_headline,
        "CHART": charts,
        "FORM_HEIGHT": FORM_HEIGHT,
        "COURSE_WIDTH": COURSE_WIDTH,
        "WALL_ROWS": WALL_ROWS,
        "MatchChoice": MatchChoice,
        "Only": Only,
        "SUITS": SUIT_NAMES,
    }
    return environment
