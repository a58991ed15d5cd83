"""Pages as HTML: page data goes in, text comes out; whatever a stranger chose is escaped."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from bourre_referee.standings import RENEGE_RULES
from bourre_referee.web import figures
from bourre_referee.web.data.run import RunData
from bourre_referee.web.data.strip import WIDTH, strips
from bourre_referee.web.links import Links


class Pages:
    """All pages, with the links that hold where they are shown."""

    def __init__(self, links: Links) -> None:
        self._links = links
        self._environment = _environment()

    def home(self, run: RunData) -> str:
        """The standings."""
        return self._page("home.html", run, strips=strips(run.standings.rows))

    def standings_fragment(self, run: RunData) -> str:
        """What of it changes while a contest goes on: what stands within its element `standings`."""
        return self._page("parts/standings.html", run, strips=strips(run.standings.rows))

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
    for shown in (figures.signed, figures.number, figures.interval, figures.count, figures.milliseconds, figures.short):
        environment.filters[shown.__name__] = shown
    environment.globals |= {"RULES": RENEGE_RULES, "STRIP_WIDTH": WIDTH}
    return environment
