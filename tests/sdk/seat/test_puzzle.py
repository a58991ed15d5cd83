"""A recorded decision as a puzzle: it shows what its seat knew and no more, and then what the bot did."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from bourre.record import DealRecord, RecordedAsk, asks, read
from bourre.rules.actions import Declare, Missing, Play, Recall
from bourre.rules.cards import Card, parse_cards
from bourre.rules.house import HouseRules
from bourre.rules.view import View
from bourre.testing import view
from bourre.words.table_words import card_name
from bourre.words.table_words.picture import picture_of
from bourre_seats.seat.hints import Hint, HintEstimate, give_hint
from bourre_seats.seat.puzzle import Puzzle, answer_words, said_words, solve
from bourre_seats.seat.sitting import SeatMoment, Sitting
from bourre_seats.seat.verdict import choice_lines, judge_answer
from tests.sdk.recorded import header, recorded
from tests.sdk.seat.test_picture import shown

NAMES = ("ada", "tight", "loose", "counter")
Answer = Callable[[View], str]


def first_legal(asked: View) -> str:
    """Passes, keeps every card, or plays the first legal card."""
    words = {"declare": "pass", "draw": "draw", "stay": "stay", "name_trump": "trump S"}
    return words.get(str(asked.decision)) or str(asked.legal[0])


def solved(puzzle: Puzzle, answer: Answer = first_legal) -> list[SeatMoment]:
    """What a person is shown who answers like this."""

    async def run() -> list[SeatMoment]:
        sitting = Sitting(NAMES)
        game = asyncio.ensure_future(solve(puzzle, sitting, samples=2))
        while not game.done():
            if sitting.interlude.offers:
                assert (sitting.interlude.offers, sitting.interlude.replay) == (("next", "leave"), "")
                sitting.interlude.wish("next")
            if question := sitting.question:
                before = next((moment for moment in reversed(sitting.moments) if moment.kind != "answer"), None)
                assert before is None or shown(before.picture) == shown(picture_of(question.view))
                sitting.desk.answer(question.number, answer(question.view))
            await asyncio.sleep(0)
        assert await game
        return list(sitting.moments)

    return asyncio.run(run())


def hidden_from(seat: int, deal: DealRecord) -> set[Card]:
    """The cards of other seats that were never shown to this one."""
    others = {card for number in range(len(deal.dealt)) if number != seat for card in deal.dealt[number]}
    others |= {card for number in range(len(deal.received)) if number != seat for card in deal.received[number]}
    played = {action.card for _, action in deal.actions if isinstance(action, Play | Recall)}
    own = {*deal.dealt[seat], *deal.received[seat]}
    return others - played - own - ({deal.turned} if deal.turned else set())


@pytest.mark.parametrize("preset", ["limit", "indiana", "nba", "separate_dealer_option"])
def test_a_puzzle_shows_what_its_seat_knew_and_names_no_other_card(preset: str) -> None:
    record = read(recorded(header(4, 3, house=HouseRules.preset(preset)), dice=3, mischief=0)[0])
    asked = list(asks(record, 1))
    number = max(range(1, 4), key=lambda one: sum(ask.view.deal == one for ask in asked))
    here = [ask for ask in asked if ask.view.deal <= number]
    moments = solved(Puzzle(here, number, None, {}))
    answers = [moment for moment in moments if moment.kind == "answer"]
    assert len(answers) == sum(ask.view.deal == number for ask in here) > 1
    told = " ".join(moment.text for moment in moments)
    hidden = hidden_from(1, record.deals[number - 1])
    assert len(hidden) > 3
    assert [str(card) for card in hidden if card_name(card) in told] == []


def test_one_ask_is_one_question_after_all_that_came_before() -> None:
    record = read(recorded(header(4, 6), dice=3, mischief=0)[0])
    last = [ask for ask in asks(record, 2) if ask.view.decision == "play"][-1]
    here = [ask for ask in asks(record, 2) if (ask.view.deal, ask.number) <= (last.view.deal, last.number)]
    moments = solved(Puzzle(here, last.view.deal, last.number, {last.place: ("I count", "trumps")}))
    assert [moment.kind for moment in moments].count("answer") == 1
    assert moments[0].text.startswith(f"Deal {last.view.deal}:")
    assert moments[-1].text.endswith("Its note: I count trumps")
    assert "Loose" in moments[-1].text


def one_ask(asked: View, action: Play | Declare | Missing, recall: Recall | None = None) -> RecordedAsk:
    return RecordedAsk(1, None, asked, (), action, recall, 1)


def test_a_card_against_the_rules_is_explained_and_asked_again() -> None:
    asked = view("play hand='AS KH 6H' trick=QH trump=S")
    tried = iter(("AS", "KH"))
    told = solved(Puzzle([one_ask(asked, Play(Card("KH")))], asked.deal, 1, {}), lambda _: next(tried))
    assert told[0].text.startswith("The ace of spades would break R5.2, ")
    assert told[-1].text.endswith("agree: “Play the king of hearts”.")


def test_the_answers_stand_beside_each_other() -> None:
    asked = view("declare hand='AS KS QS 3D 2C' trump=S")
    told = answer_words(one_ask(asked, Declare(False)), Declare(True), "Tight")
    assert told == "You: “Play”. Tight: “Pass”."
    recalled = one_ask(asked, Play(Card("2C")), Recall(Card("AS")))
    assert said_words(recalled, "Tight", ["I", "count"]) == (
        "Tight then took the card back and played the ace of spades. Its note: I count"
    )


@pytest.mark.parametrize(
    ("own", "right", "heading"),
    [
        (Declare(True, parse_cards("3D 2C")), True, "Best by 1.5 chips"),
        (Declare(True), True, "Best by 1.5 chips"),
        (Declare(False), False, "It costs 2.5 chips"),
    ],
)
def test_a_verdict_knows_what_is_as_good_as_the_best(own: Declare, right: bool, heading: str) -> None:
    exchanging = Declare(True, parse_cards("2C 3D"))
    hint = Hint(
        (),
        (
            HintEstimate(exchanging, 2.5),
            HintEstimate(Declare(True), 2.25, lag=0.25, error=0.2),
            HintEstimate(Declare(True, parse_cards("2C")), 1.0, lag=1.5, error=0.3),
            HintEstimate(Declare(False), 0.0, lag=2.5, error=0.5),
        ),
        200,
    )
    verdict = judge_answer(hint, own, {"Tight": exchanging}, "")
    assert (verdict.right, verdict.heading) == (right, heading)
    assert next(one for one in verdict.choices if "Tight" in one.others).words == "play, exchanging 2♣ 3♦"
    assert [one.yours for one in verdict.choices].count(True) == 1
    lines = list(choice_lines(verdict))
    assert lines[1].startswith("    +2.2 play (-0.2 ± 0.2)")
    assert "Tight" in lines[0]


def test_a_choice_that_nobody_would_make_is_judged_too() -> None:
    asked = view("declare hand='AS KS QS 3D 2C' trump=S")
    odd = Declare(True, parse_cards("QS KS AS"))
    hint = give_hint(asked, 64, [odd])
    judged = {one.choice: one for one in hint.estimates}
    assert judged[odd].lag > 1 > judged[odd].error > 0
    assert hint.estimates[0].is_best
    assert not judged[odd].is_best
