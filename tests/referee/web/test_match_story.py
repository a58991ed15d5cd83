"""The story of a match: who held the lead, when it turned, the moments, the chart, and the match in one file."""

from __future__ import annotations

import re
from itertools import accumulate, pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from bourre.record import read
from bourre_referee.storage.run.run import Run
from bourre_referee.text.narration.events_by_deal import deals_of
from bourre_referee.web.data.chip_totals import ChipTotals, LeadStory, chip_totals
from bourre_referee.web.data.match_highlights import MatchHighlights, match_highlights
from bourre_referee.web.data.match_page import MatchData, match_data
from bourre_referee.web.data.moments import moments_of
from bourre_referee.web.data.run_page import read_run
from tests.referee.web.browser import assert_fit_in_every_look, watch_page
from tests.referee.web.serving import Served


def lead_of(*results: tuple[float, ...]) -> LeadStory | None:
    """Returns the story of the lead after these deals, each the chips of `a`, `b` and so on."""
    bots = tuple("abcdefgh"[: len(results[0])])
    won = zip(*results, strict=True)
    return ChipTotals(bots, tuple(tuple(accumulate(chips, initial=0.0)) for chips in won)).lead()


def highlights(folder: Path, match: str) -> tuple[MatchData, MatchHighlights]:
    run = Run.open(folder)
    data, record = read_run(run), run.record(match)
    played = match_data(data, match, record)
    assert played is not None
    return played, match_highlights(played, moments_of(1, read(record)), data.duplicate)


def test_the_turning_point_is_where_the_lead_was_taken_for_good() -> None:
    # The leader after each deal: a, b, b, a, b, b, b, b.
    lead = lead_of((5, -5), (-9, 9), (-1, 1), (6, -6), (-10, 10), (0, 0), (-3, 3), (2, -2))
    assert lead is not None
    assert (lead.bot, lead.changes, lead.taken_at, lead.until) == ("b", 3, 4, 6)
    assert (lead.before, lead.after, lead.margin) == (-2, 24, 20)
    assert (lead.behind, lead.behind_at) == (10, 0)
    assert (lead.low, lead.low_at, lead.was_last) == (-5, 0, True)
    assert lead.curve == (0, -5, 4, 5, -1, 9, 9, 12, 10)


def test_who_only_catches_up_does_not_take_the_lead() -> None:
    lead = lead_of((4, -4), (-4, 4), (1, -1))
    assert lead is not None
    assert (lead.bot, lead.changes, lead.taken_at, lead.behind) == ("a", 0, 0, 0)


def test_a_shared_first_place_has_no_story_of_a_lead() -> None:
    assert lead_of((3, 3, -6)) is None
    assert lead_of((0, 0)) is None
    assert lead_of((1, -1)) is not None


@pytest.mark.parametrize("run", ["faulty", "duplicate_folder"])
def test_totals_from_the_events_are_those_of_the_results(run: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(run)
    for line in read_run(Run.open(folder)).matches:
        record = read(Run.open(folder).record(line.match))
        totals = chip_totals(record.header.bots, tuple(deals_of(record)))
        ends = {bot: chips[-1] for bot, chips in zip(totals.bots, totals.chips, strict=True)}
        assert ends == pytest.approx({seat.bot: line.chips(seat) for seat in line.seats}, abs=0.01)


@pytest.mark.parametrize("run", ["faulty", "duplicate_folder"])
def test_a_match_tells_its_moments_in_order_and_no_deal_twice(run: str, request: pytest.FixtureRequest) -> None:
    _, told = highlights(request.getfixturevalue(run), "m0001")
    places = [(moment.played.number, moment.played.seating or 0) for moment in told.moments]
    assert places == sorted({*places})
    assert told.featured is not None
    assert told.featured.swing == max(moment.swing for moment in (*told.moments, told.featured))


def test_the_chart_shows_every_bot_and_every_deal(faulty: Path) -> None:
    played, told = highlights(faulty, "m0002")
    assert [line.bot for line in told.chart.lines] == [seat.bot for seat in played.line.seats_by_rank]
    assert [line.last for line in told.chart.lines] == [played.line.chips(seat) for seat in played.line.seats_by_rank]
    assert [line.end for line in told.chart.lines] == sorted(line.end for line in told.chart.lines)
    assert all(line.path.count("L") == len(played.deals) for line in told.chart.lines)
    assert [pot.line for pot in told.chart.pots] == list(played.deals)
    kinds = [mark.kind for mark in told.chart.marks]
    assert kinds.count("bourre") == sum(seat.bourres for seat in played.line.seats)
    assert kinds.count("renege") == sum(any(deal.reneges) * sum(map(bool, deal.reneges)) for deal in played.deals)
    assert all(abs(one[0] - other[0]) > 6 for one, other in pairwise(sorted(told.chart.numbered)))


def test_the_page_leads_to_the_match_in_one_file_which_opens_and_plays(
    browser: Browser, served: Served, finished: Path
) -> None:
    _, told = highlights(finished, "m0001")
    with watch_page(browser, served.url) as page:
        page.goto(f"{served.url}matches/m0001")
        expect(page.get_by_role("heading", level=1)).to_contain_text(told.first[0])
        dearest = page.get_by_role("link", name="Costliest decision: ")
        expect(dearest).to_have_attribute("href", re.compile(r"/matches/m0001/deals/\d+#step-\d+$"))
        assert_fit_in_every_look(page)
        page.get_by_role("link", name="The match in one file").click()
        page.locator(".viewer.running").wait_for()
        result = page.locator(".viewer-result").locator("visible=true")
        expect(result).to_have_count(0)
        page.get_by_role("button", name="Last step").click()
        expect(result).to_have_count(2)
        expect(page.locator(".viewer-controls output")).not_to_have_text("1 /")
    answer = served.client.get("/matches/m0001/replay.html")
    assert answer.headers["content-disposition"] == 'inline; filename="m0001.html"'
