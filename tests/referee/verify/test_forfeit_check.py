"""Records checked: every way in which the house takes a seat, and boards at their place in the schedule."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from bourre.messages import Answer, Ask
from bourre.practice import practice_duplicate
from bourre.record import read
from bourre.rules.actions import Choice, Decision, Declare, Fault, HandOver, Missing, Play, Recall
from bourre.rules.deck import master_seed
from bourre.rules.house import HouseRules
from bourre.rules.pot import UNIT
from bourre_referee.contest.duplicate import boards, combine_boards, luck_task
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.model.spec import Level, MatchSpec, SeatTiming
from bourre_referee.server.table import Table
from bourre_referee.verify.difference import Difference, json_differences
from bourre_referee.verify.expected_matches import ExpectedMatch
from bourre_referee.verify.forfeit_check import GONE, check_forfeits
from bourre_referee.verify.match_check import check_record
from tests.referee.tables import BOTS, LIMIT, MANNER, NUMBER, Evening, eager, evening, foul
from tests.sdk.bots import Drawing, Keen

AT_ONCE = HouseRules.preset("limit", declare_mode="simultaneous")
SILENT = HouseRules.preset("limit", renege_policy="silent")
MOST = 3

Lines = list[list[str]]
"""The actions of a record, by deal."""


def foul_one(ask: Ask) -> Choice:
    """Seat 1 plays what it does not hold."""
    return foul(ask) if ask.view.seat == 1 else eager(ask)


def verified(record: str, most: int) -> Lines:
    """The actions of a record in which there is no difference."""
    found = read(record)
    check_forfeits(found, most)
    return [[f"{seat} {action}" for seat, action in deal.actions] for deal in found.deals]


def handed_over(lines: Lines) -> list[str]:
    """The seats that the house took over, in that order."""
    return [action for deal in lines for action in deal if action.endswith(str(HandOver()))]


@pytest.mark.parametrize("most", [1, 2, MOST])
def test_r8_5_the_house_comes_after_so_many_faults_of_any_kind(most: int) -> None:
    lines = verified(evening(deals=10, max_faults=most).play(foul_one).record, most)
    assert handed_over(lines) == ["1 house"]
    late = verified(evening(deals=10, max_faults=most).play(lambda _: Missing(Fault.LATE)).record, most)
    assert len(handed_over(late)) == len(BOTS)


@pytest.mark.parametrize("fault", sorted(GONE - {Fault.START_FAILURE}))
@pytest.mark.parametrize("most", [1, MOST])
def test_the_house_comes_when_a_bot_is_gone(fault: Fault, most: int) -> None:
    party = evening(max_faults=most)
    party.ask()
    for leaver in (2, 0):
        party.table.leave(leaver, fault)
    assert len(handed_over(verified(party.play(eager).record, most))) == 2


@pytest.mark.parametrize("house", [LIMIT, AT_ONCE])
def test_only_a_model_may_leave_without_a_fault(house: HouseRules) -> None:
    party = evening(house)
    first, *others = party.ask()
    seat = first.view.seat
    party.table.leave(seat, None)
    for ask in others:
        party.table.answer(ask.view.seat, eager(ask))
    record = read(party.play(eager).record)
    check_forfeits(record, MOST, {BOTS[seat]})
    with pytest.raises(Difference, match=f"the referee takes over, with 0 faults of seat {seat}"):
        check_forfeits(record, MOST, {*BOTS} - {BOTS[seat]})


@pytest.mark.parametrize("most", [1, MOST])
def test_the_house_plays_who_never_came_unless_the_match_was_over_before(most: int) -> None:
    lines = verified(evening(absent=(1, 3), max_faults=most).play(eager).record, most)
    assert lines[0][:4] == ["1 !start_failure", "1 house", "3 !start_failure", "3 house"]
    indiana = HouseRules.preset("indiana")
    match = MatchSpec("m0001", BOTS[:2], indiana, 1, bytes([28]) * 32)  # neither hand holds a trump or a club (R4.6)
    table = Table(NUMBER, match, (MANNER, MANNER), most)
    table.begin((0, 1))
    assert verified(table.outcome(()).record, most) == [[]]


@pytest.mark.parametrize("said", [Declare(True), Missing(Fault.LATE)])
def test_what_was_said_at_once_with_others_still_counts_after_the_house_came(said: Declare | Missing) -> None:
    party = evening(AT_ONCE, max_faults=1)
    *others, last = party.ask()
    party.table.answer(last.view.seat, said)
    party.table.take_unasked(last.view.seat, Answer(NUMBER, 99, Declare(True)))
    for ask in others:
        party.table.answer(ask.view.seat, eager(ask))
    lines = verified(party.play(eager).record, 1)
    seat = last.view.seat
    assert lines[0][:2] == [f"{seat} !premature", f"{seat} house"]
    assert f"{seat} {said}" in lines[0]


@pytest.mark.parametrize("house", [LIMIT, AT_ONCE, SILENT, HouseRules.preset("indiana"), HouseRules.preset("nba")])
@pytest.mark.parametrize("most", [1, 2, MOST])
def test_whatever_bots_do_their_record_is_verified(house: HouseRules, most: int) -> None:
    taken = 0
    for seed in range(12):
        party = evening(house, deals=3, absent=(seed,)[: seed < len(BOTS)], max_faults=most)
        taken += len(handed_over(verified(disturbed(party, Random(seed)), most)))
    assert taken >= 12


def disturbed(party: Evening, dice: Random) -> str:
    """The record of a match whose bots are late, speak unasked, take cards back, or leave."""
    table = party.table
    while not table.over:
        for ask in party.ask():
            seat, other = ask.view.seat, dice.randrange(len(BOTS))
            if dice.random() < 0.1 and not table.over:
                said = Recall(ask.view.hand[0]) if dice.random() < 0.3 else Declare(True)
                table.take_unasked(other, Answer(NUMBER, dice.randrange(20), said))
            elif dice.random() < 0.02:
                table.leave(other, dice.choice(sorted(GONE)))
            table.answer(seat, Missing(Fault.ERROR) if dice.random() < 0.1 else foul(ask) if seat == 1 else eager(ask))
    return table.outcome(()).record


def test_every_board_of_a_duplicate_match_counts_by_itself() -> None:
    spec = MatchSpec("m0001", BOTS, LIMIT, 2, bytes(32))
    played = []
    for board in (board for seating in boards(spec, (0,)) for board in seating):
        table = Table(NUMBER, board, (MANNER,) * len(BOTS), MOST)
        table.begin([board.line_up.index("dee")])
        at = board.line_up.index("bob")
        while not table.over:
            for seat in table.to_ask:
                ask = table.ask(seat, 0, 0)
                table.answer(seat, foul(ask) if seat == at else eager(ask))
        played.append((board, table.outcome((SeatTiming(0, 0, 0),) * len(BOTS))))
    record = combine_boards(BOTS, played, luck_task(played, None).compute()).record
    lines = verified(record, MOST)
    assert {len(handed_over([deal])) for deal in lines} == {2}
    with pytest.raises(
        Difference, match=r"m0001, deal 1: seating 1, action \d+, after 2 faults of seat 1 \(bob\), is "
    ):
        check_forfeits(read(record), 2)


def changed(record: str, change: Callable[[Lines], object]) -> str:
    """The record with other actions: a forger who changes what the house plays has to choose legal cards."""
    head, *deals, final = [json.loads(line) for line in record.splitlines()]
    lines: Lines = [deal["actions"] for deal in deals]
    change(lines)
    return "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in (head, *deals, final))


def without(lines: Lines) -> None:
    for deal in lines:
        deal[:] = [action for action in deal if not action.endswith("house")]


def later(lines: Lines) -> None:
    place = lines[0].index("1 house")
    lines[0][place : place + 2] = [lines[0][place + 1], "1 house"]


FORGED: list[tuple[str, Callable[[Lines], object], str]] = [
    (
        "without a fault",
        lambda lines: lines[0].insert(0, "0 house"),
        r"action 1: the referee takes over, with 0 faults",
    ),
    (
        "too soon",
        lambda lines: lines[0].insert(0, "1 house"),
        r"with 0 faults of seat 1 \(bob\), but should do so once, right",
    ),
    ("twice", lambda lines: lines[-1].append("1 house"), r"with 3 faults of seat 1 \(bob\), which it plays already"),
    ("never", without, r"after 3 faults of seat 1 \(bob\), is '. ..', should be '1 house'"),
    ("a card later", later, r"after 3 faults of seat 1 \(bob\), is '. ..', should be '1 house'"),
    ("heard afterwards", lambda lines: lines[-1].append("1 !late"), r"is '!late', should be nothing"),
    ("taken back", lambda lines: lines[-1].append("1 recall 2C"), r"is 'recall 2C', should be nothing"),
]


@pytest.mark.parametrize(("change", "says"), [forged[1:] for forged in FORGED], ids=[forged[0] for forged in FORGED])
def test_a_house_that_comes_or_stays_away_without_cause_is_found(change: Callable[[Lines], object], says: str) -> None:
    record = evening(deals=4, max_faults=MOST).play(foul_one).record
    with pytest.raises(Difference, match=says) as found:
        check_forfeits(read(changed(record, change)), MOST)
    assert found.value.match == "m0001"
    assert found.value.deal is not None


@pytest.mark.parametrize(("most", "says"), [(MOST - 1, "after 2 faults"), (1000, "with 3 faults .* after fault 1000")])
def test_another_number_of_faults_than_was_allowed_is_found(most: int, says: str) -> None:
    with pytest.raises(Difference, match=says):
        check_forfeits(read(evening(max_faults=MOST).play(foul_one).record), most)


@pytest.mark.parametrize(
    ("before", "says"), [("1 in", "is 'in', should be 'pass'"), ("1 ..", r"is '(..)', should be '(?!\1)..'")]
)
def test_what_the_house_would_not_play_is_found(before: str, says: str) -> None:
    """The bot's own game goes on under the name of the house."""

    def take_over(lines: Lines) -> None:
        first = next(place for place, action in enumerate(lines[0]) if re.fullmatch(before, action))
        place = first if before == "1 in" else first + 1
        lines[0][place:place] = ["1 !crashed", "1 house"]

    record = changed(evening(deals=1).play(highest).record, take_over)
    with pytest.raises(Difference, match=rf"for seat 1 \(bob\), which the referee plays, {says}"):
        check_forfeits(read(record), MOST)


