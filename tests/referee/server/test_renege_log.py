"""What a bot's own log says about its reneges, in `session` and in `duplicate`."""

from __future__ import annotations

from random import Random

import pytest

from bourre.record import chance_of
from bourre.rules.deck import master_seed
from bourre.rules.events import DealEnded, Event, Reneged
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.pot import settle_in_units
from bourre.words.table_words.readers import exact_chips
from bourre_referee.model.spec import Board, MatchSpec
from bourre_referee.server.table_logs import Report, Reporter
from tests.sdk.random_answers import play_randomly

BOTS = ("ada", "bob", "cy", "dee")
BOARD = Board(2, 3, (2, 3, 0, 1), (0,))


def played(board: Board | None, dice: int = 0) -> tuple[list[Event], list[Report]]:
    """A match with bad answers, or one board of it: its events, and what was reported of them."""
    spec = MatchSpec("m0001", BOTS, HouseRules.preset("limit"), 3, master_seed(1), board)
    match = Match(len(BOTS), 3, spec.house, chance_of(spec.header), board.deal if board else None)
    reporter, happened, reports = Reporter(spec), list[Event](), list[Report]()
    for _, _, events in play_randomly(match, Random(dice), 0.4):
        happened += events
        reporter.hear(events)
        reports += reporter.reports()
    return happened, reports


@pytest.mark.parametrize(
    ("board", "places"), [(None, {f"m0001, deal {deal}" for deal in (1, 2, 3)}), (BOARD, {"m0001, deal 2, seating 3"})]
)
def test_a_report_says_where_the_rule_was_broken(board: Board | None, places: set[str]) -> None:
    events, reports = played(board)
    assert {report.seat for report in reports} == {event.seat for event in events if isinstance(event, Reneged)}
    assert {report.lines[0] for report in reports} <= {f"{place}: you broke a rule" for place in places}
    assert all(report.lines[-1].endswith(f"{place_of(report)}") for report in reports)


def place_of(report: Report) -> str:
    """The command that shows this deal."""
    deal = report.lines[0].partition("deal ")[2][0]
    return f"; see it all: bourre replay RUN m0001 --deal {deal}"


def test_each_renege_is_reported_once_in_its_deal() -> None:
    events, reports = played(None, dice=4)
    deal: list[Event] = []
    expected: list[tuple[str, int]] = []
    for event in events:
        deal.append(event)
        if isinstance(event, DealEnded):
            seats = sorted({each.seat for each in deal if isinstance(each, Reneged)})
            expected += [(f"m0001, deal {event.deal}: you broke a rule", seat) for seat in seats]
            deal.clear()
    assert [(report.lines[0], report.seat) for report in reports] == expected
    (second,) = (report for report in reports if "deal 2" in report.lines[0])
    assert second.lines[1:] == [
        "! trick 1: ada reneges with 3C: R5.2, follow suit if you can",
        "  on AS, spades trumps, holding 3C 4H 8S JD AC; legal: 8S; costs 10 to match the pot if it stands",
        "! trick 1: ada takes 3C back: cannot win this pot, forfeits its next turn to deal (R8.2)",
        "your balance is -5; see it all: bourre replay RUN m0001 --deal 2",
    ]


def test_a_session_tells_the_balance_and_a_deal_by_itself_what_it_brings_exactly() -> None:
    events, reports = played(None)
    balances = {event.deal: event.balances for event in events if isinstance(event, DealEnded)}
    for report in reports:
        deal = int(report.lines[0].partition("deal ")[2][0])
        assert report.lines[-1].startswith(f"your balance is {balances[deal][report.seat]:+d};")
    events, reports = played(BOARD)
    (ended,) = [event for event in events if isinstance(event, DealEnded)]
    brings = [exact_chips(units) for units in settle_in_units(ended.balances, ended.pot)]
    assert reports
    for report in reports:
        assert report.lines[-1].startswith(f"this deal brings you {brings[report.seat]};")
        assert not any("next turn" in line for line in report.lines)
