"""The documentation site in a browser: nothing foreign, nothing that axe finds, the colours of the web pages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import dev
from docs.site import conf
from tests.referee.web.browser import MOVES, assert_fit_in_every_look, watch_page

FIRST = "README.md"
WHOLE = ",".join(conf.include_patterns)


def built(patterns: str, out: Path) -> list[Path]:
    """Builds the pages of these documents; links to others lead nowhere."""
    build = ("sphinx", "-q", "-E", "-c", "docs/site", "-D", f"include_patterns={patterns}", ".", out)
    subprocess.run([sys.executable, "-m", *map(str, build)], cwd=dev.ROOT, check=True, capture_output=True)
    moved = {out / "docs" / f"{page}.html" for page in conf.MOVED}
    return sorted(page for page in out.rglob("*.html") if page not in moved)


@pytest.mark.parametrize(
    "patterns",
    [FIRST, pytest.param(WHOLE, marks=(pytest.mark.long, pytest.mark.timeout(1200)))],
    ids=["first", "whole"],
)
def test_nothing_is_wrong_with_the_documentation_site(browser: Browser, tmp_path: Path, patterns: str) -> None:
    pages = built(patterns, tmp_path)
    assert tmp_path / "index.html" in pages
    for path in pages:
        with watch_page(browser, tmp_path.as_uri()) as page:
            page.goto(path.as_uri())
            assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(246, 240, 227)"
            assert page.evaluate(MOVES) == []
            assert_fit_in_every_look(page)
    with watch_page(browser, tmp_path.as_uri()) as page:
        page.goto((tmp_path / "index.html").as_uri())
        film = page.get_by_role("img", name="One deal")
        expect(film).to_be_in_viewport()
        assert film.evaluate("one => one.complete && one.naturalWidth > 0")
