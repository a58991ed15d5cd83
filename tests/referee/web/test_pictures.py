"""The script for the pictures in the docs: it takes only pictures that are complete and show what they should."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, TimeoutError

import dev
from docs.pictures import make

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


def test_a_deal_without_enough_cards_on_the_table_is_refused(browser: Browser, site: Path, tmp_path: Path) -> None:
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
