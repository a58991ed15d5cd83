"""All pages in a browser, served and exported: no foreign request, no accessibility violation, live standings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from bourre.record import read
from bourre_referee.storage.run.run import Run
from tests.referee.web.browser import MOVES, assert_fit_for_all, assert_fit_in_every_look, watch_page
from tests.referee.web.serving import Served, serving, void_match
from tests.referee.web.viewing import read_viewer, tables

DEAL = "/matches/m0001/deals/2"
PAGES = (
    *("/", "/cross", "/conduct", "/checked", "/matches", "/matches?with=reneges", "/matches/m0001", "/wall", "/bots/2"),
    *(DEAL, f"{DEAL}/onlooker", "/figures", "/versus", "/versus?one=1&other=2", "/api", "/nothing"),
)
FILES = (
    *("index.html", "cross.html", "conduct.html", "matches.html", "matches/m0001.html", "bots/2.html", "wall.html"),
    *("replays/m0001.html#deal-2-step-3", "versus/1-2.html"),
)
"""Pages of the exported site."""


@pytest.fixture
def url(served: Served) -> str:
    return served.url


@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_wrong_with_a_page(browser: Browser, url: str, path: str) -> None:
    with watch_page(browser, url, expected="404 (Not Found)" if path == "/nothing" else "\0") as page:
        page.goto(f"{url}{path.removeprefix('/')}")
        expect(page.locator("h1")).to_have_count(1)
        assert page.evaluate(MOVES) == []
        assert_fit_in_every_look(page)


def test_a_match_is_found_by_keyboard_alone(browser: Browser, url: str) -> None:
    with watch_page(browser, url) as page:
        page.goto(url)
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
        page.keyboard.press("Enter")
        page.goto(url)
        for _ in range(20):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent") == "Matches":
                break
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none"
        page.keyboard.press("Enter")
        page.wait_for_url(f"{url}matches")
        expect(page.get_by_role("heading", level=1)).to_have_text("Matches")


def test_a_visitor_copies_the_address_of_a_page(browser: Browser, url: str, site: Path) -> None:
    with watch_page(browser, url) as page:
        page.goto(f"{url}matches/m0001")
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.get_by_role("button", name="Share").click()
        expect(page.get_by_role("button", name="Link copied")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == f"{url}matches/m0001"
        page.context.clear_permissions()
    with watch_page(browser, site.as_uri()) as page:
        page.goto((site / "index.html").as_uri())
        expect(page.get_by_role("button", name="Share")).to_have_count(0)


@pytest.mark.parametrize(
    ("bot", "only", "heading"),
    [
        ("all", "anything", "Matches"),
        ("cy", "anything", "Matches of cy"),
        ("all", "faults", "Matches with faults"),
        ("cy", "faults", "Matches of cy with faults"),
    ],
)
def test_the_filters_can_be_left_empty(browser: Browser, url: str, bot: str, only: str, heading: str) -> None:
    with watch_page(browser, url) as page:
        page.goto(f"{url}matches")
        page.get_by_label("Bot").select_option(bot)
        page.get_by_label("With").select_option(only)
        with page.expect_navigation():
            page.get_by_role("button", name="Show").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)


def test_the_standings_follow_changes_to_the_run(browser: Browser, folder: Path) -> None:
    with serving(folder) as it, watch_page(browser, it.url) as page:
        with page.expect_request("**/live*"):
            page.goto(it.url)
        expect(page.get_by_role("status")).to_contain_text("All 10 matches are finished")
        page.evaluate("window.loaded = 'once'")
        void_match(folder, "m0004")
        expect(page.get_by_role("status")).to_contain_text("9 of 10 matches finished")
        expect(page.locator("main")).to_contain_text("the power failed")
        assert page.evaluate("window.loaded") == "once"


def test_nothing_is_wrong_with_the_pages_of_the_folder(browser: Browser, site: Path) -> None:
    with watch_page(browser, site.as_uri()) as page:
        for path in FILES:
            page.goto(f"{site.as_uri()}/{path}")
            expect(page.locator("h1")).to_have_count(1)
            assert page.evaluate("getComputedStyle(document.body).getPropertyValue('--felt')"), f"{path}: no style"
        page.goto(f"{site.as_uri()}/index.html")
        assert_fit_for_all(page)


def test_links_lead_from_the_standings_to_the_last_step_of_a_deal(browser: Browser, site: Path, faulty: Path) -> None:
    record = read(Run.open(faulty).record("m0001"))
    with watch_page(browser, site.as_uri()) as page:
        page.goto((site / "index.html").as_uri())
        page.get_by_role("link", name="Matches", exact=True).click()
        page.get_by_role("link", name="m0001").click()
        page.locator("main a[href$='#deal-4']").first.click()
        page.locator(".viewer.running").focus()  # a key pressed earlier would go to the page
        assert all(read_viewer(page).hands), "the replay of a deal does not begin with the dealt hands"
        page.keyboard.press("End")
        *_, table = tables(record)
        seen = read_viewer(page)
        assert (seen.balances, seen.pot, seen.names) == (list(record.final), 0, list(record.header.bots))
        assert (seen.hands, seen.trick, seen.statuses) == (table.hands, table.trick, table.statuses)
        expect(page).to_have_url(re.compile(f"replays/m0001.html#{seen.line}$"))
