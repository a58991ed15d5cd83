"""A recount finds in a record what was counted in play, whoever played the seats to the end."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from bourre.notes import Usage
from bourre.record import Record, Recorder, asks, read
from bourre.record.counters import Counters
from bourre.record.played_record import play_text
from bourre.rules.actions import Action, Fault, HandOver, Missing
from bourre.rules.deck import DuplicateChance, master_seed
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre_referee.contest.duplicate import boards, combine_boards, luck_task
from bourre_referee.contest.recount import recount
from bourre_referee.luck import BASELINE, LuckRecorder
from bourre_referee.model.results import MatchResult, seat_result
from bourre_referee.model.seat_remarks import Note, SeatRemarks
from bourre_referee.model.spec import Level, MatchOutcome, MatchSpec, SeatFault, SeatTiming
from bourre_referee.statistics.played_deals import replay_deals
from tests.referee import realistic_rooms
from tests.sdk.random_answers import legal_answer

BOTS = ("ada", "bob", "cy")
HOUSE = HouseRules.preset("indiana")
JUDGED = (Fault.NOT_HELD, Fault.ILLEGAL_DISCARD)
"""The faults of readable answers."""


def asked(record: Record) -> list[tuple[int, int]]:
    """How many decisions each bot was asked for, corrections aside, and how many of them it did not make."""
    found = []
    for number in range(len(record.header.bots)):
        own = [ask for ask in asks(record, number) if ask.view.correcting is None]
        found.append((len(own), sum(isinstance(ask.action, Missing) for ask in own)))
    return found


def decided(record: Record) -> list[tuple[int, int]]:
    """The same, as the statistics count it."""
    sums = [(0, 0)] * len(record.header.bots)
    for deal in replay_deals(record):
        for seat, bot in enumerate(deal.line_up):
            missing = sum(1 for who, fault in deal.faults if who == seat and fault not in JUDGED)
            sums[bot] = (sums[bot][0] + deal.decisions[seat], sums[bot][1] + missing)
    return sums


def test_a_session_is_counted_as_it_was_played() -> None:
    """One bot never came, and the others make all sorts of faults."""
    outcome = realistic_rooms.played(
        MatchSpec("m0001", BOTS, HouseRules.preset("limit"), 30, master_seed(5)), absent=("bob",)
    )
    record = read(outcome.record)
    found = recount(play_text(outcome.record), BASELINE)
    assert found.result == outcome.result
    kinds = [(seat, fault, times) for seat, one in enumerate(found.seats) for fault, times in one.faults_by_kind]
    assert kinds == [(one.seat, one.fault.value, one.times) for one in outcome.faults]
    paid = -sum(parts for deal in replay_deals(record) for _, parts in deal.moves if parts < 0)
    seats = found.result.seats
    counts = (30, sum(seat.reneges for seat in seats), sum(seat.faults for seat in seats), paid)
    amounts = found.amounts
    assert (amounts.deals, amounts.reneges, amounts.faults, amounts.chips) == counts
    assert amounts.decisions == 142
    assert decided(record) == asked(record)
    assert decided(record)[1] == (0, 0) < decided(record)[0]


def board_outcome(spec: MatchSpec) -> MatchOutcome:
    """A board played at random; in the first seating of every deal the house plays for ada."""
    assert spec.board
    seating, line_up = spec.board.seating, spec.board.line_up
    match = Match(3, spec.deals, spec.house, DuplicateChance(spec.seed, spec.board.stakes), only=spec.board.deal)
    recorder, observer, tally = Recorder(spec.header, keep_text=False), LuckRecorder(3), Counters(3)
    dice, house = Random(f"{spec.board.deal} {seating}"), {line_up.index(0)} if seating == 1 else set()
    steps: list[tuple[int, Action]] = [(seat, HandOver()) for seat in house]
    seat, action, events = None, None, match.start()
    while True:
        recorder.note(seat, action, events)
        observer.hear(events)
        tally.hear(events)
        if match.over:
            break
        turn = match.to_act
        answer = match.deal.default() if turn in house else legal_answer(match.view(turn), dice)
        seat, action = steps.pop() if steps else (turn, answer)
        events = match.apply(seat, action)
    seats = tuple(seat_result(bot, 0, 1, counts) for bot, counts in zip(spec.line_up, tally.seats, strict=True))
    return MatchOutcome(
        result=MatchResult(spec.match, 1, seats),
        faults=(SeatFault(0, Fault.LATE, seating),),
        packed=None,
        timings=tuple(SeatTiming(1 + at, 10.0 * seating, 2.0 + at, at, 3.0 * at, 5.0 * seating) for at in range(3)),
        isolation=Level.BWRAP,
        deal=replace(recorder.finished[0], seating=seating, line_up=line_up),
        played=observer.board(spec.board.deal, line_up),
        remarks=tuple(
            SeatRemarks((Note(spec.board.deal, seating, at, spec.line_up[at]),), Usage(1, 2, 3, 4), 2)
            for at in range(3)
        ),
        notices=(f"{spec.board.deal} {seating}",),
    )


def test_the_boards_of_a_match_are_put_together_and_each_begins_with_the_bots_themselves() -> None:
    """The sums of both seatings are by bot; the record holds all that the result follows from."""
    spec = MatchSpec("m0001", BOTS, HOUSE, 4, master_seed(6))
    played = [(board, board_outcome(board)) for of_seating in boards(spec, (0, 2)) for board in of_seating]
    assert [board.board.deal for board, _ in played if board.board] == [1, 2, 3, 4] * 3
    found = combine_boards(BOTS, played[::-1], luck_task(played, BASELINE).compute())
    record = read(found.record)
    assert found.result == recount(play_text(found.record), BASELINE).result
    assert [seat.chips for seat in found.result.seats] == list(record.final)
    assert [seat.house_deals for seat in found.result.seats] == [4, 0, 0]
    assert any(any(block.luck) for block in found.result.blocks)
    decisions = [deal.decisions[deal.line_up.index(0)] for deal in replay_deals(record)]
    assert (decisions[0::3], any(decisions[1::3])) == ([0] * 4, True)
    assert decided(record) == asked(record)
    places = [[(one.board.seating, one.board.line_up.index(bot)) for one, _ in played if one.board] for bot in range(3)]
    assert list(found.timings) == [
        SeatTiming(
            decisions=sum(1 + seat for _, seat in own),
            total_ms=sum(10 * seating for seating, _ in own),
            longest_ms=max(2 + seat for _, seat in own),
            queue_ms=sum(seat for _, seat in own),
            bot_ms=sum(3 * seat for _, seat in own),
            cpu_ms=sum(5 * seating for seating, _ in own),
        )
        for own in places
    ]
    late = [sum(seating for seating, seat in own if seat == 0) for own in places]
    assert found.faults == tuple(SeatFault(bot, Fault.LATE, times) for bot, times in enumerate(late))
    assert [{note.text for note in said.notes} for said in found.remarks] == [{bot} for bot in BOTS]
    assert {(said.usage, said.dropped) for said in found.remarks} == {(Usage(12, 24, 36, 48), 24)}
    assert found.notices == tuple(f"{deal} {seating}" for deal in range(1, 5) for seating in (1, 2, 3))
    assert found.isolation == Level.BWRAP
