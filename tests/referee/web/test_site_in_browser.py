"""The exported site, opened from its folder: no server, no foreign request, no accessibility violation."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from bourre.record import read
from bourre_referee.storage.run import Run
from tests.referee.web.browser import LOOKS, assert_fit_for_all, watch_page
from tests.referee.web.viewing import read_viewer, tables

PAGES = (
    "index.html",
    "cross.html",
    "conduct.html",
    "matches.html",
    "matches/m0001.html",
    "replays/m0001.html#deal-2-step-3",
    "bots/2.html",
    "versus/1-2.html",
    "wall.html",
)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_wrong_with_a_page_of_the_folder(browser: Browser, site: Path, path: str, look: str) -> None:
    with watch_page(browser, site.as_uri(), LOOKS[look]) as page:
        page.goto(f"{site.as_uri()}/{path}")
        expect(page.locator("h1")).to_have_count(1)
        assert page.evaluate("getComputedStyle(document.body).getPropertyValue('--felt')"), "no style"
        assert_fit_for_all(page)


def test_links_lead_from_the_standings_to_the_last_step_of_a_deal(browser: Browser, site: Path, faulty: Path) -> None:
    record = read(Run.open(faulty).record("m0001"))
    with watch_page(browser, site.as_uri()) as page:
        page.goto((site / "index.html").as_uri())
        page.get_by_role("link", name="Matches", exact=True).click()
        page.get_by_role("link", name="m0001").click()
        page.locator("main a[href$='#deal-4']").first.click()
        page.locator(".viewer.running").focus()  # a key pressed earlier would go to the page
        page.keyboard.press("End")
        *_, table = tables(record)
        seen = read_viewer(page)
        assert (seen.balances, seen.pot, seen.names) == (list(record.final), 0, list(record.header.bots))
        assert (seen.hands, seen.trick, seen.statuses) == (table.hands, table.trick, table.statuses)
        assert page.url.endswith(f"replays/m0001.html#{seen.line}")
