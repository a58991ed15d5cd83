"""What is repeated after an answer was taken back, and where the repetition ends."""

from __future__ import annotations

from bourre.rules.actions import Play
from bourre.rules.cards import Card
from bourre.rules.view import View
from bourre.testing import view
from bourre_seats.question_queue.question import Reply
from bourre_seats.seat.take_back import Given, GivenAnswers

LED, FOLLOWED, THIRD = (view(f"play hand='AS KH 6H' trick={led} trump=S") for led in ("QH", "JH", "TH"))


def given(*views: View) -> list[Given]:
    return [
        Given(asked, None, Reply(Play(card))) for asked, card in zip(views, map(Card, ("KH", "6H", "AS")), strict=False)
    ]


def test_all_answers_but_the_last_are_repeated_once() -> None:
    answers = GivenAnswers(given(LED, FOLLOWED, THIRD))
    answers.go_back()
    assert answers.goes_back
    assert answers.repeat(LED, None) == Reply(Play(Card("KH")))
    assert answers.repeat(FOLLOWED, None) == Reply(Play(Card("6H")))
    assert answers.repeat(THIRD, None) is None


def test_the_repetition_ends_where_the_game_goes_otherwise() -> None:
    answers = GivenAnswers(given(LED, FOLLOWED, THIRD))
    answers.go_back()
    assert answers.repeat(THIRD, None) is None
    assert answers.repeat(FOLLOWED, None) is None
    answers = GivenAnswers(given(LED, FOLLOWED))
    answers.go_back()
    assert answers.repeat(LED, Card("AS")) is None


def test_an_answer_that_was_repeated_can_be_taken_back_as_well() -> None:
    answers = GivenAnswers(given(LED, FOLLOWED))
    answers.go_back()
    reply = answers.repeat(LED, None)
    assert reply is not None
    answers.given.append(Given(LED, None, reply))
    answers.go_back()
    assert answers.repeat(LED, None) is None
