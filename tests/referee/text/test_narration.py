"""Matches in words: the exact text that a reader sees."""

from collections.abc import Iterator

from bourre.rules.actions import Fault
from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.events import (
    AntePaid,
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
    StockGathered,
    TrickTaken,
    TrumpTurned,
    TurnForfeited,
)
from bourre.rules.house import HouseRules
from bourre_referee.text.narration.deal_text import lines_of
from bourre_referee.text.narration.events_by_deal import session_deals
from tests.referee.replayed_steps import steps_of

BOTS = ("tight", "loose", "random")


def dealt(*hands: str) -> Iterator[Event]:
    """Hands of three seats, dealt from seat 1."""
    for seat in (1, 2, 0):
        yield HandDealt(seat, parse_cards(hands[seat]))


def trick(number: int, winner: int, *cards: str) -> Iterator[Event]:
    """A trick: cards such as `1 KS`, in order, and its winner."""
    for text in cards:
        seat, card = text.split()
        yield CardPlayed(int(seat), Card(card))
    yield TrickTaken(winner, number)


LONE: list[Event] = [
    DealStarted(1, 0),
    *(AntePaid(seat, 1) for seat in range(3)),
    *dealt("2C 3C 4C 5C KS", "2D 3D 4D 5D 6D", "2H 3H 4H 5H 6H"),
    TrumpTurned(Card("KS"), Suit.S),
    Declared(1, False),
    Declared(2, False),
    Declared(0, True, obliged=True),
    PotTaken(0, 2),
    DealEnded(1, (1, -1, -1), 1),
]

EVENTFUL: list[Event] = [
    TurnForfeited(1),
    DealStarted(2, 0),
    AntePaid(0, 1),
    AntePaid(1, 1),
    *dealt("2C 3C JC 5H AS", "2S 3S 4D 5D 6D", "2H 3H KH 5S KS"),
    TrumpTurned(Card("AS"), Suit.S),
    Declared(0, True, obliged=True),
    Faulted(2, Fault.PREMATURE),
    DealForfeited(2),
    Declared(1, True),
    Drew(1, 2, parse_cards("5D 6D"), parse_cards("QD 7S")),
    Declared(2, True),
    StockGathered(9),
    Drew(2, 0, (), ()),
    Drew(0, 1, parse_cards("5H"), parse_cards("9H")),
    Faulted(1, Fault.LATE),
    Penalized(1, "R8.5", 3),
    CardPlayed(1, Card("2S")),
    Reneged(2, Card("2H"), "R5.2", parse_cards("5S KS"), 3),
    RenegeCorrected(2, Card("2H")),
    CardPlayed(2, Card("5S")),
    CardPlayed(0, Card("AS")),
    TrickTaken(0, 1),
    *trick(2, 2, "0 JC", "1 3S", "2 KS"),
    CardPlayed(2, Card("2H")),
    Reneged(0, Card("2C"), "R5.2", parse_cards("9H"), 3),
    Faulted(0, Fault.NOT_HELD),
    Penalized(0, "R8.1", 3),
    *trick(3, 2, "0 2C", "1 4D"),
    HouseTookOver(1),
    *trick(4, 1, "2 3H", "0 9H", "1 7S"),
    *trick(5, 1, "1 QD", "2 KH", "0 3C"),
    PotCarried(3, (1, 2)),
    MatchPaid(1, 3, bourred=False, reneged=True),
    MatchPaid(0, 3, bourred=False, reneged=True),
    DealEnded(2, (-3, -5, -1), 9),
    PotShared(0, 3),
    PotShared(1, 3),
    PotShared(2, 3),
    MatchEnded((0, -2, 2)),
]

LONE_TEXT = """\
Deal 1 of 2: tight deals, pot 3 (antes 3)
KS is turned up: spades are trumps

  1 loose      2D 3D 4D 5D 6D  passes
  2 random     2H 3H 4H 5H 6H  passes
  0 tight (D)  2C 3C 4C 5C KS  must play

tight, alone in, takes 2 of the pot of 3 (R4.8, R7.4)
balances: tight +1, loose -1, random -1; pot 1
"""

