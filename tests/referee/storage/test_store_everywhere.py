"""What is stored comes back, in databases of every kind; contests that share one do not meet."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from bourre.notes import Usage
from bourre.rules.actions import Fault
from bourre.rules.deck import master_seed
from bourre_referee.contest.contest_plan import matches_of
from bourre_referee.contest.stages import match_number
from bourre_referee.model.errors import DamagedValue, StoreError
from bourre_referee.model.results import DealResult, ranks_of
from bourre_referee.model.spec import Level, MatchOutcome, SeatFault, SeatTiming
from bourre_referee.model.stored import ORGANISER, DiscardedMatch, StoredSeat
from bourre_referee.storage.database import match_reader
from bourre_referee.storage.database.run_session import RunSession, select
from bourre_referee.storage.database.store import Finished, Store
from bourre_referee.storage.files.sound_values import LONGEST_STORED_REASON
from tests.postgres_server import PostgresServer
from tests.referee import contests, talking_rooms
from tests.referee.rooms import played
from tests.referee.storage.databases import SEED, InPostgres, InSqlite, Stored

NOON = "2026-01-02T12:00:00+00:00"


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> list[MatchOutcome]:
    """The outcomes of four matches, in schedule order; in the second, bots say something."""
    contest = contests.small_contest(tmp_path_factory.mktemp("contest"))
    first, second, *others = matches_of(contest, master_seed(7))[:4]
    return [played(first), talking_rooms.played(second), *map(played, others)]


@pytest.fixture(params=["sqlite", "postgres"])
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stored]:
    if request.param == "sqlite":
        yield InSqlite(tmp_path / "run")
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with ExitStack() as held:
        yield InPostgres(server.url if request.param == "postgres" else request.getfixturevalue("icu_database"), held)


@pytest.fixture
def store(stored: Stored) -> Iterator[Store]:
    with stored.create() as store:
        yield store


def add(store: Store, *outcomes: MatchOutcome) -> None:
    store.add(*(Finished(match_number(outcome.result.match), 1, outcome) for outcome in outcomes))


def test_matches_come_back_in_schedule_order_whatever_the_finishing_order(
    store: Store, outcomes: list[MatchOutcome]
) -> None:
    add(store, *(outcomes[place] for place in (2, 0, 3, 1)))
    assert store.results() == [outcome.result for outcome in outcomes]
    assert list(store.records()) == [outcome.record for outcome in outcomes]
    assert list(store.record_hashes().items()) == [
        (outcome.result.match, sha256(outcome.record.encode()).digest()) for outcome in outcomes
    ]
    assert [record.text() for record in store.packed_records([2, 3])] == [outcomes[1].record, outcomes[2].record]


def test_every_reader_reads_every_match(stored: Stored, store: Store, outcomes: list[MatchOutcome]) -> None:
    add(store, *outcomes)
    with stored.open() as reader:
        assert reader.record("m0003") == outcomes[2].record
        assert reader.record("m0099") is None
        for found, outcome in zip(reader.stored_matches(), outcomes, strict=True):
            assert [(seat.bot, seat.chips, seat.reneges_by_rule) for seat in found.seats] == [
                (seat.bot, seat.chips, seat.reneges_by_rule) for seat in outcome.result.seats
            ]
            assert (found.timings, found.record, found.remarks) == (outcome.timings, outcome.record, outcome.remarks)
        new = reader.new_matches([1, 2], SEED)
        assert new is not None
        assert [match.stored.match for match in new] == ["m0003", "m0004"]
        assert reader.new_matches([1, 7], SEED) is None
        reader.check_contents()


def test_facts_have_the_same_hash_everywhere_and_what_bots_said_is_found(
    store: Store, outcomes: list[MatchOutcome], tmp_path: Path
) -> None:
    add(store, *outcomes)
    with InSqlite(tmp_path / "other").create() as other:
        add(other, *outcomes)
        assert store.fact_hashes(SEED) == other.fact_hashes(SEED)
    polite, _, _ = store.remarks("m0002", SEED)
    assert polite.usage == Usage(1000, 50, 2, 2_500_000)
    bot = outcomes[1].result.seats[0].bot
    assert store.noted_matches(bot, SEED) == ("m0002",)
    assert store.usage() == {bot: polite.usage}


def test_totals_and_chips_are_kept_however_large_they_are(store: Store, outcomes: list[MatchOutcome]) -> None:
    polite, *silent = outcomes[1].remarks
    dear = replace(polite, usage=Usage(2**40, 2**41, 2**42, 2**43))
    chips = [10**60, 0, -(10**60)]
    told = zip(outcomes[1].result.seats, chips, ranks_of(chips), strict=True)
    result = replace(outcomes[1].result, seats=tuple(replace(seat, chips=chip, rank=rank) for seat, chip, rank in told))
    add(store, replace(outcomes[1], result=result, remarks=(dear, *silent)))
    assert store.remarks("m0002", SEED)[0].usage == dear.usage
    assert store.results() == [result]


@pytest.mark.parametrize("stored", ["sqlite", "postgres", "postgres with ICU"], indirect=True)
def test_text_is_ordered_by_its_bytes(store: Store, outcomes: list[MatchOutcome]) -> None:
    """A language's order would put `a` before `B`, and ignore the hyphen."""
    rules = ("R5-2", "R52", "Ra", "a", "B", "_", "ä")
    first, *others = outcomes[0].result.seats
    reneging = replace(first, reneges=len(rules), reneges_by_rule=tuple((rule, 1) for rule in sorted(rules)))
    outcome = replace(outcomes[0], result=replace(outcomes[0].result, seats=(reneging, *others)))
    add(store, outcome)
    assert store.results() == [outcome.result]


