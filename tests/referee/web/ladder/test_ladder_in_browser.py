"""The pages of a ladder in a browser: no foreign request, no accessibility violation, and the board is live."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.referee.web.browser import assert_fit_for_all, assert_fit_in_every_look, watch_page
from tests.referee.web.ladder.shown_ladders import ServedLadder, ShownLadder, serving_ladder

PAGES = ("", "bots/ada", "epochs", "log", "epochs/1/", "api", "seasons/1", "owner")


@pytest.fixture
def young(tmp_path: Path) -> Iterator[ServedLadder]:
    """A ladder that has played one room."""
    ladder = ShownLadder(tmp_path / "host")
    ladder.play(1)
    ladder.write_board()
    with serving_ladder(ladder) as it:
        yield it


@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_wrong_with_a_page(browser: Browser, served_ladder: ServedLadder, path: str) -> None:
    with watch_page(browser, served_ladder.url) as page:
        page.goto(served_ladder.url + path)
        expect(page.locator("h1")).to_have_count(1)
        assert_fit_in_every_look(page)


def test_the_board_is_live(browser: Browser, young: ServedLadder) -> None:
    with watch_page(browser, young.url) as page:
        page.goto(young.url)
        expect(page.locator("#board")).to_contain_text("No room is being played.")
        young.ladder.begin()
        young.ladder.write_board()
        expect(page.locator("#board")).to_contain_text("Rooms that are being played")


def test_an_owner_pauses_a_bot_by_a_button(browser: Browser, young: ServedLadder) -> None:
    with watch_page(browser, young.url) as page:
        page.goto(f"{young.url}owner")
        page.get_by_label("Key").fill(young.ladder.key("Ann"))
        page.get_by_role("button", name="Log in").click()
        assert_fit_for_all(page)
        page.get_by_role("button", name="Pause ada").click()
        expect(page.get_by_role("button", name="Resume ada")).to_have_count(1)
        assert young.ladder.state.bots["ada"].paused
        expect(page).to_have_url(f"{young.url}owner")
        page.get_by_role("button", name="Log out").click()
        expect(page.get_by_role("button", name="Log in")).to_have_count(1)
