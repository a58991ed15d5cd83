"""Notes, usage and reneges at a table: each in its place in the record or the log, and none changes anything."""

import random
from random import Random

import pytest

from bourre.messages import Answer
from bourre.notes import Usage
from bourre.record import DealRecord, chance_of, read
from bourre.rules.actions import Choice, Decision, Declare, Draw, Fault, Missing, NameTrump, Play
from bourre.rules.cards import DECK
from bourre.rules.deck import master_seed
from bourre.rules.events import DealEnded, Event, Reneged
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.pot import settle_in_units
from bourre.words.table_words.readers import exact_chips
from bourre_referee.contest.duplicate import boards, combine_boards, luck_task
from bourre_referee.model import seat_remarks
from bourre_referee.model.seat_remarks import Note, RemarkCollector
from bourre_referee.model.spec import DuplicateBoard, MatchOutcome, MatchSpec, SeatTiming
from bourre_referee.server.table import AskOptions, Table
from bourre_referee.server.table_logs import Reporter, TableReport
from tests.sdk.random_answers import play_randomly

HOUSES = [HouseRules.preset("limit", declare_mode=mode) for mode in ("turn", "simultaneous")]
SEATS = 4


def match_of(house: HouseRules, *, aloud: bool, illegal: float = 0.4) -> MatchOutcome:
    """A match of bots that answer at random, now and then illegally; aloud, every note is the answer that it is on."""
    return play(MatchSpec("m0001", ("a", "b", "c", "d"), house, 20, bytes(32)), aloud, illegal)


def play(spec: MatchSpec, aloud: bool, illegal: float, dice: int = 5) -> MatchOutcome:
    seats = len(spec.line_up)
    table = Table(0, spec, [AskOptions(True, False)] * seats, max_faults=1000)
    rng = random.Random(dice)
    table.begin([])
    while not table.over:
        for seat in table.to_ask:
            ask = table.ask(seat, 5000, 600_000)
            action = answer_to(ask.view.decision, rng, illegal, ask.view.legal, ask.view.hand)
            if aloud:
                said = f"{seat} {action}" if spec.board is None else f"{spec.line_up[seat]} {action}"
                answer = Answer(0, ask.id, action, note=said, usage=Usage(tokens_in=seat, calls=1))
                table.hear_remarks(seat, answer)
            table.answer(seat, action)
    return table.outcome((SeatTiming(0, 0.0, 0.0),) * seats)


def answer_to(decision: Decision, rng: random.Random, illegal: float, legal: object, hand: object) -> Choice | Missing:
    if rng.random() < illegal / 12:
        return Missing(Fault.ERROR)
    match decision:
        case Decision.DECLARE:
            return Declare(rng.random() < 0.8)
        case Decision.DRAW:
            return Draw()
        case Decision.NAME_TRUMP:
            return NameTrump(DECK[0].suit)
    assert isinstance(legal, tuple)
    assert isinstance(hand, tuple)
    return Play(rng.choice(hand if rng.random() < illegal else legal))


def answered(deal: DealRecord, note: Note) -> str:
    seat, action = deal.actions[note.number - 1]
    return f"{seat} {action}"


@pytest.mark.parametrize("house", HOUSES)
def test_each_note_is_on_the_action_it_came_with(house: HouseRules) -> None:
    outcome = match_of(house, aloud=True)
    deals = {deal.deal: deal for deal in read(outcome.record).deals}
    assert len(outcome.remarks) == SEATS
    for seat, remarks in enumerate(outcome.remarks):
        assert len(remarks.notes) > 10
        assert [answered(deals[note.deal], note) for note in remarks.notes] == [note.text for note in remarks.notes]
        assert remarks.usage == Usage(tokens_in=seat * len(remarks.notes), calls=len(remarks.notes))
        assert remarks.dropped == 0
    assert any(note.text.endswith(str(Missing(Fault.ERROR))) for seat in outcome.remarks for note in seat.notes)
    assert any(seat.reneges for seat in outcome.result.seats)


@pytest.mark.parametrize("house", HOUSES)
def test_the_record_is_the_same_with_and_without_remarks(house: HouseRules) -> None:
    silent, aloud = match_of(house, aloud=False), match_of(house, aloud=True)
    assert (silent.record, silent.result, silent.faults) == (aloud.record, aloud.result, aloud.faults)
    assert silent.remarks == ()