def test_luck_is_added_once_it_is_known(store: Store, outcomes: list[MatchOutcome]) -> None:
    first, *others = outcomes
    result = first.result
    chips, none = tuple(seat.chips for seat in result.seats), (0,) * len(result.seats)
    unknown = [DealResult(chips, ()), *[DealResult(none, ())] * (result.deals - 1)]
    add(store, replace(first, result=replace(result, blocks=tuple(unknown))), *others)
    luck = (7, -7, *none[2:])
    store.set_luck(result.match, [luck] * result.deals)
    known = tuple(replace(block, luck=luck) for block in unknown)
    assert store.results() == [replace(result, blocks=known), *(outcome.result for outcome in others)]


def test_a_discarded_match_moves_with_its_record(store: Store, outcomes: list[MatchOutcome]) -> None:
    add(store, *outcomes)
    store.add_lost(["m0004", "m0009"], "no sandbox", NOON, revealed=False)
    discarded = DiscardedMatch("m0002", 1, ORGANISER, "smoke", NOON, True, outcomes[1].record)
    store.void(discarded)
    assert list(store.record_hashes()) == ["m0001", "m0003", "m0004"]
    assert store.attempts() == {"m0002": 1, "m0004": 1, "m0009": 1}
    assert store.voids(SEED)[0] == discarded
    assert [void.revealed for void in store.voids()] == [True, False, False]
    assert store.remarks("m0002", SEED) == ()
    store.add(Finished(2, 2, outcomes[1]))
    assert len(store.results()) == 4


def test_a_reason_may_hold_what_no_database_can(store: Store) -> None:
    store.add_lost(["m0001"], "no \0 sandbox \ud800" + LONGEST_STORED_REASON * "x", NOON, revealed=False)
    assert store.voids()[0].reason == ("no ? sandbox ?" + LONGEST_STORED_REASON * "x")[:LONGEST_STORED_REASON]


def test_a_match_is_stored_whole_or_not_at_all(stored: Stored, store: Store, outcomes: list[MatchOutcome]) -> None:
    sound, twice_at_fault = outcomes[0], replace(outcomes[1], faults=(*outcomes[1].faults, *outcomes[1].faults))
    with pytest.raises(StoreError, match=r"UNIQUE constraint failed|duplicate key value"):
        add(stored.open_to_write(), sound, twice_at_fault)
    assert (store.results(), store.record_hashes()) == ([], {})
    assert stored.execute("SELECT count(*) FROM seat WHERE contest = :contest") == [(0,)]
    add(store, sound)
    assert store.results() == [sound.result]


