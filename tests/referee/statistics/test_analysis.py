"""What is computed of a run beyond its standings: bootstrapped rankings, ties, seats, style, conduct."""

from dataclasses import replace
from random import Random

import pytest
from dumping import shipped_bots

from bourre.bot import Bot
from bourre.practice import practice, practice_duplicate
from bourre.record import Record, read
from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.house import HouseRules
from bourre.rules.visibility import View
from bourre_referee.model.results import DealResult, MatchResult
from bourre_referee.model.stored import StoredSeat
from bourre_referee.schedule.duplicate_seatings import seatings
from bourre_referee.statistics.bootstrap import bootstrap_ranking
from bourre_referee.statistics.estimates import ADJUSTED_PARTS
from bourre_referee.statistics.play_style import Strength, StyleCounter, hand_strength
from bourre_referee.statistics.played_deals import replay_deals
from bourre_referee.statistics.rule_breaks import ConductCounter
from bourre_referee.statistics.seat_worth import SeatCounter
from bourre_referee.statistics.table_blocks import MAX_BLOCKS, TableBlock, table_blocks
from tests.referee.matches import match

FOUR = ("tight", "counter", "loose", "follower")


class Wild(Bot):
    """Plays the highest card that it holds, legal or not."""

    def play(self, view: View) -> Card:
        return view.hand[-1]


def blocks(rng: Random, number: int, lead: float) -> list[TableBlock]:
    """Two bots, the first of which wins `lead` on average, plus or minus ten."""
    won = [round(rng.gauss(lead, 10)) for _ in range(number)]
    return [TableBlock(("ada", "bob"), (chips, -chips), 1) for chips in won]


def duplicate(deals: int) -> MatchResult:
    """A match of three bots with chips and luck for each deal."""
    results = tuple(DealResult((n, 840 - n, -840), (32 * n, -32 * n, 0)) for n in range(deals))
    won = match({"ada": sum(range(deals)), "bob": 840 * deals - sum(range(deals)), "cy": -840 * deals}, deals)
    return replace(won, unit=840, blocks=results)


def session_record(deals: int = 40) -> Record:
    return read(practice({name: shipped_bots()[name] for name in FOUR}, deals=deals, seed=5).matches[0].record)


def test_who_is_far_ahead_is_above_in_every_resample() -> None:
    found = bootstrap_ranking(blocks(Random(1), 50, 20))
    assert found is not None
    assert [(rank.bot, rank.rank, rank.interval, rank.again) for rank in found.ranks] == [
        ("ada", 1, (1, 1), 1.0),
        ("bob", 2, (2, 2), 1.0),
    ]
    assert found.above == ((0.5, 1.0), (0.0, 0.5))
    assert (found.again, found.blocks, found.resamples) == (1.0, 50, 1000)


def test_the_chance_to_be_above_is_that_of_the_mean() -> None:
    """Two blocks, of +3 and -1: both, or the first alone, put ada ahead; in a quarter of the draws it is behind."""
    two = [TableBlock(("ada", "bob"), (3, -3), 1), TableBlock(("ada", "bob"), (-1, 1), 1)]
    found = bootstrap_ranking(two, resamples=4_000)
    assert found is not None
    assert found.above[0][1] == pytest.approx(0.75, abs=0.03)
    assert found.ranks[0].again == pytest.approx(0.75, abs=0.03)
    assert found.ranks[0].interval == (1, 2)


def test_equal_bots_share_rank_and_chance() -> None:
    found = bootstrap_ranking([TableBlock(("ada", "bob"), (0, 0), 1)] * 5)
    assert found is not None
    assert [(rank.rank, rank.interval) for rank in found.ranks] == [(1, (1, 1))] * 2
    assert found.above[0][1] == 0.5


def test_resamples_follow_from_the_seed() -> None:
    known = blocks(Random(2), 20, 1)
    assert bootstrap_ranking(known, seed=1) == bootstrap_ranking(known, seed=1)
    assert bootstrap_ranking(known, seed=1) != bootstrap_ranking(known, seed=2)
    assert bootstrap_ranking(known[:1]) is None


def test_intervals_of_the_chance_hold_as_often_as_they_say() -> None:
    """Equal bots: how often one seems to be above with 97.5 % certainty, or below."""
    rng = Random(3)
    found = [bootstrap_ranking(blocks(rng, 40, 0), resamples=200) for _ in range(300)]
    sure = sum(abs(one.above[0][1] - 0.5) >= 0.475 for one in found if one)
    assert 0.02 <= sure / len(found) <= 0.095


def test_blocks_of_a_session_are_matches_of_a_duplicate_deals() -> None:
    assert table_blocks([match({"ada": 3, "bob": -3}, 50)]) == [TableBlock(("ada", "bob"), (3, -3), 50)]
    raw, adjusted = table_blocks([duplicate(3)]), table_blocks([duplicate(3)], adjusted=True)
    assert raw == [TableBlock(("ada", "bob", "cy"), (n, 840 - n, -840), 3) for n in range(3)]
    luckless = [tuple(ADJUSTED_PARTS * chips for chips in block.chips) for block in raw]
    assert [block.chips[2] for block in adjusted] == [chips[2] for chips in luckless]
    assert [block.chips[0] for block in adjusted] == [luckless[n][0] - 7 * 32 * n for n in range(3)]


def test_many_blocks_are_put_together() -> None:
    found = table_blocks([duplicate(MAX_BLOCKS), duplicate(MAX_BLOCKS + 1)])
    assert MAX_BLOCKS // 2 <= len(found) <= MAX_BLOCKS + 2
    assert sum(block.deals for block in found) == 3 * (2 * MAX_BLOCKS + 1)


