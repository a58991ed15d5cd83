"""Results: impossible ones are refused; and where a site is."""

from __future__ import annotations

import pickle
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre.rules.actions import Fault
from bourre_referee.model.packed_text import pack
from bourre_referee.model.results import DealResult, MatchResult, SeatResult, counts_of, no_shows, ranks_of
from bourre_referee.model.site import Site
from bourre_referee.model.spec import BotSpec, Level, MatchOutcome, SeatFault, SeatTiming
from tests.referee.matches import match


@pytest.mark.parametrize(
    ("chips", "ranks"),
    [
        ([7, 3, -2, -8], (1, 2, 3, 4)),
        ([5, 0, 0, -5], (1, 2, 2, 4)),
        ([-8, 0, 4, 4], (4, 3, 1, 1)),
        ([0, 0, 0], (1, 1, 1)),
        ([], ()),
    ],
)
def test_equal_chips_have_equal_rank(chips: list[int], ranks: tuple[int, ...]) -> None:
    assert ranks_of(chips) == ranks


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=8))
def test_a_rank_counts_those_who_did_better(chips: list[int]) -> None:
    ranks = ranks_of(chips)
    assert min(ranks) == 1
    for own, rank in zip(chips, ranks, strict=True):
        assert rank - 1 == sum(other > own for other in chips)


def test_chips_neither_appear_nor_vanish() -> None:
    with pytest.raises(ValueError, match=r"chips of match m0007 add up to 1, not to 0: \[5, -4\]"):
        match({"ada": 5, "bob": -4}, name="m0007")


def test_ranks_are_those_of_the_chips() -> None:
    right = match({"ada": 5, "bob": -5})
    wrong = tuple(replace(seat, rank=3 - seat.rank) for seat in right.seats)
    with pytest.raises(ValueError, match=r"chips \[5, -5\] make ranks \(1, 2\), not \(2, 1\)"):
        MatchResult("m0001", 50, wrong)


def test_a_match_without_deals_has_no_result() -> None:
    with pytest.raises(ValueError, match="match m0001 has 0 deals"):
        match({"ada": 0, "bob": 0}, deals=0)


def test_a_bot_sits_once() -> None:
    seat = match({"ada": 0, "bob": 0}).seats[0]
    with pytest.raises(ValueError, match="each in one seat, not: ada, ada"):
        MatchResult("m0001", 50, (seat, seat))


def test_one_bot_alone_plays_no_match() -> None:
    with pytest.raises(ValueError, match="two or more bots, each in one seat, not: ada"):
        match({"ada": 0})


@pytest.mark.parametrize("count", ["wins", "bourres", "reneges", "faults", "house_deals"])
def test_nothing_happens_less_than_0_times(count: str) -> None:
    seat = match({"ada": 0, "bob": 0}).seats[0]
    changed: dict[str, Any] = {count: -1}
    with pytest.raises(ValueError, match=f"cannot be negative.*{count}=-1"):
        replace(seat, **changed)


@pytest.mark.parametrize("block", [DealResult((0,), (0, 0)), DealResult((0, 0), (0, 0, 0)), DealResult((), ())])
def test_a_result_of_a_deal_is_of_all_seats(block: DealResult) -> None:
    with pytest.raises(ValueError, match=r"^match m0007: a deal's result does not have 2 seats$"):
        replace(match({"ada": 0, "bob": 0}, name="m0007"), deals=1, blocks=(block,))


def test_a_chip_has_at_least_one_part() -> None:
    with pytest.raises(ValueError, match=r"m0007 divides a chip into 0 parts: there must be 1 or more"):
        replace(match({"ada": 0, "bob": 0}, name="m0007"), unit=0)


@pytest.mark.parametrize(
    ("deals", "block", "says"),
    [
        (2, DealResult((5, -5), (0, 0)), "has 2 deals, but 1 results of deals"),
        (1, DealResult((5, -4), (0, 0)), "the chips, or the luck, of a deal do not add up to 0"),
        (1, DealResult((5, -5), (1, 0)), "the chips, or the luck, of a deal do not add up to 0"),
        (1, DealResult((4, -4), (0, 0)), "ada has 5, but 4 in all its deals"),
    ],
)
def test_a_duplicate_is_what_its_deals_add_up_to(deals: int, block: DealResult, says: str) -> None:
    with pytest.raises(ValueError, match=rf"^match m0007:? {says}$"):
        replace(match({"ada": 5, "bob": -5}, name="m0007"), deals=deals, blocks=(block,))


