"""Deals under house rules in words: every way to find trumps, to come in, and to renege."""

from random import Random

import pytest

from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.deck import SeededChance
from bourre.rules.events import (
    AntePaid,
    CardDrawn,
    CardPlayed,
    DealEnded,
    DealStarted,
    Declared,
    Drew,
    Event,
    HandDealt,
    Penalized,
    PotCarried,
    PotTaken,
    RenegeCorrected,
    Reneged,
    RenegeRetracted,
    Stayed,
    TrickReopened,
    TrickTaken,
    TrumpNamed,
    TrumpTurned,
    TurnedReturned,
    TurnedTaken,
)
from bourre.rules.house import CHOICES, PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.words.table_words.deal_story import begin_match, tell_story
from bourre.words.table_words.readers import Reader
from bourre.words.table_words.story_parts import TrickStory
from bourre_referee.text.narration.deal_text import lines_of
from bourre_referee.text.narration.events_by_deal import EventText, event_text, session_deals, story_of
from tests.referee.replayed_steps import steps_of
from tests.sdk.random_answers import play_randomly

BOTS = ("tight", "loose", "random")
HANDS = ("2C 3C JC 5H AS", "2S 3S 4D 5D 6D", "2H 3H KH 5S KS")


def told(events: list[Event], **keys: object) -> str:
    deals = session_deals(steps_of(events), BOTS, HouseRules.preset("pagat", **keys))
    return "".join(f"{line}\n" for line in lines_of(deals, 2))


def begun(*antes: AntePaid) -> list[Event]:
    """Seat 0 deals; all pay 1 unless these antes are given."""
    paid = antes or tuple(AntePaid(seat, 1) for seat in range(3))
    dealt = [HandDealt(seat, parse_cards(HANDS[seat])) for seat in (1, 2, 0)]
    return [DealStarted(1, 0), *paid, *dealt]


IN: list[Event] = [Declared(seat, True) for seat in (1, 2, 0)]
PAT: list[Event] = [Drew(seat, 0, (), ()) for seat in (1, 2, 0)]
TURNED = TrumpTurned(Card("QS"), Suit.S)


DRAWN: list[Event] = [CardDrawn(seat, Card(card)) for seat, card in ((0, "2C"), (1, "2H"), (2, "9S"), (0, "3C"))]
TAKEN = TurnedTaken(0, Card("QS"))
OTHERS_PAT: list[Event] = [*begun(), TURNED, *IN, *PAT[:2]]
NOBODY: list[Event] = [
    Declared(1, False, obliged=True),
    Declared(2, False),
    Declared(0, False, obliged=True),
    PotCarried(3, (), played=False),
    DealEnded(1, (-1, -1, -1), 3),
]
STAYS: list[Event] = [Stayed(1, True), AntePaid(1, 1), Stayed(2, False), Stayed(0, False), PotTaken(1, 4)]


def trick(winner: int, number: int, *cards: str) -> list[Event]:
    """A trick: cards such as `1 KS`, in order, and its winner."""
    return [*(CardPlayed(int(text[0]), Card(text[2:])) for text in cards), TrickTaken(winner, number)]


FIRST = trick(0, 1, "1 2S", "2 5S", "0 AS")


