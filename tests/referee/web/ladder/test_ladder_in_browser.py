"""The pages of a ladder in a browser: no foreign request, no accessibility violation, and the board is live."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from bourre.record import read, replay
from bourre.rules.events import DealStarted
from bourre_referee.storage.files.public_log import PublicLog
from tests.referee.realistic_rooms import played
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
        expect(page.locator("#board")).to_contain_text("none in play")
        young.ladder.begin()
        young.ladder.write_board()
        expect(page.locator("#board")).to_contain_text("1 in play")


def test_a_room_is_watched_while_it_is_played_and_replayed_just_after(browser: Browser, young: ServedLadder) -> None:
    ladder = young.ladder
    room = ladder.begin()
    place = ladder.state.seasons.place_of(room)
    assert place is not None
    record = read(played(ladder.runs[place.rated].spec(place.match)).record)
    events = [event for step in replay(record) for event in step.events]
    third = next(at for at, event in enumerate(events) if isinstance(event, DealStarted) and event.deal == 3)
    with watch_page(browser, young.url) as page, PublicLog(ladder.folder.rooms / f"room{room:06}") as log:
        page.goto(f"{young.url}rooms/{room}")
        expect(page.locator("#room")).to_contain_text("The bots are still sitting down")
        log.write(events[: third - 1])
        expect(page.locator("#room")).to_contain_text("deal 2 of 4")
        log.write(events[third - 1 : third + 5])
        expect(page.locator("#room")).to_contain_text("deal 3 of 4")
        expect(page.locator(".felt")).to_have_count(2)
        assert_fit_in_every_look(page)
        ladder.finish(room)
        expect(page.locator("h1")).to_contain_text(f"won room {room}")
        page.get_by_role("link", name="Replay it").click()
        expect(page).to_have_url(re.compile(r"/epochs/1/matches/m\d{4}/deals/1/onlooker$"))


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
