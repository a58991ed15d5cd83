"""Each event is one sentence, which every reader gets with its own names, cards and eyes."""

from __future__ import annotations

import re
from random import Random

import pytest

from bourre.rules.actions import Fault
from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.deck import SeededChance, derive, master_seed
from bourre.rules.events import (
    AntePaid,
    CardDrawn,
    CardPlayed,
    DealEnded,
    DealForfeited,
    DealStarted,
    Declared,
    Drew,
    Event,
    Faulted,
    FinePaid,
    HandDealt,
    HouseTookOver,
    MatchEnded,
    MatchPaid,
    Penalized,
    PotCarried,
    PotShared,
    PotTaken,
    RenegeCorrected,
    Reneged,
    RenegeRetracted,
    Stayed,
    StockGathered,
    TrickReopened,
    TrickTaken,
    TrumpNamed,
    TrumpTurned,
    TurnedReturned,
    TurnedTaken,
    TurnForfeited,
)
from bourre.rules.house import PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import visible_to
from bourre.words.table_words import name_cards, show_glyphs
from bourre.words.table_words.deal_story import DealStory, begin_match, follow, tell_story
from bourre.words.table_words.event_sentences import tell
from bourre.words.table_words.readers import Reader
from tests.sdk.random_answers import play_randomly

