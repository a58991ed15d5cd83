"""The pictures of README and docs, made anew: `.venv/bin/python docs/pictures/make.py`; needs Chromium.

A small contest is played, exported as a static site, and looked at: always the same bots, deals and window sizes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
CARELESS = """\
from bourre import Bot, run

class Careless(Bot):
    def play(self, view):  # now and then a card that may not be played
        return view.rng.choice(view.hand) if view.correcting is None else view.legal[0]

if __name__ == "__main__":
    run(Careless)
"""
ENTRY = '\n[[bots]]\nname = "careless"\ncommand = ["python", "careless.py"]\n'
SWITCHES = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")
WIDE, NARROW = (1120, 760), (320, 640)
Scheme = Literal["light", "dark"]


def main() -> None:
    """Plays, exports, looks; four pictures beside this file."""
    chromium = shutil.which("chromium") or sys.exit("there is no chromium here: install your system's package of it")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        site = exported(Path(place))
        browser = playwright.chromium.launch(executable_path=chromium, args=[*SWITCHES])
        standings = opened(browser, site / "index.html", WIDE, "light")
        take(standings, "standings")
        take(opened(browser, site / "index.html", NARROW, "light"), "standings-narrow")
        match = renege_in(site)
        for scheme in ("light", "dark"):
            replay = opened(browser, match, WIDE, scheme)
            replay.keyboard.press("r")
            take(replay, f"replay-{scheme}")
        browser.close()


def exported(place: Path) -> Path:
    """A static site of the example contest with one bot more, that plays what it may not."""
    shutil.copytree(EXAMPLES, place / "bots", ignore=shutil.ignore_patterns("node*", "__pycache__"))
    (place / "bots" / "careless.py").write_text(CARELESS)
    file = place / "bots" / "contest.toml"
    file.write_text(file.read_text() + ENTRY)
    bourre("run", file, "--out", place / "run")
    bourre("export", place / "run", "--format", "site", "--out", place / "site")
    return place / "site"


def bourre(*words: str | Path) -> None:
    """Runs a command; its talk is only of interest where it fails."""
    subprocess.run([sys.executable, "-m", "bourre_referee", *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def renege_in(site: Path) -> Path:
    """The first replay in which somebody reneges."""
    return next(page for page in sorted((site / "replays").glob("*.html")) if 'class="renege"' in page.read_text())


def opened(browser: Browser, file: Path, size: tuple[int, int], scheme: Scheme) -> Page:
    """The page in a window of this size."""
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce"
    )
    page.goto(file.as_uri())
    return page


def take(page: Page, name: str) -> None:
    """The window as it is now, as a PNG."""
    page.screenshot(path=HERE / f"{name}.png")


if __name__ == "__main__":
    main()
