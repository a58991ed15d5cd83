"""The moving picture: every step of the deal with a renege, and no film is large."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

import dev
from docs.pictures import film, make


def test_the_film_shows_every_step_or_is_refused(
    browser: Browser, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = make.first_renege(browser, site, hands=4, trick=1)
    with make.opened(browser, address, film.SCREEN, "light") as page:
        make.wait_for_renege(page)
        steps = int(page.locator(".viewer output").first.inner_text().partition(" / ")[2])
        film.take_film(page, tmp_path / "film.webp", effort=0)
        with Image.open(tmp_path / "film.webp") as found:
            assert (getattr(found, "n_frames", 1), found.width) == (steps, film.WIDTH)
        monkeypatch.setattr(film, "MOST_BYTES", 1000)
        with pytest.raises(film.TooLarge, match=r"other\.webp would have \d+ bytes, more than 1000"):
            film.take_film(page, tmp_path / "other.webp", effort=0)
    assert [path.name for path in tmp_path.iterdir()] == ["film.webp"]


def test_the_film_of_readme_is_there_and_light() -> None:
    file = dev.ROOT / "docs/pictures/replay.webp"
    assert 100_000 < file.stat().st_size <= film.MOST_BYTES
    assert "docs/pictures/replay.webp" in (dev.ROOT / "README.md").read_text("utf-8")