def test_what_is_read_while_more_is_stored_is_of_one_moment(
    stored: Stored, store: Store, outcomes: list[MatchOutcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    add(store, outcomes[0])

    def select_before_more_is_stored(
        session: RunSession, query: str, values: match_reader.Row
    ) -> Iterator[match_reader.Row]:
        rows = list(select(session, query, values))
        if "FROM seat" in query:
            add(store, outcomes[1])
        return iter(rows)

    monkeypatch.setattr(match_reader, "select", select_before_more_is_stored)
    with stored.open() as reader:
        assert reader.results() == [outcomes[0].result]
        assert list(reader.record_hashes()) == [outcomes[0].result.match, outcomes[1].result.match]


def test_reading_is_all_that_a_reader_may(stored: Stored, store: Store, outcomes: list[MatchOutcome]) -> None:
    with stored.open() as reader, pytest.raises(StoreError, match=r"readonly|open for reading only"):
        add(Store(reader.database), outcomes[0])


def test_every_number_comes_back_in_its_place(store: Store, outcomes: list[MatchOutcome]) -> None:
    timings = tuple(SeatTiming(10 * seat, *(10.0 * seat + place for place in range(1, 6))) for seat in range(1, 4))
    first, *others = outcomes[0].result.seats
    broken = (("R5.2", 1), ("R6.2", 3))
    counted = replace(first, wins=2, bourres=3, reneges=4, faults=5, house_deals=1, reneges_by_rule=broken)
    result = replace(outcomes[0].result, seats=(counted, *others))
    faults = (SeatFault(0, Fault.ERROR, 2), SeatFault(0, Fault.LATE, 3))
    store.add_lost(["m0001"], "no sandbox", NOON, revealed=False)
    store.add(
        Finished(1, 2, replace(outcomes[0], result=result, faults=faults, timings=timings, isolation=Level.BWRAP))
    )
    assert store.results() == [result]
    (found,) = store.stored_matches()
    assert (found.number, found.attempt, found.isolation, found.timings) == (1, 2, "bwrap", timings)
    of_kinds = (("error", 2), ("late", 3))
    assert found.seats[0] == StoredSeat(counted.bot, counted.chips, counted.rank, 2, 3, 4, 5, 1, broken, of_kinds)


def test_another_contests_matches_are_refused(stored: Stored, store: Store) -> None:
    with pytest.raises(StoreError, match="belongs to another run"):
        stored.open("cd" * 32)


def test_a_corrupt_row_is_told_with_its_match(stored: Stored, store: Store, outcomes: list[MatchOutcome]) -> None:
    add(store, *outcomes)
    stored.execute("UPDATE seat SET chips = 'many' WHERE contest = :contest AND number = 3 AND seat = 0")
    with stored.open(None) as reader:
        matches = reader.stored_matches()
        assert [next(matches).match for _ in range(2)] == ["m0001", "m0002"]
        with pytest.raises(DamagedValue, match="m0003: the chips of a seat are 'many', which is not a number"):
            next(matches)


def test_what_is_new_is_checked_and_what_is_known_is_not_read_again(
    stored: Stored, store: Store, outcomes: list[MatchOutcome]
) -> None:
    add(store, *outcomes)
    stored.execute("UPDATE seat SET wins = -1 WHERE contest = :contest AND number = 3 AND seat = 0")
    with stored.open(None) as reader:
        assert [match.stored.match for match in reader.new_matches([1, 2, 3], SEED) or ()] == ["m0004"]
        assert reader.new_matches([1, 2, 3, 4], SEED) == []
        with pytest.raises(DamagedValue, match="seat, number 3, seat 0: wins: Input should be"):
            reader.new_matches([1, 2], SEED)


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("INSERT INTO fault VALUES (:contest, 1, 9, 'late', 1)", "fault, number 1: there is no seat 9 in that match"),
        ("INSERT INTO fault VALUES (:contest, 1, -1, 'late', 1)", "fault, number 1, fault 'late': seat: Input"),
        (
            "UPDATE seat SET seat = -1 WHERE contest = :contest AND seat = 1",
            "seat, number 1: seat: Input should be greater",
        ),
        ("UPDATE seat SET seat = 5 WHERE contest = :contest AND seat = 1", "3 seats are not numbered from 0"),
        ("UPDATE seat SET seat = 3 WHERE contest = :contest AND seat = 0", "3 seats are not numbered from 0"),
    ],
)
def test_a_seat_that_is_not_there_is_found(
    stored: Stored, store: Store, outcomes: list[MatchOutcome], statement: str, says: str
) -> None:
    add(store, *outcomes)
    stored.execute(statement)
    with pytest.raises(DamagedValue, match=says), stored.open(None) as reader:
        reader.check_contents()


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("match SET match = '../m0001' WHERE number = 1", "match, number 1: match: '../m0001' is no id of a match"),
        ("match SET isolation = 'moat' WHERE number = 2", "match, number 2: isolation: 'moat' is no level"),
        ("seat SET bot = 'a/b' WHERE number = 1 AND seat = 0", "seat, number 1, seat 0: bot: 'a/b' is no name"),
        ("seat SET wins = -1 WHERE number = 1 AND seat = 2", "seat, number 1, seat 2: wins: Input should be"),
        ("seat SET cpu_ms = 1e300 WHERE number = 1 AND seat = 2", "table seat, number 1, seat 2: cpu_ms: Input should"),
        ("fault SET fault = 'rude' WHERE number = 1", "fault, number 1, seat 0: fault: 'rude' is no kind"),
    ],
)
def test_a_value_that_no_run_holds_is_found_when_it_is_opened(
    stored: Stored, store: Store, outcomes: list[MatchOutcome], statement: str, says: str
) -> None:
    add(store, *outcomes)
    stored.execute("DELETE FROM fault WHERE contest = :contest")
    stored.execute("INSERT INTO fault VALUES (:contest, 1, 0, 'late', 1)")
    table, _, rest = statement.partition(" SET ")
    change, _, rows = rest.partition(" WHERE ")
    stored.execute(f"UPDATE {table} SET {change} WHERE contest = :contest AND {rows}")
    with pytest.raises(DamagedValue, match=re.escape(says)):
        stored.open()


