"""The scripts for the pictures and the film in the docs: they take only what is complete and shows what it should."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, TimeoutError, expect

import dev
from docs.pictures import film, make

NAMED = {"replay-light.png", "replay-dark.png", "replay-phone.png", "standings.png"}


def test_every_picture_is_taken(browser: Browser, site: Path, tmp_path: Path) -> None:
    make.take_standings(browser, site, tmp_path)
    make.take_renege(browser, site, tmp_path, hands=4, trick=1)
    assert {path.name for path in tmp_path.iterdir()} == NAMED
    assert {path.name for path in (dev.ROOT / "docs/pictures").glob("*.png")} == NAMED


def test_standings_whose_columns_are_cut_off_are_refused(browser: Browser, site: Path, tmp_path: Path) -> None:
    with pytest.raises(make.Unfit, match=r"standings\.png: so narrow a window hides columns"):
        make.take_standings(browser, site, tmp_path, {"width": 700, "height": 900})
    assert list(tmp_path.iterdir()) == []


def test_a_deal_without_enough_cards_on_the_table_is_refused(
    browser: Browser, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = next(make.reneges(site))
    monkeypatch.setattr(make, "reneges", lambda _: iter([first]))
    with pytest.raises(make.Unfit, match="no renege with 30 cards in hands and 3 in the trick"):
        make.take_renege(browser, site, tmp_path, hands=30)
    assert list(tmp_path.iterdir()) == []


def test_a_step_without_a_renege_is_not_mistaken_for_one(browser: Browser, site: Path) -> None:
    address = next(make.reneges(site)).partition("#")[0]
    with make.opened(browser, address, make.DESK, "light") as page:
        page.set_default_timeout(100)
        with pytest.raises(TimeoutError):
            make.wait_for_renege(page)


def test_content_that_is_cut_off_is_refused(browser: Browser, site: Path, tmp_path: Path) -> None:
    address = next(make.reneges(site))
    with make.opened(browser, address, make.DESK, "light") as page:
        make.wait_for_renege(page)
        page.locator(".viewer-caption").evaluate("(caption) => { caption.style.width = '80rem'; }")
        with pytest.raises(make.Unfit, match="cut off"):
            make.take(page, ".viewer-table", ".viewer-caption", tmp_path / "replay.png")


def test_the_script_plays_its_contest_with_a_bot_that_reneges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[tuple[str, ...]] = []
    monkeypatch.setattr(make, "bourre", lambda *words: commands.append(tuple(map(str, words))))
    assert make.exported(tmp_path) == tmp_path / "site"
    assert [words[0] for words in commands] == ["run", "export"]
    assert 'name = "careless"' in (tmp_path / "bots/contest.toml").read_text()


def test_the_film_shows_every_step_from_the_one_on_the_page_and_the_result_or_is_refused(
    browser: Browser, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with make.opened(browser, next(make.reneges(site)), film.SCREEN, "light") as page:
        make.wait_for_renege(page)
        page.locator(".viewer.running").focus()
        page.keyboard.press("End")
        for _ in range(3):
            page.keyboard.press("ArrowLeft")
        frames = list(film.frames_of(page))
        told = page.locator(".viewer-deal:not([hidden]) .head span.muted").text_content()
        assert told
        assert told in page.locator(".viewer-caption").inner_text()
        expect(page.locator(".film-title")).to_have_text(re.compile(r"^Deal \d+: "), use_inner_text=True)
        page.locator(".viewer-caption").evaluate("(caption) => { caption.style.paddingTop = '5rem'; }")
        with pytest.raises(make.Unfit, match=r"the caption of step \d+ is cut off: "):
            list(film.frames_of(page))
    film.write_film(frames, tmp_path / "film.webp", tmp_path / "still.webp", effort=0)
    with Image.open(tmp_path / "film.webp") as found:
        assert (getattr(found, "n_frames", 1), found.width) == (3, film.SCREEN["width"])
    monkeypatch.setattr(film, "MOST_BYTES", 1000)
    with pytest.raises(film.TooLarge, match=r"other\.webp would have \d+ bytes, more than 1000"):
        film.write_film(frames, tmp_path / "other.webp", tmp_path / "other still.webp", effort=0)
    assert {path.name for path in tmp_path.iterdir()} == {"film.webp", "still.webp"}


@pytest.mark.long
def test_the_film_shows_a_whole_deal(browser: Browser, site: Path, tmp_path: Path) -> None:
    replay = next(iter(sorted((site / "replays").glob("*.html"))))
    film.film_bourre(browser, replay, tmp_path / "film.webp", tmp_path / "still.webp")
    with Image.open(tmp_path / "film.webp") as found:
        assert getattr(found, "n_frames", 1) > 10


def test_the_film_of_readme_is_there_and_light_and_rests_for_whoever_asked_for_no_motion() -> None:
    readme = (dev.ROOT / "README.md").read_text("utf-8")
    assert 100_000 < film.FILM.stat().st_size <= film.MOST_BYTES
    still = film.STILL.relative_to(dev.ROOT).as_posix()
    assert f'<source media="(prefers-reduced-motion: reduce)" srcset="{still}">' in readme
    assert f'<img src="{film.FILM.relative_to(dev.ROOT).as_posix()}"' in readme
    with Image.open(film.FILM) as moving, Image.open(film.STILL) as last:
        assert (getattr(moving, "n_frames", 1) > 10, moving.size) == (True, last.size)
