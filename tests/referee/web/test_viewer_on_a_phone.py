"""The replay viewer on a narrow screen: a link to a step shows the table, and the buttons do not move."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.referee.web.browser import Look, watch_page
from tests.referee.web.serving import Served
from tests.referee.web.viewing import mischievous_match, opening_of, read_viewer, write_replay

PHONES: dict[str, Look] = {
    "tall": {"viewport": {"width": 360, "height": 740}},
    "short": {"viewport": {"width": 360, "height": 640}},
}
DESKTOP: Look = {"viewport": {"width": 1280, "height": 720}}
TABLET: Look = {"viewport": {"width": 768, "height": 1024}}
SIZES = {**PHONES, "tablet": TABLET, "desktop": DESKTOP}
SOME_SIZES = [size if size == "short" else pytest.param(size, marks=pytest.mark.long) for size in SIZES]
"""The sizes as cases of a test: the narrowest and shortest always, the others in `--long`."""
IN_SIGHT = """() => [".viewer-table", "[data-go=back]", "[data-go=forward]", "input"].filter((name) => {
  const box = document.querySelector(`.viewer ${name}`).getBoundingClientRect();
  return box.top > -1 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
})"""
"""Lists what is completely on the screen; pages scroll by whole pixels."""
WANTED = [".viewer-table", "[data-go=back]", "[data-go=forward]", "input"]
BUTTONS = """() => [...document.querySelectorAll(".viewer-controls :is(button, input)")].map((one) => {
  const box = one.getBoundingClientRect();
  return [one.className || one.dataset.go, box.x, box.y + scrollY, box.width, box.height].join(" ");
})"""


def expect_in_sight(page: Page) -> None:
    """Waits until the table and its controls are completely on the screen."""
    page.wait_for_function(f"(wanted) => ({IN_SIGHT})().join() === wanted.join()", arg=WANTED)


@pytest.mark.parametrize("look", SOME_SIZES)
def test_a_link_to_a_step_shows_the_table(browser: Browser, tmp_path: Path, look: str) -> None:
    with watch_page(browser, tmp_path.as_uri(), SIZES[look]) as page:
        page.goto(f"{write_replay(mischievous_match(seats=5), tmp_path)}#deal-3-step-20")
        assert read_viewer(page).counter.startswith("20 /")
        expect_in_sight(page)


@pytest.mark.parametrize("look", SOME_SIZES)
def test_a_link_to_a_step_of_a_served_deal_shows_the_table(browser: Browser, served: Served, look: str) -> None:
    with watch_page(browser, served.url, SIZES[look]) as page:
        page.goto(f"{served.url}matches/m0001/deals/2#step-17")
        assert read_viewer(page).counter.startswith("17 /")
        expect_in_sight(page)
        page.reload()
        expect_in_sight(page)


def test_a_line_of_the_log_shows_its_table(browser: Browser, tmp_path: Path) -> None:
    with watch_page(browser, tmp_path.as_uri(), PHONES["short"]) as page:
        page.goto(write_replay(mischievous_match(seats=5), tmp_path))
        page.locator("#deal-1-step-9").click()
        expect(page.locator("#deal-1-step-9")).to_have_attribute("aria-current", "step")
        expect_in_sight(page)


def test_a_page_without_a_step_in_its_link_opens_at_its_top(browser: Browser, served: Served) -> None:
    with watch_page(browser, served.url, PHONES["short"]) as page:
        page.goto(f"{served.url}matches/m0001/deals/2")
        assert read_viewer(page).counter.startswith(f"{opening_of(page)} /")
        assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("look", SOME_SIZES)
def test_the_buttons_stay_where_they_are_at_every_step(browser: Browser, tmp_path: Path, look: str) -> None:
    with watch_page(browser, tmp_path.as_uri(), SIZES[look]) as page:
        page.goto(write_replay(mischievous_match(seats=5), tmp_path))
        places = page.evaluate(BUTTONS)
        captions = set()
        for _ in range(int(read_viewer(page).counter.split()[-1]) - 1):
            page.get_by_role("button", name="Forward", exact=True).click()
            captions.add(page.locator(".viewer-caption").evaluate("(caption) => caption.offsetHeight"))
            assert page.evaluate(BUTTONS) == places, read_viewer(page).counter
        assert len(captions) > 1
