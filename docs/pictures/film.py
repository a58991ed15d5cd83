"""The moving picture of README, made anew: `.venv/bin/python -m docs.pictures.film`; needs Chromium.

It is the dearest bourré of the demo's first match: a frame for each step from the dealt hands on, and at the end its
result. Steps are shown without motion, so that the same contest always gives the same frames.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from docs.pictures import make
from docs.site.demo import export_demo

FILM = Path(__file__).parent / "replay.webp"
STILL = Path(__file__).parent / "replay-still.webp"
"""Its last frame, for whoever asked for no motion."""
SCREEN: ViewportSize = {"width": 760, "height": 1000}
"""As wide as the film, so that letters are sharp."""
HOLD_MS = {"renege": 3200, "bourre": 2600, "incident": 1800, "trick": 1400, "chips": 2000}
"""How long a step of each kind is shown."""
PLAIN_MS = 750
LAST_MS = 5000
QUALITY = 60
"""The quality of WebP, of 100."""
EFFORT = 6
"""Of WebP: 0 is quick, 6 is small."""
MOST_BYTES = 1_000_000
MOST_STEPS = 200
"""More than any deal has."""
BOURRE = re.compile(r'<li class="bourre" id="([^"]+)".*? pays (\d+) into the next pot')
"""The step of a replay at which a player pays for the pot, and how much."""
BEGINS = re.compile(r'<article class="viewer-deal" id="([^"]+)"[^>]* data-begins="([^"]+)"')
"""A deal, and the step that shows its dealt hands."""
ARRANGE = """() => {
  const stage = document.querySelector(".viewer-stage");
  document.querySelector(".film-title")?.remove();
  const title = document.querySelector("article.viewer-deal:not([hidden]) h2").cloneNode(true);
  title.className = "film-title";
  Object.assign(title.style, { margin: "0 0 0.75rem", paddingTop: "0.5rem" });
  stage.querySelector(".viewer-table").before(title);
  stage.querySelector(".viewer-controls").style.display = "none";
  Object.assign(stage.querySelector(".viewer-caption").style, { height: "5.5rem", marginBlock: "0.75rem 0" });
}"""
"""Puts the deal's name above the table, and below it the caption, always as high: nothing moves but the deal."""
TELL_RESULT = """() => {
  const result = document.querySelector("article.viewer-deal:not([hidden]) .head:has([id$='-tricks']) span.muted");
  const said = document.createElement("span");
  said.append(...result.cloneNode(true).childNodes);
  const caption = document.querySelector(".viewer-caption");
  caption.replaceChildren(caption.querySelector(".kick"), said);
  document.querySelector(".film-title .viewer-result").classList.remove("viewer-result");
}"""
CUT = """() => {
  const caption = document.querySelector(".viewer-caption").getBoundingClientRect();
  return [...document.querySelectorAll(".viewer-caption *")]
    .some((part) => part.getBoundingClientRect().bottom > caption.bottom);
}"""
"""Whether the caption is larger than its box."""


class TooLarge(Exception):
    """A film that would be slow to load."""


def main() -> None:
    """Plays, exports and films."""
    chromium = shutil.which("chromium") or sys.exit("there is no chromium here: install your system's package of it")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        site = Path(place, "site")
        export_demo(site)
        browser = playwright.chromium.launch(executable_path=chromium, args=[*make.SWITCHES])
        film_bourre(browser, site / "replays/m0001.html", FILM, STILL)
        browser.close()


def film_bourre(browser: Browser, replay: Path, file: Path, still: Path) -> None:
    """Films the deal in which a bourré costs most, the first of equals; raises TooLarge or make.Unfit."""
    text = replay.read_text("utf-8")
    step, _ = max(BOURRE.findall(text), key=lambda payment: int(payment[1]))
    begins = dict(BEGINS.findall(text))[step.partition("-step-")[0]]
    with make.opened(browser, f"{replay.as_uri()}{begins}", SCREEN, "light") as page:
        page.locator(".viewer-table .held.hand").first.wait_for()
        write_film(list(frames_of(page)), file, still)


def write_film(shown: Sequence[tuple[bytes, int]], file: Path, still: Path, effort: int = EFFORT) -> None:
    """Writes an animated WebP of these frames, the last of which stays longer and is also a file; raises TooLarge."""
    frames = [Image.open(BytesIO(frame)).convert("RGB") for frame, _ in shown]
    durations = [hold for _, hold in shown[:-1]] + [LAST_MS]
    film = BytesIO()
    frames[0].save(
        film,
        "WEBP",
        save_all=True,
        append_images=frames[1:],
        duration=durations,
        loop=0,
        quality=QUALITY,
        method=effort,
    )
    if film.tell() > MOST_BYTES:
        raise TooLarge(f"{file.name} would have {film.tell()} bytes, more than {MOST_BYTES}: choose a shorter deal")
    file.write_bytes(film.getvalue())
    frames[-1].save(still, "WEBP", quality=QUALITY, method=effort)


def frames_of(page: Page) -> Iterator[tuple[bytes, int]]:
    """Yields a PNG of each step from the one shown on, and for how many milliseconds to show it.

    The last one is that before the balances, and tells the result. Raises make.Unfit if a caption is cut off.
    """
    page.evaluate(ARRANGE)
    clip = make.clip_of(page, ".film-title", ".viewer-caption")
    for _ in range(MOST_STEPS):
        before = page.locator(".viewer-caption").get_attribute("class") or ""
        mark = before.removeprefix("box viewer-caption").strip()
        step, steps = map(int, (page.locator(".viewer output").first.text_content() or "").split(" / "))
        is_last = step + 1 >= steps
        if is_last:
            page.evaluate(TELL_RESULT)
        if page.evaluate(CUT):
            raise make.Unfit(f"the caption of step {step} is cut off: {page.locator('.viewer-caption').inner_text()}")
        yield page.screenshot(full_page=True, clip=clip), HOLD_MS.get(mark, PLAIN_MS)
        if is_last:
            return
        page.keyboard.press("ArrowRight")


if __name__ == "__main__":
    main()
