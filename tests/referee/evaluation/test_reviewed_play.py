"""Which decisions of a bot are reviewed, and how the review is written, in words and as JSON."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from bourre import Bot, View
from bourre.practice import practice, practice_duplicate
from bourre.record import RecordedAsk, asks, read
from bourre.rules.actions import Choice, Declare, Draw, Play
from bourre.rules.cards import Card, parse_cards
from bourre.rules.house import HouseRules
from bourre.testing import view
from bourre_lab.review import LIMITS, ReviewedDecision
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.evaluation.review.review_text import review_json, review_lines
from bourre_referee.evaluation.review.reviewed_play import Review, review_records

FIVE = "hand='AS KH 2C 3C 4C' trump=S pot=9 seats=4"


def test_the_first_deals_of_a_bot_are_reviewed_and_each_seating_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six deals of matches of four: all of the first match, two of the second, and the third is not read."""
    monkeypatch.setattr("bourre_lab.review.review_decisions", list)
    sessions = [read(match.record) for match in practice(("tight", "loose", "counter"), 4, 3, matches=3).matches]
    review = review_records(iter(sessions), "loose", 6)
    expected = [
        ask
        for record, most in zip(sessions, (4, 2), strict=False)
        for ask in asks(record, record.header.bots.index("loose"))
        if ask.view.deal <= most
    ]
    assert (review.bot, review.deals, review.records) == ("loose", 6, tuple(sessions[:2]))
    assert [one.ask for one in review.decisions] == expected
    duplicate = read(practice_duplicate(("tight", "loose", "counter"), 3, seatings, 3))
    found = review_records([duplicate], "counter", 5)
    first = {(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)}
    expected = [ask for ask in asks(duplicate, 2) if (ask.view.deal, ask.seating) in first]
    assert (found.deals, [one.ask for one in found.decisions]) == (5, expected)
    assert len({ask.seating for ask in expected}) > 1
    assert review_records([duplicate], "nobody", 3).deals == 0


def judged(line: str, said: Choice, better: Choice, cost: float, seating: int | None = None) -> ReviewedDecision:
    """A decision in this view, judged with a standard error of a quarter of a chip."""
    ask = RecordedAsk(3, seating, view(line), (), said, None, 9)
    return ReviewedDecision("m0002", ask, better, cost, 0.25, 128, 0.0, cost, 0.25)


REVIEW = Review(
    "\x1b[2Jada",
    50,
    (
        judged(f"declare {FIVE}", Declare(False), Declare(True, parse_cards("2C 3C")), 3.0),
        judged(f"draw {FIVE}", Draw(parse_cards("2C"), True), Draw(), 0.12345),
        judged("play hand='AS KH 2C' trick=QH trump=S pot=9 seats=4", Play(Card("KH")), Play(Card("AS")), 5.0, 2),
    ),
    (),
    LIMITS,
)


def test_a_review_is_written_with_its_worst_mistakes() -> None:
    assert list(review_lines(REVIEW, 2)) == [
        "\\x1b[2Jada: 3 decisions in 50 deals, mistakes: 2",
        "",
        "kind       decisions  mistakes   lost per 100 deals against the champion's choices",
        "entry              1         1   6.0 ± 0.5",
        "draw               1         0   0.2 ± 0.5",
        "follow             1         1   10.0 ± 0.5",
        "",
        "The worst 2:",
        "",
        "1. m0002, deal 1, seating 2",
        "   hand 2C KH AS, trumps spades, pot 9",
        "   place 2 from the dealer's left at 4 seats, others: 3 in, tricks: 0 of 2",
        "   on the table QH, led by place 1 from the dealer's left",
        "   it chose to play KH",
        "   to play AS brings 5.0 ± 0.2 chips more",
        "",
        "2. m0002, deal 1",
        "   hand 2C 3C 4C KH AS, trumps spades, pot 9",
        "   place 1 from the dealer's left at 4 seats, others: 3 to declare",
        "   it chose to pass",
        "   to play, exchanging 2C 3C brings 3.0 ± 0.2 chips more",
        "",
        *LIMITS,
    ]
    assert list(review_lines(REVIEW, 1))[6:10] == ["", "The worst:", "", "1. m0002, deal 1, seating 2"]


class Raising(Bot):
    """Never answers."""

    def declare(self, view: View) -> bool:
        raise ValueError


def test_a_review_warns_of_what_it_cannot_judge_and_where_the_champion_is_weak() -> None:
    """The rarely trained table, the decisions left out with the reasons, and a mistake that the champion would make."""
    indiana = HouseRules.preset("indiana")
    (session,) = practice(("tight", "loose"), 3, 3, house=indiana).matches
    (weak,) = review_records([read(session.record)], "loose", 3).warnings
    assert weak == (
        "The champion hardly trained for this table, so trust it less: of its deals, 2% had these house rules, "
        "4% had 2 seats."
    )
    (ordinary,) = practice({"late": Raising, "loose": "loose", "counter": "counter"}, 6, 3, strict=False).matches
    (left_out,) = review_records([read(ordinary.record)], "late", 6).warnings
    assert re.fullmatch(r"Not judged: (\d+) of \1 decisions \(\1 without a legal answer\)\.", left_out)
    doubtful = replace(
        REVIEW, warnings=(weak,), decisions=tuple(replace(one, defended=True) for one in REVIEW.decisions)
    )
    lines = list(review_lines(doubtful, 2))
    assert lines[1] == weak
    assert lines[16] == "   doubtful: without sampled deals, the champion would choose like the bot"
    document = json.loads(review_json(doubtful))
    assert (document["warnings"], [one["doubtful"] for one in document["decisions"]]) == ([weak], [True, False, True])


def test_the_document_of_a_review_holds_every_decision() -> None:
    document = json.loads(review_json(REVIEW))
    assert (document["bot"], document["deals"], document["limits"]) == ("\x1b[2Jada", 50, list(LIMITS))
    assert [tuple(one.values()) for one in document["kinds"]] == [
        ("entry", 1, 1, 3.0, 0.25),
        ("draw", 1, 0, 0.1235, 0.25),
        ("follow", 1, 1, 5.0, 0.25),
    ]
    keys = "match deal seating ask decision hand pot chosen better cost error samples lost lost_error mistake doubtful"
    assert {tuple(one) for one in document["decisions"]} == {tuple(keys.split())}
    assert [tuple(one.values())[2:] for one in document["decisions"]] == [
        (None, 3, "declare", "2C 3C 4C KH AS", 9, "pass", "in 2C 3C", 3.0, 0.25, 128, 3.0, 0.25, True, False),
        (None, 3, "draw", "2C 3C 4C KH AS", 9, "draw 2C take", "draw", 0.1235, 0.25, 128, 0.1235, 0.25, False, False),
        (2, 3, "play", "2C KH AS", 9, "KH", "AS", 5.0, 0.25, 128, 5.0, 0.25, True, False),
    ]
