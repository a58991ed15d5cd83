"""A contest as an event in a browser: followed live, on a phone and a desk, by keyboard, and on a wall."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Semaphore, Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from bourre_referee.model.spec import MatchOutcome, MatchSpec
from bourre_referee.web.template_filters import signed
from tests.referee import realistic_rooms
from tests.referee.contests import small_contest
from tests.referee.in_process import run_in_process
from tests.referee.web.browser import MOVING, Look, watch_page
from tests.referee.web.serving import serving
from tests.referee.web.viewing import read_viewer

PATIENCE_S = 60.0
SIDEWAYS = "[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth).length"
PHONE: Look = {"viewport": {"width": 360, "height": 740}}
SMALL_PHONE: Look = {"viewport": {"width": 320, "height": 640}}
DESK: Look = {"viewport": {"width": 1280, "height": 900}}
STILL: Look = {"reduced_motion": "reduce"}


HELD = """document.addEventListener("htmx:sseBeforeMessage", (event) => { window.held = event.defaultPrevented; })"""
"""Notes whether the newest content of a live page waits for the pointer to leave a row."""

SAID = """() => {
  const note = document.querySelector(".lost");
  new MutationObserver(() => { if (!note.hidden) window.said = note.textContent; }).observe(note, { attributes: true });
}"""
"""Keeps what the page says about a lost server, because it may say so for a moment only."""


class Turnstile:
    """Lets a contest play as many matches as a test asks for; until then, its bots wait."""

    def __init__(self) -> None:
        self._open = Semaphore(0)
        self.begun = Event()
        """Set when the first match is asked for."""

    def played(self, spec: MatchSpec) -> MatchOutcome:
        self.begun.set()
        assert self._open.acquire(timeout=PATIENCE_S)
        return realistic_rooms.played(spec)

    def let_in(self, matches: int) -> None:
        self._open.release(matches)


@contextmanager
def playing(folder: Path) -> Iterator[Turnstile]:
    """Plays a contest of ten matches in a thread; at the end of the block it plays what is left."""
    turnstile = Turnstile()
    contest = small_contest(folder / "contest")
    thread = Thread(target=lambda: run_in_process(contest, folder / "run", turnstile.played))
    thread.start()
    try:
        assert turnstile.begun.wait(PATIENCE_S)
        yield turnstile
    finally:
        turnstile.let_in(10)
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def test_a_spectator_follows_a_contest(browser: Browser, tmp_path: Path) -> None:
    with (
        playing(tmp_path) as turnstile,
        serving(tmp_path / "run") as it,
        watch_page(browser, it.url, DESK | MOVING) as page,
    ):
        with page.expect_request("**/live*"):
            page.goto(it.url)
        status, heading = page.get_by_role("status"), page.get_by_role("heading", level=1)
        expect(status).to_contain_text("0 of 10 matches finished")
        expect(heading).to_have_text("No match has finished yet")
        tables = page.get_by_role("list", name="At the tables now").get_by_role("listitem")
        expect(tables).to_have_text(re.compile(r"^m0001 \w+(, \w+)+$"))
        page.evaluate("window.loaded = 'once'")
        turnstile.let_in(3)
        expect(status).to_contain_text("3 of 10 matches finished")
        expect(heading).not_to_have_text("No match has finished yet")
        expect(tables).to_have_text(re.compile("^m0004 "))
        expect(page.locator(".featured figcaption")).to_contain_text("Deal of the contest so far.")
        expect(page.locator(".story").first).to_be_visible()
        page.evaluate(HELD)
        page.locator(".standings tbody tr").first.hover()
        turnstile.let_in(1)
        page.wait_for_function("() => window.held")
        expect(status).to_contain_text("3 of 10 matches finished")
        page.mouse.move(1, 1)
        expect(status).to_contain_text("4 of 10 matches finished")
        turnstile.let_in(6)
        expect(status).to_contain_text("All 10 matches are finished")
        expect(tables).to_have_count(0)
        assert page.evaluate("window.loaded") == "once"


def test_a_moment_opens_the_replay_at_its_step(browser: Browser, site: Path) -> None:
    with watch_page(browser, site.as_uri(), PHONE) as page:
        page.goto((site / "figures.html").as_uri())
        link = page.locator(".story.renege a").first
        bot = link.inner_text().partition(" reneges ")[0]
        link.click()
        page.locator(".viewer-caption.renege").wait_for()
        assert bot in read_viewer(page).caption
        expect(page.locator(".viewer-table")).to_be_in_viewport()


@pytest.mark.parametrize("look", [SMALL_PHONE, PHONE, DESK], ids=["320", "360", "1280"])
@pytest.mark.parametrize("run", ["faulty", "duplicate_folder"])
def test_the_standings_fit_and_hide_nothing_that_matters(
    browser: Browser, run: str, look: Look, request: pytest.FixtureRequest
) -> None:
    with serving(request.getfixturevalue(run)) as it, watch_page(browser, it.url, look) as page:
        page.goto(it.url)
        assert page.evaluate(SIDEWAYS) == 0
        assert page.evaluate("document.querySelector('.top').offsetHeight") <= 96
        for row in it.client.get("/api/standings").json()["standings"]:
            line = page.locator(".standings tbody tr", has=page.get_by_role("link", name=row["bot"], exact=True))
            shown = f"{line.inner_text()} {line.locator('.strip').get_attribute('aria-label')}"
            low, high = (signed(end, 1) for end in row["effect95"])
            wanted = (str(row["rank"]), signed(row["effect"], 1), f"between {low} and {high}")
            counts = (str(row[name]) for name in ("reneges", "faults", "house_deals") if row[name])
            assert [words for words in (*wanted, *counts) if words not in shown] == []


def test_the_keyboard_reaches_every_line_of_the_chart_and_names_its_bot(browser: Browser, site: Path) -> None:
    with watch_page(browser, site.as_uri(), DESK) as page:
        page.goto((site / "figures.html").as_uri())
        lines = page.locator(".course .series")
        names = [lines.nth(at).get_attribute("aria-label") or "" for at in range(lines.count())]
        assert [name.partition(":")[0] for name in names] == page.locator(".standings .bot").all_inner_texts()
        lines.first.focus()
        for at, name in enumerate(names):
            expect(lines.nth(at)).to_be_focused()
            expect(lines.nth(at).locator(".tip")).to_be_visible()
            assert name.partition(":")[0] in lines.nth(at).locator(".tip").inner_html()
            assert page.locator(".course .tip").locator("visible=true").count() == 1
            page.keyboard.press("Tab")
        page.mouse.move(0, 0)
        expect(page.locator(".course .tip").locator("visible=true")).to_have_count(0)


def panels(page: Page) -> list[str]:
    """Returns the headings of the panels that are shown."""
    return page.locator(".panel").locator("visible=true").locator("h2").all_inner_texts()


def test_the_wall_shows_one_panel_after_the_other_until_it_is_paused(browser: Browser, finished: Path) -> None:
    with serving(finished) as it, watch_page(browser, it.url, DESK | MOVING) as page:
        page.clock.install()
        with page.expect_request("**/live*"):
            page.goto(f"{it.url}wall")
        seen = [panels(page)]
        for _ in range(3):
            page.clock.run_for(12_000)
            seen.append(panels(page))
        assert seen[1:3] == [["Over time"], ["Moments"]]
        assert seen[0] == seen[3]
        assert len(seen[0]) == 1
        page.get_by_role("button", name="Next").click()
        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_role("button", name="Pause", pressed=True)).to_be_visible()
        page.clock.run_for(60_000)
        assert panels(page) == ["Over time"]


def test_a_wall_without_motion_shows_everything(browser: Browser, site: Path) -> None:
    with watch_page(browser, site.as_uri(), STILL) as page:
        page.goto((site / "wall.html").as_uri())
        assert panels(page)[1:] == ["Over time", "Moments"]
        expect(page.get_by_role("button")).to_have_count(0)
        assert page.evaluate("document.getAnimations().length") == 0


def test_an_onlooker_sees_backs_and_the_cards_on_the_table(browser: Browser, finished: Path) -> None:
    with serving(finished) as it, watch_page(browser, it.url) as page:
        page.goto(f"{it.url}matches/m0001/deals/2/onlooker")
        backs, trick = 0, False
        for _ in range(40):
            shown = read_viewer(page)
            assert set(shown.hands) == {""}
            backs, trick = max(backs, sum(shown.backs)), trick or bool(shown.trick)
            page.keyboard.press("ArrowRight")
        assert backs == 5 * len(shown.hands)
        assert trick


def test_the_deal_of_the_contest_plays_itself_until_it_is_paused(browser: Browser, site: Path) -> None:
    with watch_page(browser, site.as_uri(), DESK | MOVING) as page:
        page.clock.install()
        page.goto((site / "index.html").as_uri())
        cards, waiting = page.locator(".featured td.trick:has(.glyph)"), page.locator(".featured td.trick.waits")
        page.clock.run_for(3_000)
        expect(waiting).not_to_have_count(0)
        page.get_by_role("button", name="Pause").click()
        left = waiting.count()  # the clock of the page goes on, so that it is not known how many
        page.clock.run_for(5_000)
        assert 0 < waiting.count() == left < cards.count()
        page.get_by_role("button", name="Play").click()
        page.clock.run_for(500 * left)
        expect(waiting).to_have_count(0)
        page.emulate_media(reduced_motion="reduce")
        page.clock.run_for(60_000)
        expect(waiting).to_have_count(0)
        expect(page.get_by_role("button")).to_have_count(0)


def test_a_page_says_that_it_lost_its_server_and_goes_on_when_it_is_back(browser: Browser, finished: Path) -> None:
    page = browser.new_page()
    with serving(finished) as it:
        page.add_init_script("document.addEventListener('htmx:sseOpen', () => { window.heard = true; })")
        page.clock.install()
        page.goto(it.url)
        page.wait_for_function("() => window.heard")
        lost = page.get_by_role("alert")
        expect(lost).to_have_count(0)
        page.evaluate(SAID)
        page.clock.run_for(5_000)  # five seconds without a word of the server, whose next one comes in less than two
        page.wait_for_function("() => window.said?.startsWith('No connection to the server since')")
        expect(lost).to_have_count(0)
    expect(lost).to_contain_text("No connection to the server since")
    page.close()