def highest(ask: Ask) -> Choice:
    """Is always in, and plays its highest card."""
    return Play(max(ask.view.legal)) if ask.view.decision == Decision.PLAY else eager(ask)


LIMIT = HouseRules.preset("limit")
SPEC = MatchSpec("m0001", ("keen", "drawing"), LIMIT, 2, master_seed(7))
EXPECTED = ExpectedMatch(
    number=1,
    match="m0001",
    bots=("drawing", "keen"),
    seats=2,
    deals=2,
    house=LIMIT,
    format="duplicate",
    stakes=(0,),
    max_faults=10,
    level=Level.NONE,
    spec=SPEC,
)


@pytest.fixture(scope="module")
def record() -> str:
    """Two deals, each in both seatings."""
    return practice_duplicate({"keen": Keen, "drawing": Drawing}, 2, seatings, seed=7, house=LIMIT)


def test_an_honest_record_comes_to_what_its_deals_come_to(record: str) -> None:
    found = check_record(record, EXPECTED)
    assert [seat.chips for seat in found.result.seats] == list(read(record).final)
    assert (found.result.unit, found.result.playings, found.amounts.deals) == (UNIT, 4, 4)
    assert [seat.bot for seat in found.seats] == ["keen", "drawing"]


def test_bots_that_sat_elsewhere_or_are_of_another_contest_are_found(record: str) -> None:
    lines = record.splitlines(keepends=True)
    number = next(place for place, line in enumerate(lines) if '"deal":2,"seating":1' in line)
    lines[number] = re.sub(r'"line_up":\[(\d),(\d)\]', r'"line_up":[\2,\1]', lines[number])
    with pytest.raises(Difference, match=r"who sits where in seating 1 is 1 0, should be 0 1") as found:
        check_record("".join(lines), EXPECTED)
    assert (found.value.match, found.value.deal) == ("m0001", 2)
    strangers = replace(EXPECTED, bots=("drawing", "lowest"), spec=None)
    with pytest.raises(Difference, match="its bots are keen, drawing, should be 2 bots of the contest"):
        check_record(record, strangers)


def test_two_documents_differ_where_a_value_or_its_type_does_and_fractions_may_by_the_tolerance() -> None:
    true: dict[str, object] = {"a": [1, 2.0, {"b": None, "c": "x"}], "d": 1e9}
    found: dict[str, object] = {"a": [True, 2.0009, {"b": 0, "c": "x"}], "d": 1e9 + 1e5}
    assert list(json_differences(true, true)) == []
    assert list(json_differences(found, true, 1e-3)) == ["a[0] is true, should be 1", "a[2].b is 0, should be null"]
    assert [each.partition(" is ")[0] for each in json_differences(found, true)] == ["a[0]", "a[1]", "a[2].b", "d"]
    assert [each.partition(" is ")[0] for each in json_differences(found, true, 1e-4)] == ["a[0]", "a[1]", "a[2].b"]
    assert list(json_differences([1], [1, 2])) == ["the document is [1], should be [1, 2]"]
    assert list(json_differences({"a": {"b": 1}}, {"a": {"c": 1}})) == ['a is {"b": 1}, should be {"c": 1}']
