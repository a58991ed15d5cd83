"""What a person at a seat is shown, also by the page as data, and what its bot does without asking."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from bourre.rules.actions import Play
from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.events import AntePaid, DealStarted, HandDealt, MatchEnded, TrumpTurned
from bourre.rules.house import HouseRules
from bourre.rules.view import View
from bourre.testing import view
from bourre.words.table_words.deal_lines import MatchLog
from bourre.words.table_words.deal_story import begin_match, follow
from bourre_seats.seat.guide import LESSONS
from bourre_seats.seat.hints import Hint, HintEstimate
from bourre_seats.seat.page_data import hint_json, news_json
from bourre_seats.seat.sitting import PersonBot, Sitting

FIVE = "hand='AS KH 2C 3C 4C' trump=S"


def news_of(sitting: Sitting, asked: View, after: int = 0, reneged: Card | None = None) -> Any:
    """What a page learns that knows the moments up to this number, while this is asked."""

    async def run() -> bytes:
        reply = asyncio.ensure_future(sitting.desk.ask(asked, MatchLog(), reneged))
        await asyncio.sleep(0)
        first, again = (news_json(sitting, after) for _ in range(2))
        assert first == again
        reply.cancel()
        await asyncio.gather(reply, return_exceptions=True)
        return first

    return json.loads(asyncio.run(run()))


def test_a_page_learns_everything_of_the_question() -> None:
    sitting = Sitting(["ada", "monte_carlo"], guided=True)
    sitting.desk.begin("Playing.")
    dealer = view(f"declare {FIVE} preset=separate_dealer_option dealer=0 pot=7 balances='-1 -2 -2 -2'")
    news = news_of(sitting, dealer)
    table = news["question"].pop("table")
    assert table == {
        "deal": 1,
        "dealer": 0,
        "you": 0,
        "pot": 7,
        "trump": "S",
        "turned": "2S",
        "seats": [
            {"state": "", "drew": None, "tricks": 0, "chips": -1, "barred": False},
            *[{"state": "in", "drew": 2, "tricks": 0, "chips": -2, "barred": False}] * 3,
        ],
        "hand": ["AS", "KH", "4C", "3C", "2C"],
        "trick": [],
        "winner": None,
    }
    assert news["question"] == {
        "number": 1,
        "asks": "declare",
        "text": "Do you play this deal for 7 chips, or pass? "
        "If you play, choose the cards that you exchange, at most 5.",
        "warning": "",
        "wrong": "",
        "exchanges": 5,
        "takes": "2S",
        "seconds": None,
        "lessons": [[rule, LESSONS[rule]] for rule in ("R3.2", "R4.1", "R4.3")],
        "deals": 50,
    }
    whole = {key: news[key] for key in ("moments", "may_take_back", "over", "status", "names")}
    names = ["Ada", "Monte Carlo"]
    assert whole == {"moments": [], "may_take_back": False, "over": False, "status": "Playing.", "names": names}
    correcting = view("play hand='AS KH 2C' trick=QH trump=S correcting='2C R5.2 4'")
    asked = news_of(sitting, correcting)["question"]
    known = [asked[key] for key in ("number", "asks", "wrong", "exchanges", "takes", "lessons")]
    assert known == [2, "play", "2C", 0, "", [["R5.2", LESSONS["R5.2"]]]]
    assert asked["table"]["trick"] == [[3, "QH"]]
    silent = view("play hand='AS KH 2C' trick=QH trump=S renege_policy=silent")
    asked = news_of(sitting, silent, reneged=Card("2C"))["question"]
    assert [asked[key] for key in ("number", "asks", "lessons")] == [3, "recall", []]
    stays = news_of(sitting, view(f"draw {FIVE} preset=bicycle max_discards=3"))["question"]
    assert [stays["asks"], stays["exchanges"], stays["takes"]] == ["draw", 3, ""]


def test_a_page_learns_the_moments_that_it_does_not_know() -> None:
    sitting = Sitting(guided=True)
    story = begin_match(2, HouseRules())
    for event in (DealStarted(1, 1), AntePaid(0, 1), TrumpTurned(Card("QS"), Suit.S)):
        story = follow(story, event)
        sitting.tell(event, story, 0)
    sitting.finish("Goodbye.")
    news = json.loads(news_json(sitting, 1))
    assert [(moment["number"], moment["kind"], moment["text"]) for moment in news["moments"]] == [
        (2, "", "You pay an ante of 1."),
        (3, "", "The queen of spades is turned up: spades are trumps."),
    ]
    assert [moment["lessons"] for moment in news["moments"]] == [[["R2.1", LESSONS["R2.1"]]], []]
    seat = {"state": "", "drew": None, "tricks": 0, "chips": 0, "barred": False}
    assert news["moments"][1]["table"] == {
        "deal": 1,
        "dealer": 1,
        "you": 0,
        "pot": 1,
        "trump": "S",
        "turned": "QS",
        "seats": [seat | {"chips": -1}, seat],
        "hand": [],
        "trick": [],
        "winner": None,
    }
    assert (news["over"], news["status"], news["question"]) == (True, "Goodbye.", None)


def test_a_hint_is_sent_with_its_legal_cards_and_lines() -> None:
    hint = Hint(parse_cards("KH AS"), (HintEstimate(Play(Card("KH")), 1.25),), 40)
    assert json.loads(hint_json(hint)) == {
        "legal": ["KH", "AS"],
        "lines": [
            "Legal: the king of hearts, ace of spades.",
            "Play the king of hearts: +1.2 chips on average.",
            "Averages over 40 sampled deals. Everyone then leads high and wins cheaply.",
        ],
    }


def test_a_person_is_shown_the_start_once_its_first_question_tells_its_seat() -> None:
    sitting = Sitting(["you", "tight"])
    bot = type("Person", (PersonBot,), {"desk": sitting.desk, "sitting": sitting})()
    begun = (DealStarted(1, 1), AntePaid(0, 1), HandDealt(1, None), HandDealt(0, parse_cards("2C KH")))
    for event in begun:
        bot.on_event(event)
    assert list(sitting.moments) == []

    async def ask() -> None:
        sitting.desk.begin("Playing.")
        asked = asyncio.ensure_future(bot.stay(view("stay hand='2C KH 3C 4C' trump=S preset=indiana seats=2 seat=0")))
        while sitting.question is None:
            await asyncio.sleep(0)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)

    asyncio.run(ask())
    bot.on_event(AntePaid(1, 1))
    assert [moment.text for moment in sitting.moments] == [
        "Deal 1: Tight deals.",
        "You pay an ante of 1.",
        "You are dealt the two of clubs, king of hearts.",
        "Tight pays a second ante of 1.",
    ]
    last = sitting.moments[-1]
    assert (last.you, last.picture.pot) == (0, 2)
    assert [(seat.hand, seat.chips) for seat in last.picture.seats] == [(parse_cards("2C KH"), -1), ((), -1)]
    assert asyncio.run(bot.play(view("play hand=KH trick=QH trump=S"))) == Card("KH")


def test_a_person_who_is_asked_nothing_is_told_at_the_end_of_the_match() -> None:
    sitting = Sitting(["you", "tight"])
    bot = type("Person", (PersonBot,), {"desk": sitting.desk, "sitting": sitting})()
    for event in (DealStarted(1, 1), HandDealt(1, parse_cards("2C KH")), MatchEnded((-1, 1))):
        bot.on_event(event)
    bot.on_match_end((-1, 1))
    assert [(moment.you, moment.text) for moment in sitting.moments] == [
        (1, "Deal 1: you deal."),
        (1, "You are dealt the two of clubs, king of hearts."),
        (1, "The game is over: you end with +1."),
    ]