def test_in_duplicate_each_bot_has_its_own_notes_by_deal_and_seating() -> None:
    match = MatchSpec("m0001", ("a", "b", "c"), HOUSES[0], 2, bytes(32))
    played = [(board, play(board, True, 0.4)) for boards_of in boards(match, (0,)) for board in boards_of]
    whole = combine_boards(match.line_up, played, luck_task(played, None).compute())
    deals = {(deal.deal, deal.seating): deal for deal in read(whole.record).deals}
    for number, (bot, remarks) in enumerate(zip(match.line_up, whole.remarks, strict=True)):
        assert {(note.deal, note.seating) for note in remarks.notes} >= {(1, 1), (1, 2), (1, 3)}
        assert remarks.usage is not None
        assert remarks.usage.calls == len(remarks.notes)
        for note in remarks.notes:
            deal = deals[note.deal, note.seating]
            seat, action = deal.actions[note.number - 1]
            assert (deal.line_up or ())[seat] == number
            assert note.text == f"{bot} {action}"


def test_what_a_seat_says_that_is_not_asked_is_ignored() -> None:
    spec = MatchSpec("m0001", ("a", "b", "c"), HOUSES[0], 1, bytes(32))
    table = Table(0, spec, [AskOptions(True, False)] * 3, max_faults=9)
    table.begin([])
    (asked,) = table.to_ask
    for seat in {0, 1, 2} - {asked}:
        table.hear_remarks(seat, Answer(0, 1, Declare(True), note="me too", usage=Usage(calls=1)))
    for seat in range(3):
        table.leave(seat, Fault.DISCONNECTED)
    assert table.outcome(()).remarks == ()


def test_every_seat_has_its_share_of_the_room_for_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_remarks, "MOST_NOTES_BYTES", 400)
    loud, quiet = RemarkCollector(2), RemarkCollector(2)
    for number in range(1, 6):
        loud.add_note(Note(1, None, number, "\u2660" * 20))
    quiet.add_note(Note(1, None, 6, "x"))
    assert ([note.number for note in loud.collected().notes], loud.collected().dropped) == ([1, 2], 3)
    assert len(quiet.collected().notes) == 1
    whole = RemarkCollector(2)
    whole.add(loud.collected())
    whole.add(loud.collected())
    assert (len(whole.collected().notes), whole.collected().dropped) == (2, 8)


NAMES = ("ada", "bob", "cy", "dee")
ONE_BOARD = DuplicateBoard(2, 3, (2, 3, 0, 1), (0,))


def reported(board: DuplicateBoard | None, dice: int = 0) -> tuple[list[Event], list[TableReport]]:
    """A match with bad answers, or one board of it: its events, and what was reported of them."""
    spec = MatchSpec("m0001", NAMES, HouseRules.preset("limit"), 3, master_seed(1), board)
    match = Match(len(NAMES), 3, spec.house, chance_of(spec.header), board.deal if board else None)
    reporter, happened, reports = Reporter(spec), list[Event](), list[TableReport]()
    for _, _, events in play_randomly(match, Random(dice), 0.4):
        happened += events
        reporter.hear(events)
        reports += reporter.reports()
    return happened, reports


@pytest.mark.parametrize(
    ("board", "places"),
    [(None, {f"m0001, deal {deal}" for deal in (1, 2, 3)}), (ONE_BOARD, {"m0001, deal 2, seating 3"})],
)
def test_a_report_says_where_the_rule_was_broken(board: DuplicateBoard | None, places: set[str]) -> None:
    events, reports = reported(board)
    assert {report.seat for report in reports} == {event.seat for event in events if isinstance(event, Reneged)}
    assert {report.lines[0] for report in reports} <= {f"{place}: you broke a rule" for place in places}
    assert all(report.lines[-1].endswith(f"{place_of(report)}") for report in reports)


def place_of(report: TableReport) -> str:
    """The command that shows this deal."""
    deal = report.lines[0].partition("deal ")[2][0]
    return f"; see it all: bourre replay RUN m0001 --deal {deal}"


def test_each_renege_is_reported_once_in_its_deal() -> None:
    events, reports = reported(None, dice=4)
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
        "! trick 1: you renege with 3C: R5.2, follow suit if you can",
        "  on AS, spades trumps, holding 3C 4H 8S JD AC; legal: 8S; costs 10 to match the pot if it stands",
        "! trick 1: you take 3C back: cannot win this pot, forfeit your next turn to deal (R8.2)",
        "your balance is -5; see it all: bourre replay RUN m0001 --deal 2",
    ]


def test_a_session_tells_the_balance_and_a_deal_by_itself_what_it_brings_exactly() -> None:
    events, reports = reported(None)
    balances = {event.deal: event.balances for event in events if isinstance(event, DealEnded)}
    for report in reports:
        deal = int(report.lines[0].partition("deal ")[2][0])
        assert report.lines[-1].startswith(f"your balance is {balances[deal][report.seat]:+d};")
    events, reports = reported(ONE_BOARD)
    (ended,) = [event for event in events if isinstance(event, DealEnded)]
    brings = [exact_chips(units) for units in settle_in_units(ended.balances, ended.pot)]
    assert reports
    for report in reports:
        assert report.lines[-1].startswith(f"this deal brings you {brings[report.seat]};")
        assert not any("next turn" in line for line in report.lines)
