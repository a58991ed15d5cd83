"""A real browser for the tests: Chromium, pages that are watched for all that goes wrong, and axe."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request, sync_playwright

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

    with browser.new_context(**(look or {})) as context:
        page = context.new_page()
        page.on("console", listen)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", stay)
        page.on("dialog", close)
        yield page
    assert wrong == []


def assert_fit_for_all(page: Page) -> None:
    """Nothing that axe finds, and nothing that makes the page scroll sideways."""
    found = Axe().run(page, options=QUIET)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate(TOO_WIDE) == []
