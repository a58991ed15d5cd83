"""The pictures of README and docs, made anew: `.venv/bin/python docs/pictures/make.py`; needs Chromium.

A small contest is played, exported as a static site, and looked at: always the same bots, deals and window sizes. A
picture is taken only of a page that shows what the picture is for.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, FloatRect, Page, ViewportSize, sync_playwright

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
WIDE: ViewportSize = {"width": 1280, "height": 900}
DESK: ViewportSize = {"width": 860, "height": 900}
"""Too narrow for the log to stand beside the table."""
PHONE: ViewportSize = {"width": 360, "height": 740}
Scheme = Literal["light", "dark"]
LOOKS: tuple[tuple[str, ViewportSize, Scheme], ...] = (
    ("light", DESK, "light"),
    ("dark", DESK, "dark"),
    ("phone", PHONE, "light"),
)
HANDS, TRICK = 20, 3
"""Cards in hands and in the trick, at the least, of a renege that is worth a picture."""
EXPLAINED = re.compile(r" reneges with \S+: R\d.*legal: ")
MARGIN = 6
"""Pixels above and below what a picture shows."""
RENEGES = re.compile(r'<li class="renege" id="([^"]+)"')
COUNT = """() => [".held.hand", ".held.trick"].map(
  (cards) => document.querySelector(".viewer-table").querySelectorAll(cards).length)"""
CUT = """(clip) => {
  const visible = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const frame = one.parentElement.closest(".viewer-deal ol")?.getBoundingClientRect();
    if (!frame) return { left, right, top, bottom };
    return { left, right, top: Math.max(top, frame.top), bottom: Math.min(bottom, frame.bottom) };
  };
  const isShown = ({ left, right, top, bottom }) =>
    right - left > 1 && bottom - top > 1
    && left < clip.right && right > clip.left && top < clip.bottom && bottom > clip.top;
  const isOver = ({ left, right, top, bottom }) =>
    left < clip.left - 1 || right > clip.right + 1 || top < clip.top - 1 || bottom > clip.bottom + 1;
  const hasWords = (one) => [...one.childNodes].some((part) => part.nodeType === Node.TEXT_NODE && part.data.trim());
  const scrolls = (one) => getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
  const isSeen = (one) => !one.closest(".hidden") && one.checkVisibility();
  const seen = [...document.querySelectorAll("main *")].filter(isSeen);
  const shown = seen.filter((one) => isShown(visible(one)));
  return shown.filter((one) => scrolls(one)
      || (isOver(visible(one)) && (one.closest("svg") || hasWords(one))))
    .map((one) => one.outerHTML.slice(0, 100));
}"""
"""What reaches out of this part of the window, and what is wider than its frame; of the log, what its frame shows."""


class Unfit(Exception):
    """A page that does not show what its picture is for."""


def main() -> None:
    """Plays, exports, looks; the pictures lie beside this file."""
    chromium = shutil.which("chromium") or sys.exit("there is no chromium here: install your system's package of it")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        site = exported(Path(place))
        browser = playwright.chromium.launch(executable_path=chromium, args=[*SWITCHES])
        take_standings(browser, site, HERE)
        take_renege(browser, site, HERE)
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


def take_standings(browser: Browser, site: Path, folder: Path, window: ViewportSize = WIDE) -> None:
    """The standings with all their columns; raises Unfit."""
    with opened(browser, (site / "index.html").as_uri(), window, "light") as page:
        if not page.get_by_role("columnheader", name="Deals").is_visible():
            raise Unfit("standings.png: so narrow a window hides columns")
        take(page, "#table", ".box:has(> .key)", folder / "standings.png")


def take_renege(browser: Browser, site: Path, folder: Path, hands: int = HANDS, trick: int = TRICK) -> None:
    """A renege by day, by night and on a phone, with as many cards in hands and in the trick; raises Unfit."""
    address = first_renege(browser, site, hands, trick)
    for name, window, scheme in LOOKS:
        with opened(browser, address, window, scheme) as page:
            wait_for_renege(page)
            take(page, ".viewer-table", ".viewer-caption", folder / f"replay-{name}.png")


def first_renege(browser: Browser, site: Path, hands: int, trick: int) -> str:
    """The address of the first renege with so many cards in hands and in the trick, or more; raises Unfit."""
    for address in reneges(site):
        with opened(browser, address, DESK, "light") as page:
            wait_for_renege(page)
            in_hands, in_trick = page.evaluate(COUNT)
            if in_hands >= hands and in_trick >= trick:
                return address
    raise Unfit(f"{site}: no renege with {hands} cards in hands and {trick} in the trick: play another contest")


def reneges(site: Path) -> Iterator[str]:
    """The address of every renege."""
    for replay in sorted((site / "replays").glob("*.html")):
        yield from (f"{replay.as_uri()}#{anchor}" for anchor in RENEGES.findall(replay.read_text("utf-8")))


def wait_for_renege(page: Page) -> None:
    """Until the caption explains a renege and its cards are marked; raises Playwright's TimeoutError."""
    page.locator(".viewer-caption.renege", has_text=EXPLAINED).wait_for()
    page.locator(".viewer-table .held.wrong").first.wait_for()
    page.locator(".viewer-table .held.legal").first.wait_for()


@contextmanager
def opened(browser: Browser, address: str, window: ViewportSize, scheme: Scheme) -> Iterator[Page]:
    """The page in a window of this size, until the end of the block."""
    page = browser.new_page(viewport=window, color_scheme=scheme, reduced_motion="reduce")
    try:
        page.goto(address)
        yield page
    finally:
        page.close()


def take(page: Page, first: str, last: str, file: Path) -> None:
    """The page from one element to another, as wide as the window, as a PNG; Unfit where anything is cut off."""
    clip = clip_of(page, first, last)
    top = clip["y"] - page.evaluate("scrollY")
    edges = {"left": 0, "top": top, "right": clip["width"], "bottom": top + clip["height"]}
    if cut := page.evaluate(CUT, edges):
        raise Unfit(f"{file.name}: cut off: {', '.join(cut)}")
    page.screenshot(path=file, full_page=True, clip=clip)


def clip_of(page: Page, first: str, last: str) -> FloatRect:
    """The part of the page from one element to another, with a margin; Unfit where one is not there."""
    top, bottom = page.locator(first).bounding_box(), page.locator(last).bounding_box()
    if top is None or bottom is None:
        raise Unfit(f"{page.url}: {first} or {last} is not shown")
    width, scrolled = page.evaluate("[innerWidth, scrollY]")
    height = bottom["y"] + bottom["height"] - top["y"] + 2 * MARGIN
    return {"x": 0, "y": top["y"] + scrolled - MARGIN, "width": width, "height": height}


if __name__ == "__main__":
    main()