NAMES = ("ada", "bob", "cleo")
YOU, ONLOOKER = Reader(NAMES, 0, name_cards), Reader(NAMES, cards=show_glyphs)
NINE, QUEEN, KING, TWO = Card("9H"), Card("QS"), Card("KH"), Card("2C")
IN_PLAY: list[Event] = [
    DealStarted(2, 0),
    *(AntePaid(seat, 1) for seat in (1, 2, 0)),
    HandDealt(0, (TWO, KING)),
    HandDealt(1, None),
    TrumpTurned(QUEEN, Suit.S),
    *(Declared(seat, True) for seat in (1, 2, 0)),
    *(Drew(seat, 0, (), ()) for seat in (1, 2, 0)),
]
TRICK: list[Event] = [CardPlayed(1, NINE), CardPlayed(2, QUEEN), CardPlayed(0, TWO), TrickTaken(2, 1)]
TIE: list[Event] = [CardPlayed(2, Card("3C")), CardPlayed(0, KING), CardPlayed(1, Card("4C")), TrickTaken(0, 2)]
TOLD: tuple[tuple[Event, str, str], ...] = (
    (DealStarted(3, 1), "deal 3: bob deals, 4 in the pot", "deal 3: bob deals, 4 in the pot"),
    (CardDrawn(0, NINE), "you draw the nine of hearts for the first deal", "ada draws 9♥ for the first deal"),
    (AntePaid(0, 1), "you pay an ante of 1", "ada pays an ante of 1"),
    (HandDealt(0, (TWO, KING)), "you are dealt the two of clubs, king of hearts", "ada is dealt 2♣ K♥"),
    (HandDealt(1, None), "bob is dealt 5 cards", "bob is dealt 5 cards"),
    (
        TrumpTurned(QUEEN, Suit.S),
        "the queen of spades is turned up: spades are trumps",
        "Q♠ is turned up: spades are trumps",
    ),
    (
        TurnedReturned(QUEEN),
        "the queen of spades is shuffled back into the stock",
        "Q♠ is shuffled back into the stock",
    ),
    (TrumpNamed(0, Suit.H), "you name hearts as trumps", "ada names hearts as trumps"),
    (TurnedTaken(0, QUEEN), "you take the turned queen of spades", "ada takes the turned Q♠"),
    (Declared(0, True), "you play", "ada plays"),
    (Declared(0, False), "you pass", "ada passes"),
    (Declared(0, True, obliged=True), "you must play", "ada must play"),
    (Declared(2, False, obliged=True), "cleo may not play", "cleo may not play"),
    (
        Drew(0, 1, (TWO,), (NINE,)),
        "you discard the two of clubs, draw the nine of hearts",
        "ada discards 2♣, draws 9♥",
    ),
    (Drew(1, 2, None, None), "bob discards 2 cards", "bob discards 2 cards"),
    (Drew(0, 0, (), ()), "you stand pat", "ada stands pat"),
    (Stayed(0, True), "you stay", "ada stays"),
    (Stayed(0, False), "you pass after the draw", "ada passes after the draw"),
)
"""Events at the beginning of a deal, as the person at seat 0 and as an onlooker reads them."""
LATER: tuple[tuple[list[Event], Event, str, str], ...] = (
    ([], AntePaid(0, 2), "you pay a second ante of 2", "ada pays a second ante of 2"),
    ([], AntePaid(1, 2), "bob pays a second ante of 2", "bob pays a second ante of 2"),
    ([], CardPlayed(0, KING), "you lead the king of hearts", "ada leads K♥"),
    (TRICK[:1], CardPlayed(2, QUEEN), "cleo plays the queen of spades", "cleo plays Q♠"),
    (TRICK[:3], TrickTaken(0, 1), "you take trick 1", "ada takes trick 1"),
    (
        TRICK,
        PotTaken(2, 3),
        "cleo takes the pot of 3 with 1 trick (R7.1)",
        "cleo takes the pot of 3 with 1 trick (R7.1)",
    ),
    (
        [],
        PotTaken(0, 2),
        "you, alone in, take 2 of the pot of 3 (R4.8, R7.4)",
        "ada, alone in, takes 2 of the pot of 3 (R4.8, R7.4)",
    ),
    (
        [*TRICK, *TIE],
        PotTaken(0, 1),
        "you take 1 of the pot of 3, your share of a split pot (R7.2)",
        "ada takes 1 of the pot of 3, its share of a split pot (R7.2)",
    ),
    (
        [*TRICK, *TIE],
        PotCarried(3, (0, 2)),
        "you and cleo tie at 1 trick: the pot of 3 stays (R7.2)",
        "ada and cleo tie at 1 trick: the pot of 3 stays (R7.2)",
    ),
    (
        [*TRICK, Penalized(2, "R8.1", 3)],
        PotCarried(3, ()),
        "cleo, with most tricks, is barred: the pot of 3 stays (R8.3)",
        "cleo, with most tricks, is barred: the pot of 3 stays (R8.3)",
    ),
    (
        [],
        PotCarried(0, (), played=False),
        "nobody plays: the pot is shared out, nothing stays in it (R4.6)",
        "nobody plays: the pot is shared out, nothing stays in it (R4.6)",
    ),
    (
        [],
        MatchPaid(0, 3, True, True),
        "you pay 3 into the next pot: bourré, no trick (R7.3) and a renege (R8.1)",
        "ada pays 3 into the next pot: bourré, no trick (R7.3) and a renege (R8.1)",
    ),
    (
        [],
        FinePaid(0, 4),
        "you pay 4 into the next pot: fines for faults or corrected reneges (R8.6)",
        "ada pays 4 into the next pot: fines for faults or corrected reneges (R8.6)",
    ),
    ([], DealEnded(2, (5, -4, -1), 0), "deal 2 is over: you stand at +5", "balances: ada +5, bob -4, cleo -1; pot 0"),
    (
        [],
        PotShared(0, 2),
        "you get 2 of the pot left on the table (R7.6)",
        "ada gets 2 of the pot left on the table (R7.6)",
    ),
    ([], MatchEnded((5, -4, -1)), "the game is over: you end with +5", "the match ends: ada +5, bob -4, cleo -1"),
    (
        TRICK[:2],
        Reneged(0, TWO, "R5.2", None, 3),
        "you renege with the two of clubs: R5.2, follow suit if you can; costs 3 to match the pot if it stands",
        "ada reneges with 2♣: R5.2, follow suit if you can; costs 3 to match the pot if it stands",
    ),
    (
        TRICK[:1],
        Reneged(0, TWO, "R5.2", (KING,), 0),
        "you renege with the two of clubs: R5.2, follow suit if you can; on the nine of hearts, spades trumps, "
        "holding the two of clubs, king of hearts; legal: the king of hearts; costs nothing more if it stands",
        "ada reneges with 2♣: R5.2, follow suit if you can; on 9♥, spades trumps, holding 2♣ K♥; legal: K♥; "
        "costs nothing more if it stands",
    ),
    (
        [],
        RenegeCorrected(0, TWO),
        "you take the two of clubs back: cannot win this pot, forfeit your next turn to deal (R8.2)",
        "ada takes 2♣ back: cannot win this pot, forfeits its next turn to deal (R8.2)",
    ),
    ([], RenegeRetracted(0, TWO), "you take the two of clubs back (R8.4)", "ada takes 2♣ back (R8.4)"),
    ([], TrickReopened(2), "trick 2 is open again", "trick 2 is open again"),
    (
        [],
        Penalized(0, "R8.1", 3),
        "you owe 3 to match the pot and cannot win this pot: R8.1, a renege that stands",
        "ada owes 3 to match the pot and cannot win this pot: R8.1, a renege that stands",
    ),
    ([], Faulted(0, Fault.NOT_HELD), "you are at fault: not held", "ada is at fault: not held"),
    (
        [],
        DealForfeited(0),
        "you spoke before your turn: forfeit your next turn to deal (R4.7)",
        "ada spoke before its turn: forfeits its next turn to deal (R4.7)",
    ),
    ([], TurnForfeited(0), "you forfeit this turn to deal (R1.4)", "ada forfeits this turn to deal (R1.4)"),
    ([], HouseTookOver(0), "the referee plays for you from now on", "the referee plays for ada from now on"),
    (
        [],
        StockGathered(9),
        "the stock is empty: 9 cards are gathered and shuffled (R4.4)",
        "the stock is empty: 9 cards are gathered and shuffled (R4.4)",
    ),
)
"""The same for events that follow `IN_PLAY` and others."""