def test_contests_that_share_a_database_do_not_meet(postgres: PostgresServer, outcomes: list[MatchOutcome]) -> None:
    with ExitStack() as held:
        here, there = InPostgres(postgres.url, held), InPostgres(postgres.url, held)
        with here.create() as one, there.create() as other:
            add(one, *outcomes[:2])
            add(other, *outcomes[1:])
            assert (list(one.record_hashes()), list(other.record_hashes())) == (
                ["m0001", "m0002"],
                ["m0002", "m0003", "m0004"],
            )
            other.void(DiscardedMatch("m0002", 1, ORGANISER, "smoke", NOON, False, outcomes[1].record))
            assert (one.attempts(), other.attempts()) == ({}, {"m0002": 1})
            assert (len(one.usage()), other.usage()) == (1, {})
            here.led.clear()
            assert (one.results(), len(other.results())) == ([], 2)


def test_an_attempt_that_comes_too_late_is_not_stored(postgres: PostgresServer, outcomes: list[MatchOutcome]) -> None:
    with ExitStack() as held, InPostgres(postgres.url, held).create() as store:
        store.add_lost(["m0001"], "no sandbox", NOON, revealed=False)
        with pytest.raises(StoreError, match="attempt 1 at m0001 comes too late, as attempt 2 is due: it is not"):
            add(store, *outcomes)
        assert store.record_hashes() == {}
        store.add(Finished(1, 2, outcomes[0]))
        assert list(store.record_hashes()) == ["m0001"]


def test_the_tables_are_those_of_the_models(postgres: PostgresServer) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext
    from sqlalchemy import create_engine

    from bourre_referee.storage.database.schema import Row

    with ExitStack() as held:
        InPostgres(postgres.url, held).create().close()
    engine = create_engine(postgres.url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Row.metadata) == []
    engine.dispose()