EVENTFUL_TEXT = """\
Deal 2 of 2: tight deals, pot 3 (1 carried over; antes 2; exempt random)
AS is turned up: spades are trumps

  1 loose      2S 3S 4D 5D 6D  plays, discards 5D 6D, draws QD 7S
  2 random     2H 3H KH 5S KS  plays, stands pat
  0 tight (D)  2C 3C JC 5H AS  must play, discards 5H, draws 9H

  tricks        1     2     3     4     5     won
  1 loose      >2S?   3S    4D    7S*  >QD*     2
  2 random      5S!   KS*  >2H*  >3H    KH      2
  0 tight (D)   AS*  >JC    2C!   9H    3C      1

! before the play: loose forfeits this turn to deal (R1.4)
! before the play: random is at fault: premature
! before the play: random spoke before its turn: forfeits its next turn to deal (R4.7)
! before the play: the stock is empty: 9 cards are gathered and shuffled (R4.4)
! trick 1: loose is at fault: late
! trick 1: loose owes 3 to match the pot and cannot win this pot: R8.5, no usable card came, so the \
referee played the lowest legal one
! trick 1: random reneges with 2H: R5.2, follow suit if you can
  on 2S, spades trumps, holding 2H 3H 5S KH KS; legal: 5S KS; costs 3 to match the pot if it stands
! trick 1: random takes 2H back: cannot win this pot, forfeits its next turn to deal (R8.2)
! trick 3: tight reneges with 2C: R5.2, follow suit if you can
  on 2H, spades trumps, holding 2C 3C 9H; legal: 9H; costs 3 to match the pot if it stands
! trick 3: tight is at fault: not held
! trick 3: tight owes 3 to match the pot and cannot win this pot: R8.1, a renege that stands
! trick 4: the referee plays for loose from now on

loose and random tie at 2 tricks: the pot of 3 stays (R7.2)
loose pays 3 into the next pot: a renege (R8.1)
tight pays 3 into the next pot: a renege (R8.1)
balances: tight -3, loose -5, random -1; pot 9
the pot left on the table is shared out (R7.6): tight 3, loose 3, random 3
the match ends: tight +0, loose -2, random +2
"""


def told(
    events: list[Event], bots: tuple[str, ...] = BOTS, deal: int | None = None, house: HouseRules | None = None
) -> str:
    return "".join(
        f"{line}\n" for line in lines_of(session_deals(steps_of(events), bots, house or HouseRules()), 2, deal)
    )


def test_a_match_is_told_deal_by_deal() -> None:
    assert told(LONE + EVENTFUL) == f"{LONE_TEXT}\n{EVENTFUL_TEXT}\n"


def test_a_match_may_be_told_after_any_event() -> None:
    """Turns to deal are forfeited before the next deal begins."""
    whole = LONE + EVENTFUL
    begun = {at: 1 + (at > len(LONE) + 1) for at in range(1, len(whole) + 1)}
    for at, deals in begun.items():
        assert [deal.number for deal in session_deals(steps_of(whole[:at]), BOTS, HouseRules())] == [1, 2][:deals], at


def test_fines_are_told_with_the_outcome() -> None:
    fined = [*LONE[:-1], FinePaid(2, 4), DealEnded(1, (1, -1, -5), 5)]
    fine = "random pays 4 into the next pot: fines for faults or corrected reneges (R8.6)\n"
    assert fine + "balances: tight +1, loose -1, random -5; pot 5\n" in told(fined)


def test_one_deal_is_told_alone_and_knows_what_was_carried_into_it() -> None:
    assert told(LONE + EVENTFUL, deal=2) == f"{EVENTFUL_TEXT}\n"


def test_a_deal_that_is_not_there_is_not_told() -> None:
    assert told(LONE, deal=3) == ""


def test_an_unfinished_deal_is_told_as_far_as_it_went() -> None:
    text = told(LONE + EVENTFUL[:11])
    unfinished = (
        "  1 loose      2S 3S 4D 5D 6D\n  2 random     2H 3H KH 5S KS\n  0 tight (D)  2C 3C JC 5H AS  must play\n"
    )
    assert unfinished in text


def test_who_has_most_tricks_but_is_barred_leaves_the_pot() -> None:
    text = told([*LONE, *EVENTFUL[:26], PotCarried(3, ())])
    assert "tight, with most tricks, is barred: the pot of 3 stays (R8.3)" in text


def test_a_match_paid_says_what_for() -> None:
    text = told([*LONE, DealStarted(2, 1), MatchPaid(0, 3, bourred=True, reneged=True), MatchPaid(1, 3, True, False)])
    assert "tight pays 3 into the next pot: bourré, no trick (R7.3) and a renege (R8.1)\n" in text
    assert "loose pays 3 into the next pot: bourré, no trick (R7.3)\n" in text


def test_hostile_names_cannot_steer_the_terminal() -> None:
    text = told(LONE, ("\x1b[31mred", "two\nlines", "turned\u202eround"))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert r"0 \x1b[31mred (D)" in text
    assert r"1 two\nlines" in text


def test_a_bot_that_sits_twice_is_told_apart() -> None:
    assert "balances: me (seat 0) +1, you -1, me (seat 2) -1" in told(LONE, ("me", "you", "me"))
