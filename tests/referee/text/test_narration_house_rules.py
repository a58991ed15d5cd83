"""Deals under house rules in words: every way to find trumps, to come in, and to renege."""

from collections.abc import Iterator
from random import Random

import pytest

from bourre.rules.actions import Action, Decision, Declare, Draw, Fault, Missing, NameTrump, Play, Recall, Stay
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
from bourre.rules.visibility import View
from bourre.words.table_words.deal_story import begin_match, tell_story
from bourre.words.table_words.readers import Reader
from bourre.words.table_words.story_parts import TrickStory
from bourre_referee.text.narration.deal_text import lines_of
from bourre_referee.text.narration.events_by_deal import event_text, session_deals, story_of
from tests.referee.replayed_steps import steps_of

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


@pytest.mark.parametrize(
    ("form", "events", "words"),
    [
        ("dealer_fifth", [TURNED], "QS is turned up: spades are trumps"),
        ("separate_dead", [TURNED], "QS is turned up, nobody's card: spades are trumps"),
        ("separate_dealer_option", [TURNED], "QS is turned up, for the dealer to take: spades are trumps"),
        (
            "separate_returned",
            [TURNED, TurnedReturned(Card("QS"))],
            "QS is turned up and shuffled back: spades are trumps",
        ),
        ("dealer_chooses", [TrumpNamed(0, Suit.S)], "tight names spades as trumps"),
    ],
)
def test_where_trumps_come_from_is_told(form: str, events: list[Event], words: str) -> None:
    assert told([*begun(), *events], trump_card=form).splitlines()[1] == words


def test_the_dealer_takes_the_turned_card() -> None:
    drawn: list[Event] = [TurnedTaken(0, Card("QS")), Drew(0, 2, parse_cards("2C 3C"), parse_cards("9H"))]
    text = told([*begun(), TURNED, *IN, *PAT[:2], *drawn], trump_card="separate_dealer_option")
    assert "0 tight (D)  2C 3C JC 5H AS  plays, discards 2C 3C, takes the turned QS, draws 9H\n" in text
    alone: list[Event] = [TurnedTaken(0, Card("QS")), Drew(0, 1, parse_cards("2C"), ())]
    assert "discards 2C, takes the turned QS\n" in told([*begun(), TURNED, *IN, *PAT[:2], *alone])


def test_what_is_paid_to_be_in_is_no_ante() -> None:
    paid = [event for seat in (1, 2, 0) for event in (Declared(seat, True), AntePaid(seat, 2))]
    assert told([*begun(), TURNED, *paid]).startswith("Deal 1 of 2: tight deals, pot 9 (antes 3; second antes 6)\n")


def test_the_dealer_pays_for_all() -> None:
    text = told([*begun(AntePaid(0, 3)), TURNED], dealer_antes_all=True)
    assert text.startswith("Deal 1 of 2: tight deals, pot 3 (antes 3, all paid by the dealer)\n")


def test_the_cards_drawn_for_the_deal_are_told() -> None:
    drawn: list[Event] = [
        CardDrawn(0, Card("2C")),
        CardDrawn(1, Card("2H")),
        CardDrawn(2, Card("9S")),
        CardDrawn(0, Card("3C")),
    ]
    text = told([*drawn, *begun()], first_dealer="low_card")
    assert text.splitlines()[1] == "drawn for the first deal: tight 2C, loose 2H, random 9S, tight 3C"


def test_who_may_not_play_is_told_from_who_passes() -> None:
    passed: list[Event] = [Declared(1, False, obliged=True), Declared(2, False), Declared(0, False, obliged=True)]
    end: list[Event] = [PotCarried(3, (), played=False), DealEnded(1, (-1, -1, -1), 3)]
    text = told([*begun(), TURNED, *passed, *end], must_hold="trump_or_club")
    assert "2S 3S 4D 5D 6D  may not play\n" in text
    assert "2H 3H KH 5S KS  passes\n" in text
    assert "nobody plays: the pot of 3 stays (R4.6)\n" in text


def test_the_second_pass_is_told() -> None:
    stays: list[Event] = [Stayed(1, True), AntePaid(1, 1), Stayed(2, False), Stayed(0, False), PotTaken(1, 4)]
    text = told([*begun(), TURNED, *IN, *PAT, *stays], second_pass=True)
    assert "2S 3S 4D 5D 6D  plays, stands pat; stays\n" in text
    assert "2H 3H KH 5S KS  plays, stands pat; passes after the draw\n" in text
    assert "loose, alone in, takes the pot of 4 (R4.8)\n" in text


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
    played: list[Event] = [
        CardPlayed(1, Card("2S")),
        CardPlayed(2, Card("5S")),
        CardPlayed(0, Card("2C")),
        TrickTaken(2, 1),
        Reneged(0, Card("2C"), "R5.2", parse_cards("AS"), 3),
    ]
    stands: list[Event] = [Penalized(0, "R8.1", 3), CardPlayed(2, Card("2H"))]
    text = told([*begun(), TURNED, *IN, *PAT, *played, *stands], renege_policy="silent")
    assert "on 2S 5S, spades trumps, holding 2C 3C 5H JC AS; legal: AS" in text
    assert "! trick 1: tight owes 3 to match the pot" in text
    corrected: list[Event] = [
        RenegeCorrected(0, Card("2C")),
        TrickReopened(1),
        CardPlayed(0, Card("AS")),
        TrickTaken(0, 1),
    ]
    text = told([*begun(), TURNED, *IN, *PAT, *played, *corrected], renege_policy="silent")
    assert "! trick 1: trick 1 is open again\n" in text
    assert "2 random      5S      0\n" in text
    assert "0 tight (D)   AS*!    1\n" in text