@pytest.mark.parametrize(
    ("before", "event", "yours", "theirs"),
    [([], *told) for told in TOLD] + [([*IN_PLAY, *before], *told) for before, *told in LATER],
)
def test_a_reader_is_told_of_an_event_in_these_words(
    before: list[Event], event: Event, yours: str, theirs: str
) -> None:
    carried = 4 if isinstance(event, DealStarted) else 0
    story = tell_story(DealStory(HouseRules(), [0, 0, 0], carried), [*before, event])
    assert (tell(event, story, YOU), tell(event, story, ONLOOKER)) == (yours, theirs)


def test_a_barred_seat_that_the_house_leaves_out_splits_no_pot() -> None:
    house = HouseRules.preset("pagat", renege_pot="next_best", tie="divide")
    tricks = [*TRICK, *TIE, CardPlayed(0, Card("5D")), CardPlayed(1, Card("6D")), CardPlayed(2, TWO), TrickTaken(1, 3)]
    story = tell_story(DealStory(house, [0, 0, 0]), [*IN_PLAY, *tricks, Penalized(1, "R8.1", 3), PotTaken(0, 1)])
    assert tell(story.outcome[-1], story, YOU).startswith("you take 1 of the pot of 3, your share of a split pot")
    story.seats[2].barred = True
    assert tell(story.outcome[-1], story, YOU).endswith("with 1 trick (R8.3: barred seats are left out, R7.4)")


def test_a_story_that_is_joined_late_learns_the_chips_from_the_end_of_a_deal() -> None:
    story = follow(begin_match(2, HouseRules()), DealEnded(4, (3, -5), 2))
    assert (story.balances, story.chips) == ([3, -5], 2)
    assert follow(story, DealStarted(5, 0)).carried == 2


def test_a_seat_without_a_name_is_called_by_its_number() -> None:
    story = tell_story(begin_match(2, HouseRules()), [Declared(1, True)])
    assert tell(Declared(1, True), story, Reader()) == "seat 1 plays"


@pytest.mark.parametrize("policy", ["prompt", "silent", "retract", "strict"])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_person_never_reads_its_own_name_or_a_wrong_verb(preset: str, policy: str) -> None:
    house = HouseRules.preset(preset, renege_policy=policy, fault_fine=1)
    story = begin_match(3, house)
    match = Match(3, 15, house, SeededChance(derive(master_seed(1), preset)))
    for _, _, events in play_randomly(match, Random(preset), mischief=0.15):
        for event in visible_to(0, events):
            story = follow(story, event)
            words = tell(event, story, YOU)
            assert not re.search(r"\byou (?!(?:pass|discard)\b)\w+s\b|\bada\b|^$", words), event
            assert parse_cards(" ".join(re.findall(r"\b[2-9TJQKA][CDHS]\b", words))) == ()