@pytest.mark.parametrize(
    ("keys", "events", "words"),
    [
        ({}, [*begun(), TURNED], ["\nQS is turned up: spades are trumps\n"]),
        (
            {"trump_card": "separate_dead"},
            [*begun(), TURNED],
            ["\nQS is turned up, nobody's card: spades are trumps\n"],
        ),
        (
            {"trump_card": "separate_dealer_option"},
            [*begun(), TURNED],
            ["\nQS is turned up, for the dealer to take: spades are trumps\n"],
        ),
        (
            {"trump_card": "separate_returned"},
            [*begun(), TURNED, TurnedReturned(Card("QS"))],
            ["\nQS is turned up and shuffled back: spades are trumps\n"],
        ),
        ({"trump_card": "dealer_chooses"}, [*begun(), TrumpNamed(0, Suit.S)], ["\ntight names spades as trumps\n"]),
        (
            {"trump_card": "separate_dealer_option"},
            [*OTHERS_PAT, TAKEN, Drew(0, 2, parse_cards("2C 3C"), parse_cards("9H"))],
            ["0 tight (D)  2C 3C JC 5H AS  plays, discards 2C 3C, takes the turned QS, draws 9H\n"],
        ),
        (
            {"trump_card": "separate_dealer_option"},
            [*OTHERS_PAT, TAKEN, Drew(0, 1, parse_cards("2C"), ())],
            ["discards 2C, takes the turned QS\n"],
        ),
        (
            {},
            [*begun(), TURNED, *(event for seat in (1, 2, 0) for event in (Declared(seat, True), AntePaid(seat, 2)))],
            ["Deal 1 of 2: tight deals, pot 9 (antes 3; second antes 6)\n"],
        ),
        (
            {"dealer_antes_all": True},
            [*begun(AntePaid(0, 3)), TURNED],
            ["Deal 1 of 2: tight deals, pot 3 (antes 3, all paid by the dealer)\n"],
        ),
        (
            {"first_dealer": "low_card"},
            [*DRAWN, *begun()],
            ["\ndrawn for the first deal: tight 2C, loose 2H, random 9S, tight 3C\n"],
        ),
        (
            {"must_hold": "trump_or_club"},
            [*begun(), TURNED, *NOBODY],
            [
                "2S 3S 4D 5D 6D  may not play\n",
                "2H 3H KH 5S KS  passes\n",
                "nobody plays: the pot of 3 stays (R4.6)\n",
            ],
        ),
        (
            {"second_pass": True},
            [*begun(), TURNED, *IN, *PAT, *STAYS],
            [
                "2S 3S 4D 5D 6D  plays, stands pat; stays\n",
                "2H 3H KH 5S KS  plays, stands pat; passes after the draw\n",
                "loose, alone in, takes the pot of 4 (R4.8)\n",
            ],
        ),
        (
            {"tie": "divide"},
            [
                *[*begun(), TURNED, *IN, *PAT, *FIRST, *trick(2, 2, "0 2C", "1 3S", "2 KS")],
                *[PotTaken(2, 1), PotTaken(0, 1), PotCarried(1, (2, 0))],
            ],
            [
                "tight takes 1 of the pot of 3, its share of a split pot (R7.2)\n",
                "random and tight tie at 1 trick: the pot is shared out, 1 stays in it (R7.2)\n",
            ],
        ),
        (
            {"renege_pot": "next_best"},
            [*begun(), TURNED, *IN, *PAT, *FIRST, Penalized(0, "R8.1", 3), PotTaken(2, 3)],
            ["random takes the pot of 3 with 0 tricks (R8.3: barred seats are left out)\n"],
        ),
    ],
)
def test_what_only_some_houses_know_is_told(keys: dict[str, object], events: list[Event], words: list[str]) -> None:
    text = told(events, **keys)
    assert [word for word in words if word not in text] == []


RENEGE = Reneged(2, Card("2H"), "R5.2", parse_cards("5S KS"), 3)
HEAD = """\
! trick 1: random reneges with 2H: R5.2, follow suit if you can
  on 2S, spades trumps, holding 2H 3H 5S KH KS; legal: 5S KS; costs 3 to match the pot\
"""
BARRED = ": cannot win this pot, forfeits its next turn to deal (R8.2)\n"
STANDS = "! trick 1: random owes 3 to match the pot and cannot win this pot: R8.1, a renege that stands\n"


@pytest.mark.parametrize(
    ("policy", "events", "words"),
    [
        (
            "prompt",
            [RENEGE, RenegeCorrected(2, Card("2H")), CardPlayed(2, Card("5S"))],
            f" if it stands\n! trick 1: random takes 2H back{BARRED}",
        ),
        ("prompt", [RENEGE, Penalized(2, "R8.1", 3), CardPlayed(2, Card("2H"))], f" if it stands\n{STANDS}"),
        ("strict", [RENEGE, Penalized(2, "R8.1", 3), CardPlayed(2, Card("2H"))], f"\n{STANDS}"),
        (
            "retract",
            [RENEGE, RenegeRetracted(2, Card("2H")), CardPlayed(2, Card("5S"))],
            " if no legal card follows\n! trick 1: random takes 2H back, at no cost (R8.4)\n",
        ),
        (
            "retract_renege",
            [RENEGE, RenegeRetracted(2, Card("2H")), Penalized(2, "R8.1", 3), CardPlayed(2, Card("5S"))],
            f"\n! trick 1: random takes 2H back (R8.4)\n{STANDS}",
        ),
        (
            "silent",
            [CardPlayed(2, Card("2H")), RENEGE, Penalized(2, "R8.1", 3), CardPlayed(0, Card("AS"))],
            f" if it stands\n{STANDS}",
        ),
        (
            "silent",
            [CardPlayed(2, Card("2H")), RENEGE, RenegeCorrected(2, Card("2H")), CardPlayed(2, Card("5S"))],
            f" if it stands\n! trick 1: random takes 2H back unasked{BARRED}",
        ),
    ],
)
def test_a_renege_is_told_with_its_rule_its_position_and_its_cost(policy: str, events: list[Event], words: str) -> None:
    text = told([*begun(), TURNED, *IN, *PAT, CardPlayed(1, Card("2S")), *events], renege_policy=policy)
    assert HEAD + words in text
    card = next(event.card for event in reversed(events) if isinstance(event, CardPlayed) and event.seat == 2)
    assert f"2 random      {card}!" in text


