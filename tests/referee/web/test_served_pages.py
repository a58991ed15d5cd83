"""The served pages in a browser: live standings, keyboard, no foreign request, no accessibility violation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from bourre_referee.contest.contest_file import load
from tests.referee.contests import bot, played
from tests.referee.in_process import run_in_process
from tests.referee.web.browser import LOOKS, assert_fit_for_all, watch_page
from tests.referee.web.serving import Served, serving, void_match

PAGES = (
    *("/", "/cross", "/conduct", "/checked", "/matches", "/matches?with=reneges", "/matches/m0001", "/wall", "/bots/2"),
    *("/matches/m0001/deals/2", "/matches/m0001/deals/2/onlooker", "/versus", "/versus?one=1&other=2", "/api"),
    "/nothing",
)
BOT = "from bourre import Bot, run\n\nrun(Bot)\n"
NAMES = ("_", "__proto__", "a.b-c_d", "W" * 32)


@pytest.fixture
def url(served: Served) -> str:
    return served.url


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_wrong_with_a_page(browser: Browser, url: str, path: str, look: str) -> None:
    expected = {"expected": "404 (Not Found)"} if path == "/nothing" else {}
    with watch_page(browser, url, LOOKS[look], **expected) as page:
        page.goto(f"{url}{path.removeprefix('/')}")
        expect(page.locator("h1")).to_have_count(1)
        assert_fit_for_all(page)


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


def contest_file(folder: Path) -> Path:
    """Write a contest of four bots with unusual names, two at a table."""
    for name in NAMES:
        (folder / f"{name}.py").write_text(BOT)
    path = folder / "contest.toml"
    path.write_text(
        '[contest]\nname = "real"\nseed = 7\n[table]\nseats = 2\ndeals = 3\n[schedule]\nrounds = 1\n'
        '[clock]\nstart_ms = 30000\ndecision_ms = 60000\n[isolation]\nlevel = "none"\n' + "".join(map(bot, NAMES))
    )
    return path


def test_the_standings_follow_a_contest_while_it_plays(browser: Browser, tmp_path: Path) -> None:
    file = contest_file(tmp_path)
    run_in_process(load(file), tmp_path / "run", played)
    for match in ("m0001", "m0002"):
        void_match(tmp_path / "run", match)
    words = [sys.executable, "-m", "bourre_referee", "run", str(file), "--out", str(tmp_path / "run")]
    with serving(tmp_path / "run") as it, watch_page(browser, it.url) as page:
        with page.expect_request("**/live*"):
            page.goto(it.url)
        states = page.get_by_role("status")
        total = it.client.get("/api/run").json()["matches"]
        expect(states).to_contain_text(f"{total - 2} of {total} matches finished")
        rows = page.locator("table").first.get_by_role("row")
        expect(rows).to_have_count(len(NAMES) + 1)
        with subprocess.Popen([*words, "--jobs", "1"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            expect(states).to_contain_text(f"All {total} matches are finished", timeout=100_000)
            assert process.wait(100) == 0
        for name in NAMES:
            expect(rows.get_by_text(name, exact=True)).to_have_count(1)
