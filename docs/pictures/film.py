"""The moving picture of README, made anew: `.venv/bin/python -m docs.pictures.film`; needs Chromium.

It is the dearest bourré of the demo's first match, one frame for each step of its replay. Steps are shown without
motion, so that the same contest always gives the same frames.
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
SCREEN: ViewportSize = {"width": 860, "height": 1000}
HOLD_MS = {"renege": 3200, "bourre": 2600, "incident": 1800, "trick": 1400, "chips": 2000}
"""How long a step of each kind is shown."""
PLAIN_MS = 800
LAST_MS = 4000
WIDTH = 640
"""Pixels across; the height follows."""
QUALITY = 60
"""The quality of WebP, of 100."""
EFFORT = 6
"""Of WebP: 0 is quick, 6 is small."""
MOST_BYTES = 2_000_000
MOST_STEPS = 200
"""More than any deal has."""
BOURRE = re.compile(r'<li class="bourre" id="([^"]+)".*? pays (\d+) into the next pot')
"""The step of a replay at which a player pays for the pot, and how much."""


class TooLarge(Exception):
    """A film that would be slow to load."""


def main() -> None:
    """Plays, exports and films."""
    chromium = shutil.which("chromium") or sys.exit("there is no chromium here: install your system's package of it")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        site = Path(place, "site")
        export_demo(site)
        browser = playwright.chromium.launch(executable_path=chromium, args=[*make.SWITCHES])
        film_bourre(browser, site / "replays/m0001.html", FILM)
        browser.close()


def film_bourre(browser: Browser, replay: Path, file: Path) -> None:
    """Films the deal in which a bourré costs most, the first of equals; raises TooLarge."""
    payments = BOURRE.findall(replay.read_text("utf-8"))
    step, _ = max(payments, key=lambda payment: int(payment[1]))
    with make.opened(browser, f"{replay.as_uri()}#{step}", SCREEN, "light") as page:
        page.locator(".viewer-caption.bourre").wait_for()
        take_film(page, file)


def take_film(page: Page, file: Path) -> None:
    """Writes an animated WebP of the deal that the page shows, from its first step to its last; raises TooLarge."""
    page.locator(".viewer.running").focus()
    page.keyboard.press("Home")
    write_film(list(frames_of(page)), file)


def write_film(shown: Sequence[tuple[bytes, int]], file: Path, effort: int = EFFORT) -> None:
    """Writes an animated WebP of these frames, the last of which stays longer; raises TooLarge."""
    frames = [_scaled(frame) for frame, _ in shown]
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


def frames_of(page: Page) -> Iterator[tuple[bytes, int]]:
    """Yields a PNG of each step from the one shown to the last, and for how many milliseconds to show it."""
    top = page.locator(".viewer-table").bounding_box()
    bottom = page.locator(".viewer-caption").bounding_box()
    assert top is not None, "the viewer shows a table"
    assert bottom is not None, "the viewer shows a caption"
    height = bottom["y"] + bottom["height"] - top["y"]
    for _ in range(MOST_STEPS):
        before = page.locator(".viewer-caption").get_attribute("class") or ""
        mark = before.removeprefix("box viewer-caption").strip()
        frame = page.screenshot(clip={"x": 0, "y": top["y"], "width": page.evaluate("innerWidth"), "height": height})
        yield frame, HOLD_MS.get(mark, PLAIN_MS)
        step, steps = page.locator(".viewer output").first.inner_text().split(" / ")
        if step == steps:
            return
        page.keyboard.press("ArrowRight")


def _scaled(frame: bytes) -> Image.Image:
    picture = Image.open(BytesIO(frame)).convert("RGB")
    return picture.resize((WIDTH, round(WIDTH * picture.height / picture.width)), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main()
