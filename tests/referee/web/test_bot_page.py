"""A bot's page: its best and worst deals, its reneges, and how it plays beside the others."""

from __future__ import annotations

from functools import reduce
from pathlib import Path
from random import Random

import pytest

from bourre.record import read
from bourre_referee.statistics.play_style import Strength, Style
from bourre_referee.storage.run.run import Run
from bourre_referee.web.data.bot_deals import MOST, BotDeals, bot_deals_of
from bourre_referee.web.data.bot_pages import bot_data
from bourre_referee.web.data.bot_portrait import portrait
from bourre_referee.web.data.match_page import match_data
from bourre_referee.web.data.run_page import RunData, read_run
from bourre_referee.web.page_links import ServerLinks
from bourre_referee.web.render import Pages
from tests.referee.web.reading import PageRead


def by_match(folder: Path) -> list[BotDeals]:
    """Returns the deals of each match of a run."""
    run = Run.open(folder)
    return [bot_deals_of(number, read(run.record(match))) for number, match in enumerate(run.matches(), start=1)]


def deals_of_run(folder: Path) -> BotDeals:
    return reduce(BotDeals.join, by_match(folder))


def chips_by_deal(run: RunData, folder: Path) -> dict[str, dict[tuple[str, int, int | None], float]]:
    """Returns each bot's chips in every deal, except the last, whose rest of the pot a session shares."""
    found: dict[str, dict[tuple[str, int, int | None], float]] = {bot: {} for bot in run.bots}
    for line in run.matches:
        played = match_data(run, line.match, Run.open(folder).record(line.match))
        assert played is not None
        for deal in played.deals if run.duplicate else played.deals[:-1]:
            for seat, chips in zip(line.seats, deal.chips, strict=True):
                found[seat.bot][line.match, deal.deal, deal.seating] = chips
    return found


@pytest.mark.parametrize("run", ["finished", "duplicate_folder"])
def test_the_best_and_worst_deals_are_those_of_the_matches(run: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(run)
    data, found = read_run(Run.open(folder)), deals_of_run(folder)
    for bot, chips in chips_by_deal(data, folder).items():
        for deal in (*found.best[bot], *found.worst[bot]):
            place = deal.place
            if (place.match, place.deal, place.seating) in chips:
                assert deal.row.chips == pytest.approx(chips[place.match, place.deal, place.seating])
        assert found.best[bot][0].row.chips >= max(chips.values()) - 1e-9
        assert found.worst[bot][0].row.chips <= min(chips.values()) + 1e-9
        assert len({deal.place.match for deal in found.best[bot]}) == len(found.best[bot]) <= MOST


def test_deals_do_not_depend_on_the_order_in_which_matches_finish(faulty: Path) -> None:
    matches = by_match(faulty)
    assert reduce(BotDeals.join, Random(4).sample(matches, len(matches))) == reduce(BotDeals.join, matches)


@pytest.mark.parametrize("secret", [False, True])
def test_cards_are_shown_once_the_seed_is_public(faulty: Path, secret: bool) -> None:
    data, found = read_run(Run.open(faulty)), deals_of_run(faulty)
    for number in range(1, len(data.bots) + 1):
        bot = bot_data(data, number, None, found)
        page = Pages(ServerLinks()).bot(data, bot, logs=False, cards_wait=secret, secret=secret)
        assert ("glyph" in page) is not secret
        deals = [link for link in PageRead(page).links if "/deals/" in link]
        assert deals
        assert all(("/onlooker" in link) is secret for link in deals)


def style(bot: str, strength: Strength, deals: int, played: int, chips: float) -> Style:
    return Style(bot, strength, deals, played, discards=2 * played, tricks=played, bourres=played // 4, chips=chips)


def test_habits_are_what_a_bot_does_unlike_the_others() -> None:
    styles = [
        *(style("bold", Strength.NONE, 100, 90, -300.0), style("bold", Strength.MORE, 40, 40, 400.0)),
        *(style("shy", Strength.NONE, 100, 10, -100.0), style("shy", Strength.MORE, 40, 39, 200.0)),
    ]
    bold, shy = portrait(styles, "bold"), portrait(styles, "shy")
    assert bold is not None
    assert shy is not None
    assert [(habit.figure, habit.title) for habit in bold.habits] == [
        ("90 %", "plays a hand without a trump"),
        ("+10.00", "wins more than the others with three trumps or more"),
        ("\N{MINUS SIGN}3.00", "loses more than the others with a hand without a trump"),
        ("100 %", "never passes three trumps or more"),
    ]
    assert bold.habits[0].proof == "90 of 100 such hands. The others do so with 10 %."
    assert (bold.comparison, shy.comparison) == (
        "It plays the most hands, and is bourré most often.",
        "It plays the fewest hands, and is bourré least often.",
    )
    assert [(measure.at, measure.others) for measure in bold.measures[:1]] == [(192.0, (8.0,))]


def test_a_bot_alone_or_without_deals_has_no_habits_beside_others() -> None:
    alone = portrait([style("one", Strength.LOW, 30, 20, 5.0)], "one")
    assert alone is not None
    assert (alone.comparison, alone.habits) == ("", ())
    assert portrait([], "one") is None
