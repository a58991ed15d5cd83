"""The example bots: legal, short, repeatable, and of the strength and style that they claim."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bourre.bot import Bot
from bourre.practice import PracticeResult, practice
from bourre.rules.house import CHOICES, PRESETS, HouseRules

FOLDER = Path(__file__).parents[2] / "examples"
FILES = sorted(FOLDER.glob("*.py"))


def bot_in(path: Path) -> type[Bot]:
    """The one bot that a file defines."""
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = [thing for thing in vars(module).values() if isinstance(thing, type) and thing.__module__ == spec.name]
    assert len(found) == 1
    assert issubclass(found[0], Bot)
    return found[0]


BOTS = {path.stem: bot_in(path) for path in FILES}


def field(mine: str, *others: str, deals: int = 200) -> PracticeResult:
    return practice({name: BOTS[name] for name in (mine, *others)}, deals=deals, seed=7)


def deals_for(name: str, deals: int) -> int:
    """The number of deals; the bot that thinks long plays a fifth of them."""
    return deals // 5 if name == "monte_carlo" else deals


def rivals(name: str) -> list[str]:
    return [other for other in ("tight", "loose", "drawer", "pot_aware", "lowest") if other != name][:4]


@pytest.mark.parametrize("name", BOTS)
def test_many_deals_are_played_without_a_mistake(name: str) -> None:
    result = field(name, *rivals(name), deals=deals_for(name, 200))
    assert result.problems == ()
    assert [row.faults for row in result.bots] == [0] * 5


@pytest.mark.parametrize("name", BOTS)
def test_the_same_seed_gives_the_same_record(name: str) -> None:
    deals = deals_for(name, 40)
    first, again = (field(name, *rivals(name), deals=deals).matches[0].record for _ in range(2))
    assert first == again
    assert first.count("\n") == deals + 2


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_short_and_says_its_style_in_a_line(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) < 60
    assert lines[0].startswith('"""')
    assert lines[0].endswith('."""')


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_shadows_no_module_of_the_standard_library(path: Path) -> None:
    assert path.stem not in sys.stdlib_module_names


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_takes_no_clock_and_no_dice_but_the_views(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not any(f"import {module}" in text or f"from {module}" in text for module in ("time", "random", "secrets"))


def test_started_alone_a_bot_says_what_it_needs() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BOURRE_")}
    command = [sys.executable, str(FOLDER / "tight.py")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode != 0
    assert "BOURRE_ADDRESS" in done.stderr
    assert "Traceback" not in done.stderr


def test_there_are_eight_at_least() -> None:
    assert len(BOTS) >= 8


@pytest.mark.parametrize("matches", [2, pytest.param(6, marks=pytest.mark.long)])
def test_strength_differs_as_it_should(matches: int) -> None:
    """The coin tosser loses most, Lowest less, and the Monte Carlo bot leads."""
    names = ("monte_carlo", "drawer", "tight", "lowest", "random_bot")
    result = practice({name: BOTS[name] for name in names}, deals=60, seed=11, matches=matches)
    ranked = [row.bot for row in sorted(result.bots, key=lambda row: row.chips, reverse=True)]
    assert ranked[0] == "monte_carlo"
    assert ranked[-2:] == ["lowest", "random_bot"]


def test_styles_differ_as_they_should() -> None:
    names = ("loose", "drawer", "pot_aware", "tight", "follower")
    result = practice({name: BOTS[name] for name in names}, deals=100, seed=11, matches=10)
    rows = {row.bot: row for row in result.bots}
    assert rows["loose"].bourres > 3 * rows["drawer"].bourres
    assert rows["drawer"].bourres > rows["tight"].bourres
    assert rows["loose"].wins > rows["tight"].wins


@pytest.mark.parametrize("preset", PRESETS)
def test_a_bot_written_for_the_base_game_plays_every_preset(preset: str) -> None:
    """Strict practice: the first illegal answer of any example would raise."""
    for policy in CHOICES["renege_policy"]:
        house = HouseRules.preset(preset, renege_policy=policy)
        bots = {name: bot for name, bot in BOTS.items() if name != "monte_carlo"}
        assert practice(dict(list(bots.items())[:8]), deals=15, house=house, seed=3).problems == ()
    house = HouseRules.preset(preset)
    assert (
        practice({name: BOTS[name] for name in ("monte_carlo", "loose", "drawer")}, deals=6, house=house).problems == ()
    )
