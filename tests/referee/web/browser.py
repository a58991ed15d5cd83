"""A real browser for the tests: Chromium, a page that is checked for errors, and axe."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request, ViewportSize, expect, sync_playwright

ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-software-rasterizer"),
)
Look = dict[str, Any]
"""Arguments for a Playwright context: colours, window size."""
LOOKS: dict[str, Look] = {
    "light": {"color_scheme": "light"},
    "dark and narrow": {"color_scheme": "dark", "viewport": {"width": 320, "height": 640}},
}
SOME_LOOKS = [pytest.param("light", marks=pytest.mark.long), "dark and narrow"]
"""The looks as cases of a test: the harder one always, the other in `--long`."""
PATIENCE_MS = 60_000
"""How long a page may take to show what is expected; Playwright's 5 s are too short on a busy machine."""
MEDIA: Look = {"color_scheme": "light", "reduced_motion": "reduce"}
MOVING: Look = {"reduced_motion": "no-preference"}
"""For tests of what moves; every frame costs processor time."""
WINDOW: ViewportSize = {"width": 1280, "height": 720}
TOO_WIDE = """document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("body *")]
  .filter(one => one.getBoundingClientRect().right > innerWidth && !one.parentElement.closest(".scroll"))
  .map(one => one.outerHTML.slice(0, 200))"""
"""Returns the elements that make a page scroll sideways."""
MOVES = """() => [...document.querySelectorAll("*")].filter((one) => {
  const style = getComputedStyle(one);
  const changes = style.transitionDuration.split(", ").some((time) => parseFloat(time) > 0.01);
  return changes || style.animationName !== "none" || style.scrollBehavior === "smooth";
}).map((one) => one.outerHTML.slice(0, 100))"""
"""Returns the elements that may move, which none does where less motion is asked for."""

QUIET = {"resultTypes": ["violations"], "preload": False}
"""Options for axe; it must not request style sheets again, because pages opened from a folder may not."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Runs the distribution's Chromium until the end of the block: without windows, if there is one that has none.

    That one takes two thirds of the processor time.
    """
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        pytest.skip("there is no Chromium here: apt-get install chromium-headless-shell")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def watch_page(browser: Browser, origin: str, look: Look | None = None, expected: str = "\0") -> Iterator[Page]:
    """Yields an empty page; at the end of the block, raises AssertionError if anything went wrong on it.

    Errors and warnings on the console are wrong (except lines that contain `expected`), and so are exceptions, dialogs
    and requests for addresses that do not begin with `origin`.
    """
    wrong: list[str] = []

    def check_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and expected not in message.text:
            wrong.append(message.text)

    def check_request(request: Request) -> None:
        if not request.url.startswith(origin):
            wrong.append(request.url)

    def dismiss(dialog: Dialog) -> None:
        wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    with _page(browser, look or {}) as page:
        listeners: dict[str, Callable[..., None]] = {
            "console": check_console,
            "pageerror": lambda error: wrong.append(str(error)),
            "request": check_request,
            "dialog": dismiss,
        }
        for event, listener in listeners.items():
            page.on(event, listener)  # type: ignore[call-overload]
        yield page
        page.goto("about:blank")  # lets pending messages arrive
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
    assert wrong == []


@contextmanager
def _page(browser: Browser, look: Look) -> Iterator[Page]:
    """Yields this browser's one page with this look; a new page would take longer than most tests."""
    if "java_script_enabled" in look:  # cannot be changed later
        with browser.new_context(**look) as context:
            yield context.new_page()
        return
    page = browser.contexts[0].pages[0] if browser.contexts else browser.new_context().new_page()
    page.mouse.move(0, 0)
    page.set_viewport_size(look.get("viewport", WINDOW))
    page.emulate_media(**MEDIA | {name: value for name, value in look.items() if name != "viewport"})
    try:
        yield page
    except BaseException:
        page.context.close()  # the next test gets a new one
        raise


def assert_fit_in_every_look(page: Page) -> None:
    """Asserts that a page is fit for all by day, and by night on a phone, where only some rules can differ."""
    assert_fit_for_all(page)
    narrow = LOOKS["dark and narrow"]
    page.set_viewport_size(narrow["viewport"])
    page.emulate_media(color_scheme=narrow["color_scheme"], reduced_motion="reduce")  # no colour between the two
    assert_fit_for_all(page, {"runOnly": ["color-contrast", "scrollable-region-focusable", "target-size"]})


def assert_fit_for_all(page: Page, only: dict[str, Any] | None = None) -> None:
    """Asserts that axe finds no violation, of `only` these rules, and that the page does not scroll sideways."""
    found = Axe().run(page, options=QUIET | (only or {}))
    assert found.violations_count == 0, found.generate_report()
    too_wide = page.evaluate(TOO_WIDE)
    assert too_wide == [], too_wide