def test_the_deals_are_those_of_the_record() -> None:
    record = session_record()
    deals = list(replay_deals(record))
    assert [deal.deal for deal in deals] == list(range(1, 41))
    for deal, recorded in zip(deals, record.deals, strict=True):
        assert (deal.dealer, tuple(deal.hands), tuple(deal.tricks)) == (
            recorded.dealer,
            recorded.dealt,
            recorded.taken,
        )
        assert deal.trump is (recorded.turned and recorded.turned.suit)
    assert [sum(deal.chips[seat] for deal in deals) for seat in range(4)] == list(record.final)
    assert any(any(deal.bourred) for deal in deals)


def test_a_match_that_is_paid_for_a_renege_is_no_bourre() -> None:
    bots = {"wild": Wild, **{name: shipped_bots()[name] for name in FOUR[:2]}}
    house = HouseRules.preset("limit", renege_policy="strict")
    played = practice(bots, deals=40, seed=5, house=house, strict=False)
    deals = list(replay_deals(read(played.matches[0].record)))
    assert sum(sum(deal.bourred) for deal in deals) == sum(row.bourres for row in played.bots)
    paid = [deal for deal in deals if deal.chips[0] < -1 and not deal.bourred[0]]
    assert paid


def test_a_duplicate_match_has_every_deal_in_every_seating() -> None:
    bots = {name: shipped_bots()[name] for name in FOUR}
    record = read(practice_duplicate(bots, 3, seatings, seed=5, stakes=(0, 3)))
    deals = list(replay_deals(record))
    assert [deal.line_up for deal in deals] == [recorded.line_up for recorded in record.deals]
    won = [sum(deal.chips[deal.line_up.index(bot)] for deal in deals) for bot in range(4)]
    assert won == list(record.final)


def test_seats_are_counted_from_the_dealer() -> None:
    deals = list(replay_deals(session_record()))
    count = SeatCounter()
    count.add(deals)
    count.add(deals)
    worths = count.summarise()
    assert [worth.place for worth in worths] == [1, 2, 3, 0]
    dealer = sum(deal.chips[deal.dealer] for deal in deals)
    assert worths[-1].estimate.chips_per_100 == pytest.approx(100 * dealer / 40)
    assert worths[-1].estimate.ci95 == (worths[-1].estimate.chips_per_100,) * 2
    assert sum(worth.estimate.chips_per_100 for worth in worths) == pytest.approx(0)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("2C 3C 4D AH KD", Strength.NONE),
        ("2S 3C 4D AH KD", Strength.LOW),
        ("KS 3C 4D AH KD", Strength.HIGH),
        ("2S QS 4D AH KD", Strength.TWO_LOW),
        ("2S AS 4D AH KD", Strength.TWO_HIGH),
        ("2S 3S 4S AH KD", Strength.MORE),
    ],
)
def test_strength_is_that_of_the_trumps(hand: str, expected: Strength) -> None:
    assert hand_strength(parse_cards(hand), Suit.S) is expected


def test_style_tells_what_a_bot_does_with_each_hand() -> None:
    record = session_record(120)
    deals, count = list(replay_deals(record)), StyleCounter()
    count.add(record.header.bots, deals)
    styles = {(style.bot, style.strength): style for style in count.summarise(FOUR)}
    for bot in FOUR:
        assert sum(style.deals for (name, _), style in styles.items() if name == bot) == 120
    assert styles["tight", Strength.NONE].played < styles["tight", Strength.NONE].deals
    assert styles["tight", Strength.MORE].played == styles["tight", Strength.MORE].deals
    taken = sum(sum(deal.tricks) for deal in deals)
    assert sum(style.tricks for style in styles.values()) == taken
    assert sum(style.bourres for style in styles.values()) == sum(sum(deal.bourred) for deal in deals)
    assert sum(style.chips for style in styles.values()) == 0
    drawn = sum(len(cards) for deal in record.deals for cards in deal.received)
    assert sum(style.discards for style in styles.values()) == drawn


def test_conduct_adds_up_over_matches() -> None:
    bad = StoredSeat("ada", 0, 1, 0, 0, 3, 1, 2, (("R5.2", 1), ("R5.3", 2)), (("late", 1),))
    count = ConductCounter()
    count.add([bad, replace(bad, bot="bob", reneges_by_rule=(), faults_by_kind=(), house_deals=0)])
    count.add([bad])
    ada, bob = count.summarise(("ada", "bob"))
    assert (ada.matches, ada.reneges, ada.faults, ada.house_deals) == (2, (("R5.2", 2), ("R5.3", 4)), (("late", 2),), 4)
    assert (bob.matches, bob.reneges, bob.faults, bob.house_deals) == (1, (), (), 0)


def test_what_is_counted_match_by_match_adds_up() -> None:
    records = [
        read(practice({name: shipped_bots()[name] for name in FOUR}, deals=9, seed=seed).matches[0].record)
        for seed in (1, 2)
    ]
    seats, style = SeatCounter(), StyleCounter()
    added_seats, added_style = SeatCounter(), StyleCounter()
    for record in records:
        deals = list(replay_deals(record))
        of_match = SeatCounter(), StyleCounter()
        for counter in (seats, of_match[0]):
            counter.add(deals)
        for of_style in (style, of_match[1]):
            of_style.add(record.header.bots, deals)
        added_seats += of_match[0]
        added_style += of_match[1]
    assert added_seats.summarise() == seats.summarise()
    assert added_style.summarise(FOUR) == style.summarise(FOUR)
