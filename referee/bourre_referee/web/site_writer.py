"""Writes the pages of a run as files that link only to each other, for any host or none."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from bourre.record import read
from bourre_referee.derived.model_groups import model_groups
from bourre_referee.export.export_tables import stored_matches
from bourre_referee.model.errors import ContestError
from bourre_referee.model.stored import StoredMatch
from bourre_referee.statistics.match_counts import BotCounts
from bourre_referee.statistics.played_deals import replay_deals
from bourre_referee.storage.files.atomic import new_folder
from bourre_referee.storage.run.run import Run
from bourre_referee.web.data.bot_deals import BotDeals, bot_deals_of
from bourre_referee.web.data.bot_pages import MOST_MATCHES, bot_data, conduct_data
from bourre_referee.web.data.event_page import event_data
from bourre_referee.web.data.match_highlights import match_highlights
from bourre_referee.web.data.match_page import MatchList, match_data, select_matches
from bourre_referee.web.data.models_page import models_data
from bourre_referee.web.data.moments import Moments, moments_of
from bourre_referee.web.data.run_page import RunData, read_run
from bourre_referee.web.data.versus_page import versus_data
from bourre_referee.web.link_pictures import draw_contest, draw_match
from bourre_referee.web.page_links import MatchChoice, Only, SiteLinks
from bourre_referee.web.render import MOST_COMPARED, Pages
from bourre_referee.web.viewer import SCRIPT, STYLE, render_match

README = """\
The pages of a Bourré contest. Open index.html, or put this folder on any web host.
See docs/data.md of bourre.

index.html        who leads, and the standings
figures.html      all figures of the standings, the chart and the moments
cross.html        the cross-table
wall.html         standings, chart and moments to project on a wall
conduct.html      how bots follow the rules, and the usage that they reported
models.html       only if bots reported usage: skill, rule-following and costs, and how they were measured
matches*.html     lists of the finished matches: all, with reneges, with faults, replayed
versus/           a page for each two bots, by their numbers (not for large contests)
bots/             a page for each bot, by its number in the contest file
matches/          a page for each match: result, deals
replays/          the deals of each match, card by card
static/           files that all pages share
share.png         with --public-url: the picture that a link shows in a message, and in matches/ that of each match
"""

MOST_PICTURES = 200
"""The most matches that get pictures of their own, a fifth of a second each. In a larger one, one stands for all."""

STATIC = Path(__file__).parent / "static"


def write_site(run: Run, out: Path, public: str = "") -> None:
    """Writes the run, finished or not, into a new folder, one record at a time.

    With `public`, the folder's address on the internet, links to it show a picture. Raises ContestError if the run is
    damaged, or if the folder already exists or cannot be written.
    """
    with new_folder(out) as folder:
        _write_pages(run, folder, public)


def _write_pages(run: Run, folder: Path, public: str) -> None:
    data = read_run(run)
    for name in ("bots", "matches", "replays", "static", "versus"):
        (folder / name).mkdir()
    for name in ("style.css", "event.css", "match.css", "bot.css", "icon.svg", "wall.js", "featured.js", "share.js"):
        shutil.copyfile(STATIC / name, folder / "static" / name)
    for joined in (STYLE, SCRIPT):
        _write(folder / "static" / joined.name, joined.read())
    (folder / "README.txt").write_text(README, "utf-8")
    links = SiteLinks(public=public, pictured=bool(public) and data.finished <= MOST_PICTURES)
    top, below = Pages(links), Pages(replace(links, depth=1))
    _write(folder / links.cross(), top.cross(data))
    for listed in _lists(data):
        _write(folder / links.matches(listed.choice), top.render("matches.html", data, found=listed))
    counts = BotCounts()
    moments, deals, secret = Moments(), BotDeals(), not run.shows_remarks
    for match in _shown_matches(run, data):
        record = read(match.record or "")
        found = moments_of(match.number, record)
        counts.add(record.header.bots, list(replay_deals(record)))
        moments = moments.join(found)
        deals = deals.join(bot_deals_of(match.number, record))
        _write_match(match, found, data, folder, below, secret=secret, pictured=links.pictured)
    event = event_data(data, moments, data.finished, run.record, secret=secret)
    if public:
        (folder / "share.png").write_bytes(draw_contest(data, event))
    _write(folder / links.home(), top.event("home.html", data, event))
    _write(folder / links.wall(), top.event("wall.html", data, event))
    _write(folder / links.figures(), top.event("figures.html", data, event))
    ranked = [row.bot for row in data.standings.rows]
    styles, following = counts.style.summarise(ranked), counts.rules.summarise(ranked)
    conduct = conduct_data(run, data, following)
    _write(folder / links.conduct(), top.render("conduct.html", data, conduct=conduct))
    if data.reports_usage:
        groups = model_groups(run)
        models = models_data(run, data, counts.rules.pool(groups).summarise([*groups]))
        _write(folder / links.models(), top.render("models.html", data, models=models))
    for number in range(1, len(data.bots) + 1):
        bot = bot_data(data, number, styles, deals)
        page = below.bot(data, bot, logs=False, cards_wait=False, secret=secret)
        _write(folder / "bots" / f"{number}.html", page)
    for one, other in combinations(range(1, len(data.bots) + 1), 2) if len(data.bots) <= MOST_COMPARED else ():
        page = below.render("versus.html", data, versus=versus_data(data, one, other))
        _write(folder / "versus" / f"{one}-{other}.html", page)


def _lists(data: RunData) -> Iterator[MatchList]:
    """Yields every page of every linked list. A bot has a list only if its page omits matches."""
    played = Counter(seat.bot for line in data.matches for seat in line.seats)
    busy = [data.numbers[bot] for bot in data.bots if played[bot] > MOST_MATCHES]
    for choice in (
        MatchChoice(),
        *(MatchChoice(only=only) for only in Only),
        *(MatchChoice(bot=number) for number in busy),
    ):
        page = 1
        while found := select_matches(data, MatchChoice(choice.bot, choice.only, page)):
            yield found
            page += 1


def _shown_matches(run: Run, data: RunData) -> Iterator[StoredMatch]:
    """Yields the matches on the pages. A run that is still being played may have more by now."""
    lines = {line.match: line for line in data.matches}
    found = 0
    for match in stored_matches(run) if lines else ():
        if match.match in lines and match.sha256.hex() == lines[match.match].sha256:
            found += 1
            yield match
    if found < len(lines):
        raise ContestError(f"{run.place}: a match was annulled during the export.\nhint: run bourre export again")


def _write_match(
    match: StoredMatch, found: Moments, data: RunData, folder: Path, pages: Pages, *, secret: bool, pictured: bool
) -> None:
    text = match.record or ""
    played = match_data(data, match.match, text)
    assert played is not None, "the match is one of those shown"
    name = f"{match.match}.html"
    told = match_highlights(played, found, data.duplicate)
    page = pages.render("match.html", data, match=played, told=told, dearest=None, secret=secret, cards_wait=False)
    _write(folder / "matches" / name, page)
    if pictured:
        (folder / "matches" / f"{match.match}.png").write_bytes(draw_match(data, played, told))
    viewer = render_match(read(text), match.remarks)
    _write(folder / "replays" / name, pages.render("replay.html", data, match=played, viewer=viewer))


def _write(path: Path, page: str) -> None:
    path.write_text(page, encoding="utf-8")