def test_a_silent_renege_that_completes_a_trick_is_told_in_its_trick() -> None:
    reneged = [*trick(2, 1, "1 2S", "2 5S", "0 2C"), Reneged(0, Card("2C"), "R5.2", parse_cards("AS"), 3)]
    stands: list[Event] = [Penalized(0, "R8.1", 3), CardPlayed(2, Card("2H"))]
    text = told([*begun(), TURNED, *IN, *PAT, *reneged, *stands], renege_policy="silent")
    assert "on 2S 5S, spades trumps, holding 2C 3C 5H JC AS; legal: AS" in text
    assert "! trick 1: tight owes 3 to match the pot" in text
    corrected: list[Event] = [RenegeCorrected(0, Card("2C")), TrickReopened(1), *trick(0, 1, "0 AS")]
    text = told([*begun(), TURNED, *IN, *PAT, *reneged, *corrected], renege_policy="silent")
    assert "! trick 1: trick 1 is open again\n" in text
    assert "2 random      5S      0\n" in text
    assert "0 tight (D)   AS*!    1\n" in text


def winners(tricks: list[TrickStory]) -> list[int | None]:
    return [trick.winner for trick in tricks]


@pytest.mark.parametrize("policy", CHOICES["renege_policy"])
@pytest.mark.parametrize("preset", PRESETS)
def test_every_story_agrees_with_its_match(preset: str, policy: str) -> None:
    house = HouseRules.preset(preset, renege_policy=policy)
    match = Match(4, 12, house, SeededChance(f"{preset} {policy}".encode()))
    deals = {}
    events: list[Event] = []
    for _, _, following in play_randomly(match, Random(1), 0.15):
        events += following
        deals[match.deal.number] = match.deal
    left = 0
    for dealt in session_deals(steps_of(events), "abcd", house):
        story = story_of(dealt)
        assert story.carried == left
        left = story.chips
        deal = deals.get(story.number)
        if deal is None:  # nobody could play it
            assert not story.tricks
            continue
        assert winners(story.tricks) == [trick.winner for trick in (deal.tricks.completed if deal.tricks else ())]
        assert [tuple(card.card for card in trick.cards.values()) for trick in story.tricks] == [
            trick.cards for trick in (deal.tricks.completed if deal.tricks else ())
        ]
        assert story.pot == (deal.tricks.pot if deal.tricks else story.pot)
        assert story.trump == deal.entry.trump
        won = deal.tricks.won if deal.tricks else {}
        assert [seat.tricks for seat in story.seats] == [won.get(seat, 0) for seat in range(4)]
        assert not any(seat.hand for seat in story.seats if seat.plays and deal.tricks)
        wrong = [note for note in story.incidents if isinstance(note.event, Reneged)]
        for note in wrong:
            assert isinstance(note.event, Reneged)
            assert note.event.card in note.hand
            assert note.played == story.tricks[note.trick - 1].before(note.event.seat)
            assert set(note.event.legal or ()) <= set(note.hand)
    assert story.balances == match.ledger.balances
    assert all(line == line.rstrip() for line in lines_of(session_deals(steps_of(events), "abcd", house), 12))


def test_an_event_has_another_text_for_those_who_may_not_see_the_cards() -> None:
    dealt = HandDealt(1, parse_cards(HANDS[1]))
    story = tell_story(begin_match(3, HouseRules.preset("pagat")), [dealt])
    words = event_text(dealt, story, Reader(BOTS))
    assert words == EventText("loose is dealt 2S 3S 4D 5D 6D", "loose is dealt 5 cards", 1)