def test_a_split_pot_that_is_shared_says_so() -> None:
    tricks: list[Event] = [
        CardPlayed(1, Card("2S")),
        CardPlayed(2, Card("5S")),
        CardPlayed(0, Card("AS")),
        TrickTaken(0, 1),
    ]
    more: list[Event] = [
        CardPlayed(0, Card("2C")),
        CardPlayed(1, Card("3S")),
        CardPlayed(2, Card("KS")),
        TrickTaken(2, 2),
    ]
    shared: list[Event] = [PotTaken(2, 1), PotTaken(0, 1), PotCarried(1, (2, 0))]
    text = told([*begun(), TURNED, *IN, *PAT, *tricks, *more, *shared], tie="divide")
    assert "tight takes 1 of the pot of 3, its share of a split pot (R7.2)\n" in text
    assert "random and tight tie at 1 trick: the pot is shared out, 1 stays in it (R7.2)\n" in text


def test_the_next_best_takes_the_pot_from_a_barred_seat() -> None:
    tricks: list[Event] = [
        CardPlayed(1, Card("2S")),
        CardPlayed(2, Card("5S")),
        CardPlayed(0, Card("AS")),
        TrickTaken(0, 1),
    ]
    text = told([*begun(), TURNED, *IN, *PAT, *tricks, PotTaken(2, 3)], renege_pot="next_best")
    assert "random takes the pot of 3 with 0 tricks (R8.3: barred seats are left out)\n" in text


def any_answer(view: View, dice: Random) -> Action:
    """A random answer of the kind that is asked for, mostly legal."""
    if dice.random() < 0.05:
        return Missing(Fault.LATE)
    match view.decision:
        case Decision.NAME_TRUMP:
            return NameTrump(dice.choice(list(Suit)))
        case Decision.STAY:
            return Stay(dice.random() < 0.8)
        case Decision.PLAY:
            return Play(dice.choice(view.legal if dice.random() < 0.8 else view.hand))
    discards = tuple(dice.sample(view.hand, dice.randint(0, view.max_discards)))
    takes = view.may_take_turned and bool(discards)
    if view.decision == Decision.DRAW:
        return Draw(discards, takes)
    in_turn = view.house.declare_mode == "turn"
    return Declare(True, discards if in_turn else (), takes and in_turn) if dice.random() < 0.7 else Declare(False)


def played(match: Match, dice: Random) -> Iterator[list[Event]]:
    """The events after each answer in a match; illegal cards are sometimes taken back."""
    yield match.start()
    while not match.over:
        view = match.view(match.to_act)
        action = any_answer(view, dice)
        yield match.apply(view.seat, action)
        wrong = isinstance(action, Play) and action.card in view.hand and action.card not in view.legal
        if wrong and not match.over and view.house.renege_policy == "silent" and dice.random() < 0.5:
            yield match.apply(view.seat, Recall(view.legal[0]))


def winners(tricks: list[TrickStory]) -> list[int | None]:
    return [trick.winner for trick in tricks]


@pytest.mark.parametrize("policy", CHOICES["renege_policy"])
@pytest.mark.parametrize("preset", PRESETS)
def test_every_story_agrees_with_its_match(preset: str, policy: str) -> None:
    house = HouseRules.preset(preset, renege_policy=policy)
    match = Match(4, 12, house, SeededChance(f"{preset} {policy}".encode()))
    deals = {}
    events: list[Event] = []
    for following in played(match, Random(1)):
        events += following
        deals[match.deal.number] = match.deal
    for dealt in session_deals(steps_of(events), "abcd", house):
        story = story_of(dealt)
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
        wrong = [note for note in story.incidents if isinstance(note.event, Reneged)]
        for note in wrong:
            assert isinstance(note.event, Reneged)
            assert note.event.card in note.hand
            assert note.played == story.tricks[note.trick - 1].before(note.event.seat)
            assert set(note.event.legal or ()) <= set(note.hand)
    assert all(line == line.rstrip() for line in lines_of(session_deals(steps_of(events), "abcd", house), 12))


@pytest.mark.parametrize(
    ("before", "event", "words"),
    [
        ([], CardDrawn(1, Card("9S")), "loose draws 9S for the first deal"),
        ([*begun(), TURNED], TurnedReturned(Card("QS")), "QS is shuffled back into the stock"),
        ([*begun(), TURNED, *IN, *PAT], Stayed(1, False), "loose passes after the draw"),
        ([*begun(), TURNED, *IN, *PAT], Stayed(2, True), "random stays"),
    ],
)
def test_a_step_is_told_in_words(before: list[Event], event: Event, words: str) -> None:
    story = tell_story(begin_match(3, HouseRules.preset("pagat")), [*before, event])
    told = event_text(event, story, Reader(BOTS))
    assert (told.text, told.public) == (words, words)
    assert told.seat == getattr(event, "seat", None)
