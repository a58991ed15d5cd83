"""Counts the frames of a replay that plays itself: `python benchmarks/replay_frames.py [RUN_FOLDER]`; needs Chromium.

Eight seats play at double speed in a window of 1280 by 720, with the processor as it is and slowed four times. With a
run, its pages scroll too: the first one, a match, a bot, the matches. The times come from the browser's own trace.
"""

from __future__ import annotations

import shutil
import statistics
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from large_run import play_match
from playwright.sync_api import Browser, Page, sync_playwright

from bourre.record import read
from bourre.rules.deck import master_seed
from bourre.rules.house import HouseRules
from bourre_referee.model.spec import MatchSpec
from bourre_referee.storage.run.run import Run
from bourre_referee.web.site_writer import write_site
from bourre_referee.web.viewer import render_standalone

SEATS, DEALS = 8, 3
WATCHED_MS = 15_000
SLOWDOWNS = (1.0, 4.0)
SWITCHES = ("--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-sync")
CATEGORIES = "disabled-by-default-devtools.timeline.frame,devtools.timeline.frame"
SCROLLED = """async () => {
  const end = document.documentElement.scrollHeight - innerHeight;
  for (let frame = 0; frame < 240; frame++) {
    scrollTo(0, end * (0.5 - 0.5 * Math.cos(frame / 20)));
    await new Promise(requestAnimationFrame);
  }
}"""
STILL_MS = 150.0
"""After so long without a frame nothing was moving; a slower frame than that would be a halt of its own."""


def write_replay(folder: Path) -> str:
    """Writes the replay of a match without bots; returns its address."""
    bots = tuple(f"bot {seat}" for seat in range(SEATS))
    spec = MatchSpec("frames", bots, HouseRules.preset("limit"), DEALS, master_seed(5))
    path = folder / "match.html"
    path.write_text(render_standalone(read(play_match(spec).record)), encoding="utf-8")
    return path.as_uri()


def write_pages(run: Path, folder: Path) -> Iterator[str]:
    """Writes the pages of a run; yields the addresses of four."""
    write_site(Run.open(run), folder)
    match = min((folder / "matches").glob("*.html"))
    yield from (
        page.as_uri() for page in (folder / "index.html", match, folder / "bots/1.html", folder / "matches.html")
    )


def play_deals(page: Page) -> None:
    """Lets the replay play itself."""
    page.get_by_role("combobox", name="Speed").select_option("2")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_timeout(WATCHED_MS)


def scroll(page: Page) -> None:
    """Scrolls down and up twice."""
    page.evaluate(SCROLLED)


def watch(browser: Browser, address: str, move: Callable[[Page], None], slowdown: float) -> list[float]:
    """Returns the milliseconds at which frames were drawn while the page moved."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(address)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    traced: list[dict[str, Any]] = []
    ended: list[object] = []
    session.on("Tracing.dataCollected", lambda found: traced.extend(found["value"]))
    session.on("Tracing.tracingComplete", lambda last: ended.append(last))
    session.send("Tracing.start", {"transferMode": "ReportEvents", "categories": CATEGORIES})
    move(page)
    session.send("Tracing.end")
    wait_until(page, ended)
    page.close()
    return sorted(event["ts"] / 1000 for event in traced if event["name"] == "DrawFrame")


def wait_until(page: Page, ended: list[object]) -> None:
    """Lets the browser send the whole trace."""
    while not ended:
        page.wait_for_timeout(50)


def gaps(frames: list[float]) -> Iterator[float]:
    """Yields the milliseconds between neighbouring frames of a motion."""
    yield from (gap for gap in (later - one for one, later in pairwise(frames)) if gap < STILL_MS)


def main() -> None:
    """Prints frames per second for each page and slowdown."""
    chromium = shutil.which("chromium") or sys.exit("there is no chromium here: install your system's package of it")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        pages = {write_replay(Path(folder)): play_deals}
        for run in map(Path, sys.argv[1:]):
            pages |= dict.fromkeys(write_pages(run, Path(folder) / "site"), scroll)
        browser = playwright.chromium.launch(executable_path=chromium, args=[*SWITCHES])
        for address, slowdown in product(pages, SLOWDOWNS):
            moving = list(gaps(watch(browser, address, pages[address], slowdown)))
            slow = statistics.quantiles(moving, n=20)[-1]
            print(
                f"{Path(address).name}, slowed {slowdown:g} times: "
                f"{1000 * len(moving) / sum(moving):.1f} frames per second in motion"
                f" ({len(moving)} frames; 19 of 20 within {slow:.1f} ms)"
            )
        browser.close()


if __name__ == "__main__":
    main()