def test_a_no_show_is_one_by_all_its_matches_together() -> None:
    """The house played 10 of 20 deals, then 11; each deal of a duplicate counts once in every seating."""
    first, second = match({"ada": 0, "bob": 0}, deals=10), match({"ada": 0, "bob": 0}, deals=10)
    by_house = replace(first, seats=(replace(first.seats[0], house_deals=10), first.seats[1]))
    assert no_shows([by_house]) == {"ada"}
    assert no_shows([by_house, second]) == frozenset()
    again = replace(second, seats=(replace(second.seats[0], house_deals=1), second.seats[1]))
    assert no_shows([by_house, again]) == {"ada"}
    seatings = replace(by_house, blocks=(DealResult((0, 0), (0, 0)),) * 10)
    assert (first.playings, seatings.playings, no_shows([seatings])) == (10, 20, frozenset())


def test_what_happened_in_several_seats_adds_up() -> None:
    one, other = match({"ada": 0, "bob": 0}).seats
    broken = replace(other, reneges=3, reneges_by_rule=(("R5.2", 2), ("R6.2", 1)))
    again = replace(one, reneges=1, reneges_by_rule=(("R6.2", 1),), faults=5, house_deals=7)
    assert counts_of([again, broken]) == (5, 1, 4, 8, 7, (("R5.2", 2), ("R6.2", 2)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A contest's folder with a bot in a folder of its own, and one beside the contest file."""
    for name in ("bots/ada/bot.py", "bots/ada/run", "bots/ada/weights.bin", "bob.py", "table.csv", "ada/empty"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "bots/ada/run").chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "own", "words"),
    [
        (("python", "bob.py", "table.csv"), "", ("bob.py", "table.csv")),
        (("python", "bots/ada/bot.py"), "bots/ada", ("bot.py",)),
        (
            ("python", "-u", "./bots/ada/bot.py", "ada", "table.csv"),
            "bots/ada",
            ("-u", "bot.py", "ada", "../../table.csv"),
        ),
        (
            ("node", "bots/ada/bot.py", "--weights=bots/ada/weights.bin"),
            "bots/ada",
            ("bot.py", "--weights=weights.bin"),
        ),
        (("bots/ada/run", "table.csv"), "bots/ada", ("../../table.csv",)),
        (("python", "bots/ada"), "bots/ada", (".",)),
        (("/usr/bin/env", "python", "bots/ada/bot.py"), "bots/ada", ("python", "bot.py")),
        (("python", "-m", "bots.ada.bot", "table.csv"), "", ("-m", "bots.ada.bot", "table.csv")),
        (("python", "-c", "pass"), "", ("-c", "pass")),
        (("python", "bots/none.py"), "", ("bots/none.py",)),
        (("venv/bin/python3.11", "bots/ada/bot.py"), "bots/ada", ("bot.py",)),
    ],
)
def test_a_command_is_run_in_the_folder_of_its_file(
    folder: Path, command: tuple[str, ...], own: str, words: tuple[str, ...]
) -> None:
    entry = Site(folder, folder).entry(BotSpec("ada", command))
    assert entry.command is not None
    assert (entry.own_folder, entry.command[1:]) == (own, words)


def test_a_file_of_another_folder_is_run_there(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    place = tmp_path_factory.mktemp("contest")
    entry = Site(place, place).entry(BotSpec("bob", ("python", str(folder / "bob.py"))))
    assert (entry.own_folder, entry.command and entry.command[1:]) == (str(folder), (str(folder / "bob.py"),))


def test_an_outcome_comes_out_of_another_process_as_it_went_in() -> None:
    blocks = (DealResult((840, -840), (32, -32)),)
    seats = (SeatResult("ada", 840, 1, 1, 0, 2, 0, 0, (("R6.4", 2),)), SeatResult("bob", -840, 2, 0, 1, 0, 1, 1))
    faults, timings = (SeatFault(1, Fault.LATE, 1),), (SeatTiming(3, 1.5, 0.5), SeatTiming(2, 2.5, 2.0, cpu_ms=4.0))
    sent = MatchOutcome(MatchResult("m0001", 1, seats, 840, blocks), faults, pack('{"é": "🂡"}\n'), timings, Level.BWRAP)
    got = pickle.loads(pickle.dumps(sent))
    assert (got, got.record) == (sent, '{"é": "🂡"}\n')
    assert got.packed
    assert got.packed.sha256 == sha256(sent.record.encode()).digest()
    assert replace(sent, packed=None).record == ""


def test_a_result_that_cannot_be_is_refused_in_another_process_too() -> None:
    class Lie(MatchResult):
        """A result whose chips are changed on the way."""

        def __reduce__(self) -> Any:
            return MatchResult, (self.match, self.deals, tuple(replace(seat, chips=1) for seat in self.seats))

    sent = pickle.dumps(Lie("m0001", 1, match({"ada": 0, "bob": 0}).seats))
    with pytest.raises(ValueError, match="add up to 2"):
        pickle.loads(sent)
