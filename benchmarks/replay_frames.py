"""Counts the frames of a replay that plays itself: `python benchmarks/replay_frames.py [SLOWDOWN ...]`; needs Chromium.

Eight seats play at double speed in a window of 1280 by 720, with the processor as it is and slowed four times, or as
many times as the arguments say. The times of the frames come from the browser's own trace.
"""

from __future__ import annotations

import shutil
import statistics
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from large_run import play_match
from playwright.sync_api import Browser, Page, sync_playwright

from bourre.record import read
from bourre.rules.deck import master_seed
from bourre.rules.house import HouseRules
from bourre_referee.model.spec import MatchSpec
from bourre_referee.web.viewer import render_standalone

SEATS, DEALS = 8, 3
WATCHED_MS = 15_000
SLOWDOWNS = (1.0, 4.0)
SWITCHES = ("--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-sync")
CATEGORIES = "disabled-by-default-devtools.timeline.frame,devtools.timeline.frame"
STILL_MS = 150.0
"""After so long without a frame nothing was moving; a slower frame than that would be a halt of its own."""


def write_replay(folder: Path) -> str:
    """Writes the replay of a match without bots; returns its address."""
    bots = tuple(f"bot {seat}" for seat in range(SEATS))
    spec = MatchSpec("frames", bots, HouseRules.preset("limit"), DEALS, master_seed(5))
    path = folder / "match.html"
    path.write_text(render_standalone(read(play_match(spec).record)), encoding="utf-8")
    return path.as_uri()


def watch(browser: Browser, address: str, slowdown: float) -> list[float]:
    """Returns the milliseconds at which frames were drawn while the replay played itself."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(address)
    page.get_by_role("combobox", name="Speed").select_option("2")
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    traced: list[dict[str, Any]] = []
    ended: list[object] = []
    session.on("Tracing.dataCollected", lambda found: traced.extend(found["value"]))
    session.on("Tracing.tracingComplete", lambda last: ended.append(last))
    session.send("Tracing.start", {"transferMode": "ReportEvents", "categories": CATEGORIES})
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_timeout(WATCHED_MS)
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
    """Prints frames per second for each slowdown."""
    slowdowns = tuple(map(float, sys.argv[1:])) or SLOWDOWNS
    chromium = shutil.which("chromium") or sys.exit("there is no chromium here: install your system's package of it")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        address = write_replay(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium, args=[*SWITCHES])
        for slowdown in slowdowns:
            moving = list(gaps(watch(browser, address, slowdown)))
            slow = statistics.quantiles(moving, n=20)[-1]
            print(
                f"slowed {slowdown:g} times: {1000 * len(moving) / sum(moving):.1f} frames per second in motion"
                f" ({len(moving)} frames; 19 of 20 within {slow:.1f} ms)"
            )
        browser.close()


if __name__ == "__main__":
    main()
