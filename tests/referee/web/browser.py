"""A real browser for the tests: Chromium, pages that are watched for all that goes wrong, and axe."""

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
    *("--disable-component-update", "--disable-sync"),
)
Look = dict[str, Any]
"""How a context of Playwright is made: colours, size of the window."""
LOOKS: dict[str, Look] = {
    "light": {"color_scheme": "light"},
    "dark and narrow": {"color_scheme": "dark", "viewport": {"width": 320, "height": 640}},
}
PATIENCE_MS = 60_000
"""How long a page may take to show what is expected of it: Playwright's 5 s are few on a busy machine."""
MEDIA: Look = {"color_scheme": "light", "reduced_motion": "no-preference"}
WINDOW: ViewportSize = {"width": 1280, "height": 720}
TOO_WIDE = """document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("body *")]
  .filter(one => one.getBoundingClientRect().right > innerWidth && !one.parentElement.closest(".scroll"))
  .map(one => one.outerHTML.slice(0, 200))"""
"""What makes a page scroll sideways."""


QUIET = {"resultTypes": ["violations"], "preload": False}
"""For axe: it asks for no style sheet anew, which a page opened from a folder may not."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """The distribution's browser, until the end of the block."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("there is no Chromium here: apt-get install chromium")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def watched(browser: Browser, origin: str, look: Look | None = None, expected: str = "\0") -> Iterator[Page]:
    """An empty page; at the end of the block, AssertionError where anything was wrong with what it showed.

    Wrong is whatever the console complains of (but for a line that holds `expected`), an exception, a dialogue, and a
    request for anything that does not begin with `origin`.
    """
    wrong: list[str] = []

    def listen(said: ConsoleMessage) -> None:
        if said.type in ("error", "warning") and expected not in said.text:
            wrong.append(said.text)

    def stay(asked: Request) -> None:
        if not asked.url.startswith(origin):
            wrong.append(asked.url)

    def close(dialog: Dialog) -> None:
        wrong.append(f"dialogue: {dialog.message}")
        dialog.dismiss()

    with _page(browser, look or {}) as page:
        listeners: dict[str, Callable[..., None]] = {
            "console": listen,
            "pageerror": lambda error: wrong.append(str(error)),
            "request": stay,
            "dialog": close,
        }
        for event, listener in listeners.items():
            page.on(event, listener)  # type: ignore[call-overload]
        yield page
        page.goto("about:blank")  # lets what was said on the way arrive
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
    assert wrong == []


@contextmanager
def _page(browser: Browser, look: Look) -> Iterator[Page]:
    """The one page of this browser, made to look like this: a new one costs more than what most tests do with it."""
    if "java_script_enabled" in look:  # which no page can be told later
        with browser.new_context(**look) as context:
            yield context.new_page()
        return
    page = browser.contexts[0].pages[0] if browser.contexts else browser.new_context().new_page()
    page.mouse.move(0, 0)
    page.set_viewport_size(look.get("viewport", WINDOW))
    page.emulate_media(**MEDIA | {name: asked for name, asked in look.items() if name != "viewport"})
    try:
        yield page
    except BaseException:
        page.context.close()  # the next test gets a new one
        raise


def assert_fit_for_all(page: Page) -> None:
    """Nothing that axe finds, and nothing that makes the page scroll sideways."""
    found = Axe().run(page, options=QUIET)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate(TOO_WIDE) == []
