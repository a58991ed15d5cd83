"""`bourre run --plan`: what it prints, and what it refuses."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from bourre.rules.deck import derive, master_seed
from bourre_referee.contest.schedule import measure_balance, round_robin
from tests.referee.command import Bourre, called


@pytest.fixture
def bourre(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bourre:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return called


@pytest.mark.parametrize(
    ("words", "matches"), [(("--rounds", 2), 12), ((), 30), (("--tables", 8), 8), (("--seed", 9), 30)]
)
def test_the_document_holds_matches_and_their_balance(bourre: Bourre, words: tuple[object, ...], matches: int) -> None:
    ended = bourre("run", "--plan", "--bots", 6, "--seats", 4, *words, "--json")
    assert (ended.code, ended.err) == (0, "")
    document = json.loads(ended.out)
    line_ups = [tuple(int(name[1:]) - 1 for name in match["seats"]) for match in document["matches"]]
    balance = measure_balance(line_ups, 6, 4)
    assert len(line_ups) == matches
    assert document["balance"] == {
        "seat_spread": balance.seat,
        "pair_spread": balance.pair,
        "left_neighbour_spread": balance.neighbour,
    }


def test_it_is_the_schedule_of_a_contest_with_this_seed(bourre: Bourre) -> None:
    document = json.loads(bourre("run", "--plan", "--bots", 5, "--seats", 3, "--seed", 11, "--json").out)
    played = round_robin(5, 3, None, derive(master_seed(11), "schedule")).line_ups
    assert document["matches"] == [{"seats": [f"b{bot + 1}" for bot in line_up]} for line_up in played]


def test_the_summary_says_how_even_it_is(bourre: Bourre) -> None:
    lines = bourre("run", "--plan", "--bots", 5, "--seats", 3, "--rounds", 1).out.splitlines()
    assert lines[:3] == [
        "5 matches of 5 bots at tables of 3: 1 round",
        "seats: every bot sits equally often in every seat",
        "meetings: every two bots meet equally often (or 1 more), and as left neighbours (or 2 more)",
    ]
    assert [line.split()[0] for line in lines[3:]] == ["1", "2", "3", "4", "5"]
    assert all(len({*line.split()[1:]}) == 3 for line in lines[3:])


def test_a_difference_of_two_is_owned(bourre: Bourre) -> None:
    said = bourre("run", "--plan", "--bots", 6, "--seats", 3).out.splitlines()[2]
    assert "every two bots meet equally often (or 2 more), the smallest difference found, " in said


def test_tables_beyond_whole_rounds_are_told(bourre: Bourre) -> None:
    first, second, *_ = bourre("run", "--plan", "--bots", 5, "--seats", 3, "--tables", 12).out.splitlines()
    assert first == "12 matches of 5 bots at tables of 3: 2 rounds and 2 tables"
    assert second == "seats: every bot sits equally often in every seat (or 1 more)"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--bots", 3, "--seats", 4), "3 bots cannot fill a table of 4."),
        (("--bots", 1, "--seats", 2), "1 bots cannot fill a table of 2."),
        (("--bots", -1, "--seats", 2), "-1 bots cannot fill a table of 2."),
        (("--bots", 12, "--seats", 9), "a table has 2 to 8 seats, not 9"),
        (("--bots", 5, "--seats", 3, "--rounds", 0), "a schedule has 1 or more rounds, not 0"),
        (("--bots", 5, "--seats", 3, "--tables", 0), "a schedule has 1 or more tables, not 0"),
        (("--bots", 5, "--seats", 3, "--tables", 1, "--rounds", 1), "--rounds and --tables exclude each other."),
        (("--bots", 1001, "--seats", 3, "--tables", 1), "The limits are 1000 bots and 1000000 matches."),
        (("--bots", 5, "--seats", 3, "--rounds", 10**9), "The limits are 1000 bots and 1000000 matches."),
    ],
)
def test_what_cannot_be_is_refused_in_words(bourre: Bourre, words: tuple[object, ...], says: str) -> None:
    ended = bourre("run", "--plan", *words)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"bourre: {says}")
    assert ended.err.count("\n") <= 2


def test_the_same_words_give_the_same_bytes(bourre: Bourre, tmp_path: Path) -> None:
    words = ("run", "--plan", "--bots", 15, "--seats", 4)
    said = [bourre(*words).out for _ in range(2)]
    assert len(list(tmp_path.rglob("schedules-*/*"))) == 1
    assert all(one == other for one, other in pairwise(said))
