"""The data of pages before it becomes HTML: lists and filters, charts, strips, tones; and links."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise, starmap
from math import isclose
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bourre.record import read
from bourre.rules.cards import Card, Suit, parse_cards
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import SeatTiming
from bourre_referee.ratings.in_order import rate_by_match
from bourre_referee.statistics.estimates import blocks_of, estimate_per_100
from bourre_referee.storage.run.run import Run
from bourre_referee.web.data.bot_pages import BotTimes, bot_data
from bourre_referee.web.data.charts import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Point,
    centre_with_interval,
    chart,
    heat_rows,
    round_numbers,
    strip_axis,
)
from bourre_referee.web.data.charts import WIDTH as STRIP_WIDTH
from bourre_referee.web.data.match_page import PER_PAGE, match_data, select_matches
from bourre_referee.web.data.run_page import RunData, read_run
from bourre_referee.web.page_links import MatchChoice, Only, ServerLinks, SiteLinks
from bourre_referee.web.render import Pages, make_environment
from bourre_referee.web.template_filters import count, interval, milliseconds, number, short, signed
from bourre_referee.web.viewer.replay_html import render_deal
from tests.referee import exported_records
from tests.referee.web.reading import PageRead

NUMBERS = st.floats(-1e12, 1e12)


@pytest.fixture(scope="module")
def data(faulty: Path) -> RunData:
    return read_run(Run.open(faulty))


def ids(data: RunData, choice: MatchChoice) -> list[str]:
    found = select_matches(data, choice)
    assert found is not None
    return [line.match for line in found.lines]


def with_matches(data: RunData, matches: int) -> RunData:
    """Returns data with this many matches."""
    lines = (data.matches * (1 + matches // len(data.matches)))[:matches]
    return replace(data, matches=tuple(replace(line, match=f"m{at:04}") for at, line in enumerate(lines, start=1)))


def test_filters_select_by_bot_and_by_what_happened(data: RunData) -> None:
    assert ids(data, MatchChoice()) == [f"m{number:04}" for number in range(1, 11)]
    sat = [line.match for line in data.matches if data.bots[1] in [seat.bot for seat in line.seats]]
    assert ids(data, MatchChoice(bot=2)) == sat != ids(data, MatchChoice())
    quiet = replace(data.matches[0], seats=tuple(replace(seat, reneges=0, faults=0) for seat in data.matches[0].seats))
    some = replace(data, matches=(quiet, *data.matches[1:]))
    assert "m0001" not in ids(some, MatchChoice(only=Only.RENEGES)) + ids(some, MatchChoice(only=Only.FAULTS))
    assert ids(some, MatchChoice(only=Only.RENEGES)) == [line.match for line in some.matches if line.reneges] != []
    assert ids(some, MatchChoice(only=Only.FAULTS)) == [line.match for line in some.matches if line.faults] != []
    assert ids(some, MatchChoice(only=Only.VOIDS)) == []


def test_a_list_has_pages_and_no_others(data: RunData) -> None:
    long = with_matches(data, 2 * PER_PAGE + 1)
    found = [select_matches(long, MatchChoice(page=page)) for page in (1, 2, 3)]
    assert [one and (len(one.lines), one.pages, one.found) for one in found] == [(n, 3, 201) for n in (100, 100, 1)]
    assert [select_matches(long, MatchChoice(page=page)) for page in (-1, 0, 4)] == [None] * 3
    assert [select_matches(data, MatchChoice(bot=bot)) for bot in (-1, 0, 6)] == [None] * 3


def test_pages_of_a_list_keep_its_filters(data: RunData) -> None:
    long = with_matches(data, 1000)
    found = select_matches(long, MatchChoice(bot=2, only=Only.RENEGES, page=2))
    assert found is not None
    page = PageRead(Pages(ServerLinks()).render("matches.html", long, found=found))
    assert {link for link in page.links if "page=" in link} == {
        f"/matches?bot=2&with=reneges&page={number}" for number in range(2, found.pages + 1)
    }
    assert len(page.rows) == 1 + PER_PAGE
    assert f"Matches 101 to 200 of {found.found}, in schedule order" in page.words
    far = max(found.lines, key=lambda line: line.margin)
    first, second = (far.chips(seat) for seat in far.seats_by_rank[:2])
    assert f"{far.seats_by_rank[0].bot} won by {first - second:.0f}" in page.words


@pytest.mark.parametrize(("deal", "seating"), [(9, 1), (1, 9), (1, None)])
def test_a_deal_that_was_not_played_has_no_replay(deal: int, seating: int | None) -> None:
    record = read(exported_records.duplicate())
    assert render_deal(record, 1, 1) is not None
    assert render_deal(record, deal, seating) is None


def test_a_busy_bot_shows_its_newest_matches_and_links_to_all(data: RunData) -> None:
    found = bot_data(with_matches(data, 1000), 1, None)
    assert found is not None
    assert (len(found.matches), found.played) == (100, 600)
    assert found.matches[0].line.match > found.matches[1].line.match
    page = Pages(ServerLinks()).bot(data, found, logs=False, cards_wait=False, secret=False)
    assert "/matches?bot=1" in PageRead(page).links


def test_the_times_of_a_bot_are_those_of_matches_in_which_it_was_asked(data: RunData) -> None:
    name, other = data.bots[0], SeatTiming(1, 999.0, 999.0)
    used = (SeatTiming(10, 100.0, 30.0), SeatTiming(0, 0.0, 0.0), SeatTiming(2, 60.0, 55.0), SeatTiming(5, 100.0, 25.0))
    own = [line for line in data.matches if name in [seat.bot for seat in line.seats]]
    lines = [
        replace(line, timings=tuple(timing if seat.bot == name else other for seat in line.seats))
        for line, timing in zip(own, used, strict=False)
    ]
    found = bot_data(replace(data, matches=tuple(lines)), 1, None)
    assert found is not None
    assert found.times == BotTimes(decisions=17, median=20.0, longest=55.0)


def test_the_rating_history_is_that_of_the_export(data: RunData) -> None:
    for match, rated in rate_by_match(data.results, data.bots):
        for bot, rating in rated.items():
            (known,) = (point.rating for point in data.rating_histories[bot] if point.match == match.match)
            assert (known.mu, known.sigma) == pytest.approx((rating.mu, rating.sigma), abs=1e-6)


def test_the_chips_chart_ends_at_the_value_in_the_standings(data: RunData) -> None:
    for bot, name in enumerate(data.bots, start=1):
        found = bot_data(data, bot, ())
        assert found is not None
        assert found.chips is not None
        blocks = [
            block
            for result in data.results
            for at, seat in enumerate(result.seats)
            if seat.bot == name
            for block in blocks_of(result, at)
        ]
        last = estimate_per_100(blocks).chips_per_100
        assert signed(last, 4) == signed(found.standing.chips_per_100, 4)
        low, high = found.chips.values[0], found.chips.values[-1]
        height = low.at - (last - low.value) / (high.value - low.value) * (low.at - high.at)
        assert found.chips.end[1] == pytest.approx(height, abs=0.06)


def test_other_bots_and_matches_are_not_found(data: RunData, faulty: Path) -> None:
    assert [bot_data(data, number, None) for number in (-1, 0, 6)] == [None] * 3
    assert match_data(data, "m0011", Run.open(faulty).record("m0001")) is None


def test_a_match_knows_its_neighbours(data: RunData, faulty: Path) -> None:
    opened = Run.open(faulty)
    first, last = (match_data(data, match, opened.record(match)) for match in ("m0001", "m0010"))
    assert first is not None
    assert last is not None
    assert [(one.before, one.after) for one in (first, last)] == [(None, "m0002"), ("m0009", None)]
    assert [one and one.deal for one in first.around(1, None)] == [None, 2]
    assert [one and one.deal for one in first.around(4, None)] == [3, None]


def test_a_match_whose_seats_differ_from_its_record_is_damaged(data: RunData, faulty: Path) -> None:
    first = replace(data.matches[0], seats=data.matches[0].seats[1:])
    with pytest.raises(ContestError, match=r"^match m0001: its seats differ from its record\.\nhint: run bourre"):
        match_data(replace(data, matches=(first,)), "m0001", Run.open(faulty).record("m0001"))


def test_a_duplicate_run_has_a_second_cross_table_less_luck(duplicate_folder: Path) -> None:
    run = read_run(Run.open(duplicate_folder))
    page = Pages(ServerLinks()).cross(run)
    captions = re.findall(r"<caption>Difference in chips per 100 deals, ([a-z ]+), row", page)
    assert captions == ["as played", "less luck"]
    adjusted = run.standings.adjusted_cross
    assert adjusted is not None
    second = page.split("<caption>")[2]
    assert all(signed(cell.chips_per_100) in second for line in adjusted for cell in line if cell)


def test_tones_follow_the_numbers(data: RunData) -> None:
    cells = [cell for row in heat_rows(data.standings, data.standings.cross) for cell in row.cells if cell]
    largest = max(abs(cell.chips) for cell in cells)
    assert cells != []
    for cell in cells:
        assert cell.tone[:-1] == ("win" if cell.chips > 0 else "lose")
        assert cell.tone.endswith("3") == (abs(cell.chips) >= 2 / 3 * largest)
        assert cell.tone.endswith("1") == (abs(cell.chips) < 1 / 3 * largest)


def test_strips_have_one_axis(data: RunData) -> None:
    intervals = list(map(centre_with_interval, data.standings.rows))
    axis = strip_axis(intervals)
    drawn = [strip for strip in starmap(axis.strip, intervals) if strip]
    assert len(drawn) == sum(row.ci95 is not None for row in data.standings.rows)
    assert len({strip.zero for strip in drawn}) == 1
    for strip in drawn:
        assert 0 <= strip.low < strip.centre < strip.high <= STRIP_WIDTH
        assert strip.side == ("above" if strip.low > strip.zero else "below" if strip.high < strip.zero else "across")


@given(st.lists(st.tuples(NUMBERS, st.none() | st.tuples(NUMBERS, NUMBERS)), min_size=1, max_size=300))
def test_a_chart_stays_in_its_picture(values: list[tuple[float, tuple[float, float] | None]]) -> None:
    drawing = chart([Point(x, value, ends and (min(ends), max(ends))) for x, (value, ends) in enumerate(values, 1)])
    places = re.findall(r"(-?[\d.e+-]+) (-?[\d.e+-]+)", drawing.line + drawing.band)
    assert places
    for x, y in places:
        assert LEFT <= float(x) <= WIDTH - RIGHT
        assert TOP - 0.1 <= float(y) <= HEIGHT - BOTTOM + 0.1
    assert (drawing.first.value, drawing.last.value) == (1, len(values))


@given(NUMBERS, NUMBERS)
@example(0.0, 5e-324)
def test_numbers_on_an_axis_span_all_values(one: float, other: float) -> None:
    low, high = sorted((one, other))
    found = round_numbers(low, high)
    slack = 1e-9 * max(1, abs(low), abs(high))
    assert found[0] <= low + slack
    assert found[-1] >= high - slack
    assert 2 <= len(found) <= 12
    steps = [later - earlier for earlier, later in pairwise(found)]
    assert all(isclose(step, steps[0], rel_tol=1e-3, abs_tol=slack) for step in steps)


def test_addresses_contain_no_name_and_are_as_documented() -> None:
    server, site = ServerLinks(), SiteLinks(depth=1)
    found = [server.home(), server.cross(), server.conduct(), server.bot(3), server.match("m0001")]
    assert found == ["/", "/cross", "/conduct", "/bots/3", "/matches/m0001"]
    assert server.deal("m0001", 12, None) == "/matches/m0001/deals/12"
    assert server.deal("m0001", 12, 2) == "/matches/m0001/deals/12-2"
    found = [site.home(), site.bot(3), site.match("m0001")]
    assert found == ["../index.html", "../bots/3.html", "../matches/m0001.html"]
    assert site.deal("m0001", 12, 2) == "../replays/m0001.html#deal-12-2"
    assert SiteLinks().matches(MatchChoice(only=Only.VOIDS, page=2)) == "matches-voids-2.html"
    assert ServerLinks("/epochs/1").matches(MatchChoice(bot=2, page=2)) == "/epochs/1/matches?bot=2&page=2"
    moments = [links.moment("m0001", 2, None, 7, secret) for links in (server, site) for secret in (False, True)]
    deal = "/matches/m0001/deals/2"
    assert moments == [f"{deal}#step-7", f"{deal}/onlooker#step-7", "../replays/m0001.html#deal-2-step-7", ""]
    versus = [server.versus(), server.versus(3, 1), site.versus(), site.versus(3, 1)]
    assert versus == ["/versus", "/versus?one=3&other=1", "../cross.html", "../versus/1-3.html"]


def test_numbers_and_names_are_formatted() -> None:
    assert [signed(3.25, 1), signed(-3.25, 1), signed(0), signed(-0.2)] == ["+3.2", "\u22123.2", "0", "0"]
    assert signed(-2.5e12) == "\u22122.50e+12"
    assert [signed(-12345.6, 1), signed(1000)] == ["\u221212,345.6", "+1,000"]
    assert [count(1, "match", "matches"), count(1200, "match", "matches")] == ["1 match", "1,200 matches"]
    assert [number(None), number(-1234.5), number(0.126, 1)] == ["\u2013", "\u22121,234.50", "0.1"]
    assert [interval(None), interval((-1.0, 2.25))] == ["\u2013", "\u22121.0 to +2.2"]
    assert [milliseconds(0.5), milliseconds(9.94), milliseconds(1234.5)] == ["0.5 ms", "9.9 ms", "1,234 ms"]
    assert short("\u202eabc\x1b[31m") == "\\u202eabc\\x1b[31m"
    assert short("W" * 61) == "W" * 59 + "\u2026"


def test_a_card_has_one_notation_and_is_read_by_its_name() -> None:
    pieces = make_environment().get_template("parts/pieces.html").make_module({"links": ServerLinks(), "run": None})
    text = str(pieces.cards(parse_cards("2H TC KH"), Suit.C))  # type: ignore[attr-defined]
    assert re.findall(r'aria-label="([^"]*)">([^<]*)<', text) == [
        ("ten of clubs, trump", "10\u2663\ufe0e"),
        ("king of hearts", "K\u2665\ufe0e"),
        ("two of hearts", "2\u2665\ufe0e"),
    ]
    assert 'class="glyph red refused"' in pieces.card(Card("AD"), Suit.C, "refused")  # type: ignore[attr-defined]
    assert "ace of diamonds, refused" in pieces.card(Card("AD"), Suit.C, "refused")  # type: ignore[attr-defined]
