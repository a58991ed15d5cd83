"""`bourre play --terminal`: a whole game by what a person types."""

from __future__ import annotations

import io
import re
from functools import partial
from pathlib import Path

import pytest

from bourre.record import Record, read
from bourre_referee.contest.isolation_choice import choose_isolation
from bourre_referee.evaluation import person_game
from tests.referee.command import Ended, called

ALWAYS = "in\n?\n1\n2\n3\n4\n5\n"
"""Plays every deal: what does not answer the question is refused, and the next line is tried."""


def played(monkeypatch: pytest.MonkeyPatch, typed: str, *words: object, against: str = "tight,counter") -> Ended:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return called("play", "--terminal", "--against", against, "--seed", 6, *words)


@pytest.fixture(scope="module")
def guided(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ended, Record]:
    """How a game of three deals with explanations ended, and its record."""
    file = tmp_path_factory.mktemp("guided") / "game.jsonl"
    with pytest.MonkeyPatch.context() as monkeypatch:
        ended = played(monkeypatch, ALWAYS * 60, "--deals", 3, "--guide", "--record", file)
    return ended, read(file.read_text())


def test_a_game_by_typed_lines_ends_with_the_chips_of_its_record(guided: tuple[Ended, Record]) -> None:
    ended, record = guided
    assert ended.code == 0
    assert record.header.bots == ("you", "tight", "counter")
    shown = dict(re.findall(r"^(You|Tight|Counter) +([+-]\d+)$", ended.out, re.MULTILINE))
    assert [int(shown[name]) for name in ("You", "Tight", "Counter")] == list(record.final)
    assert f"you end with {record.final[0]:+d}." in ended.out
    assert "--seed 6" in ended.err
    legal = [line for line in ended.out.splitlines() if line.startswith("Legal: ")]
    assert any("," not in line for line in legal), "a card that is the only legal one is asked for all the same"


def test_the_same_cards_new_ones_and_other_opponents_follow_until_the_person_leaves(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "game.jsonl"
    monkeypatch.setattr("secrets.randbelow", lambda below: 4)  # if all others passed, nothing would be asked
    typed = "pass\nsame\npass\nnonsense\nnew\npass\nseat\npass\ntable\npass\nleave\n"
    ended = played(monkeypatch, typed, "--deals", 1, "--record", file, against="tight")
    records = [
        read((tmp_path / name).read_text()) for name in ("game.jsonl", *(f"game-{n}.jsonl" for n in (2, 3, 4, 5)))
    ]
    assert ended.code == 0
    assert records[0].deals == records[1].deals
    assert records[0].deals[0].dealt != records[2].deals[0].dealt
    assert records[2].deals[0].dealt == records[3].deals[0].dealt
    line_ups = [("you", "tight")] * 3 + [("tight", "you"), ("you", "loose")]
    assert [record.header.bots for record in records] == line_ups
    offers = (
        "`same` deals the same cards again, `seat` deals you those of the next seat, `new` deals new cards, "
        "`table` seats other opponents, and `leave` ends it."
    )
    assert ended.out.count(offers) == 5 + 1, "after each game, and after nonsense"
    assert "--against loose --rules limit --deals 1 --seed " in ended.err


def test_a_renege_is_explained_and_may_be_corrected(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = played(monkeypatch, "in\n5H\nJC\nquit\n", "--deals", 1)
    told = ended.out
    assert "You renege with the five of hearts: R5.4, without the suit led, play a trump" in told
    assert "You may correct it once" in told
    assert "You take the five of hearts back: cannot win this pot" in told
    assert told.index("You take the five") < told.index("You play the jack of clubs")
    assert ended.code == 130


def test_an_answer_is_taken_back_and_the_same_cards_are_dealt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    told = played(monkeypatch, "back\nin\n5H\nback\nJC\nback\nback\npass\n", "--deals", 1, "--record", file).out
    assert "There is no answer of yours to take back now." in told
    assert told.count("You take your last answer back.") == 3
    assert told.count("Deal 1: you deal.") == 1
    last = told.rsplit("You take your last answer back.", 1)[1]
    assert "Do you play this deal for 3 chips, or pass?" in last
    assert "You pass." in last
    record = read(file.read_text())
    assert [str(action) for seat, action in record.deals[0].actions if seat == 0] == ["pass"]


def test_hints_tell_the_legal_cards_and_what_each_choice_is_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    told = played(monkeypatch, "?\nin\nlegal\n?\n", "--deals", 1).out
    assert "Pass: +0.0 chips on average." in told
    assert "Legal: the jack of clubs, ace of clubs." in told
    assert "Averages over 200 sampled deals" in told


def test_each_rule_is_explained_once(guided: tuple[Ended, Record]) -> None:
    told = guided[0].out
    rules = [line.split("]")[0] for line in told.splitlines() if line.startswith("  [R")]
    assert {"  [R2.1", "  [R3.1", "  [R4.1", "  [R5.4"} <= set(rules)
    assert len(rules) == len(set(rules))


def test_a_game_without_a_person_keeps_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    ended = played(monkeypatch, "", "--record", file)
    assert (ended.code, file.exists()) == (130, False)
    assert "Nothing is kept" in ended.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--against", "tihgt"], "Did you mean 'tight'"),
        (["--rules", "pagta"], "Did you mean 'pagat'"),
        (["--against", ",".join(["tight"] * 8)], "2 to 8"),
    ],
)
def test_a_wrong_word_is_named_before_the_first_card(words: list[str], why: str) -> None:
    ended = called("play", *words)
    assert ended.code == 2
    assert why in ended.err


def test_bots_that_have_no_box_are_told_of_once(monkeypatch: pytest.MonkeyPatch) -> None:
    no_box = partial(choose_isolation, probe=lambda *_: "no boxes on Mondays")
    monkeypatch.setattr(person_game, "choose_isolation", no_box)
    ended = played(monkeypatch, "in\n5H\nback\nquit\n", "--deals", 1)
    assert ended.err.count("no boxes on Mondays") == 1
