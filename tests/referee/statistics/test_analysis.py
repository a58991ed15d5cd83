"""What is computed of a run beyond its standings: bootstrapped rankings, ties, seats, style, conduct."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

import pytest
from dumping import shipped_bots

from bourre.bot import Bot
from bourre.notes import Usage
from bourre.practice import practice, practice_duplicate
from bourre.record import Record, read
from bourre.record.played_record import play_text
from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.house import HouseRules
from bourre.rules.pot import UNIT
from bourre.rules.visibility import View
from bourre_referee.contest.recount import recount
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.luck import BASELINE
from bourre_referee.model.results import DealResult, MatchResult
from bourre_referee.model.stored import StoredSeat
from bourre_referee.ratings import rate
from bourre_referee.ratings.batch import FIELD_MODEL_SINCE
from bourre_referee.statistics.analysis import Analysis, analyse, analysis_json
from bourre_referee.statistics.bootstrap import MAX_BLOCKS, TableBlock, table_blocks
from bourre_referee.statistics.estimates import ADJUSTED_PARTS, Block, estimate_per_100
from bourre_referee.statistics.match_counts import BotCounts, RunCounts, count_record
from bourre_referee.statistics.match_sums import tally_of
from bourre_referee.statistics.play_style import SeatCounter, Strength, Style, StyleCounter, hand_strength
from bourre_referee.statistics.played_deals import PlayedDeal, chip_flows, replay_deals
from bourre_referee.statistics.ranking import INNER_LEVEL, rank_bots
from bourre_referee.statistics.reported_usage import ReportedUsage, reported_usage
from bourre_referee.statistics.rule_following import ConductCounter
from bourre_referee.statistics.standing import Standings
from tests.referee.matches import match, standings

FOUR = ("tight", "counter", "loose", "follower")


class Wild(Bot):
    """Plays the highest card that it holds, legal or not."""

    def play(self, view: View) -> Card:
        return view.hand[-1]


def duplicate(deals: int) -> MatchResult:
    """A match of three bots with chips and luck for each deal."""
    results = tuple(DealResult((n, 840 - n, -840), (32 * n, -32 * n, 0)) for n in range(deals))
    won = match({"ada": sum(range(deals)), "bob": 840 * deals - sum(range(deals)), "cy": -840 * deals}, deals)
    return replace(won, unit=840, blocks=results)


def session_record(deals: int = 40) -> Record:
    return read(practice({name: shipped_bots()[name] for name in FOUR}, deals=deals, seed=5).matches[0].record)


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


def test_conduct_adds_up_over_matches() -> None:
    bad = StoredSeat("ada", 0, 1, 0, 0, 3, 1, 2, (("R5.2", 1), ("R5.3", 2)), (("late", 1),))
    count = ConductCounter()
    count.add([bad, replace(bad, bot="bob", reneges_by_rule=(), faults_by_kind=(), house_deals=0)])
    count.add([bad])
    ada, bob = count.summarise(("ada", "bob"))
    assert (ada.matches, ada.reneges, ada.faults, ada.house_deals) == (2, (("R5.2", 2), ("R5.3", 4)), (("late", 2),), 4)
    assert (bob.matches, bob.reneges, bob.faults, bob.house_deals) == (1, (), (), 0)


def dealt(deal: int, dealer: int, line_up: tuple[int, int], hands: tuple[str, str], unit: int = UNIT) -> PlayedDeal:
    """A deal in which nothing has happened yet; spades are trumps."""
    return PlayedDeal(deal, dealer, line_up, unit, Suit.S, [parse_cards(hand) for hand in hands])


def three_deals(unit: int = UNIT) -> list[PlayedDeal]:
    """Bob wins alone; then in the other seat against ada, who goes bourré; then nobody names a trump."""
    alone = dealt(1, 0, (1, 0), ("KS 2C 3C 4C 5C", "2D 3D 4D 5D 6D"), unit)
    alone.playing, alone.discards, alone.tricks, alone.bourred = [True, False], [3, 0], [5, 0], [False, False]
    alone.moves = [(0, -unit), (1, -unit), (0, 2 * unit)]
    both = dealt(1, 1, (0, 1), ("2S QS 4D AH KD", "AS 3C 4C 5C 6C"), unit)
    both.playing, both.discards, both.tricks, both.bourred = [True, True], [2, 1], [0, 5], [True, False]
    both.moves = [(0, -unit), (1, -unit), (1, 2 * unit), (0, -2 * unit)]
    unnamed = dealt(2, 0, (0, 1), ("2S 3S 4S 5S 6S", "7S 8S 9S TS JS"), unit)
    unnamed.trump, unnamed.moves = None, [(0, -unit), (1, -unit), (1, 2 * unit)]
    return [alone, both, unnamed]


def test_style_tells_what_a_bot_does_with_each_hand() -> None:
    count = StyleCounter()
    count.add(("ada", "bob"), three_deals())
    assert count.summarise(("bob", "cy", "ada")) == (
        Style("bob", Strength.HIGH, 2, 2, 4, 10, 0, 2.0),
        Style("ada", Strength.NONE, 1, 0, 0, 0, 0, -1.0),
        Style("ada", Strength.TWO_LOW, 1, 1, 2, 0, 1, -3.0),
    )


def test_seats_are_counted_from_the_dealer() -> None:
    """The seatings of a duplicate deal are one block, and so is a whole session."""
    duplicate_count, session = SeatCounter(), SeatCounter()
    duplicate_count.add(three_deals())
    for _ in range(2):
        session.add(three_deals(1))
    left, dealer = duplicate_count.summarise()
    assert (left.place, dealer.place) == (1, 0)
    assert left.estimate == estimate_per_100([Block(-4 * UNIT, 2), Block(UNIT, 1)], UNIT)
    assert dealer.estimate == estimate_per_100([Block(2 * UNIT, 2), Block(-UNIT, 1)], UNIT)
    assert [worth.estimate for worth in session.summarise()] == [
        estimate_per_100([Block(chips, 3)] * 2) for chips in (-3, 1)
    ]


def test_what_is_counted_match_by_match_adds_up_in_any_order() -> None:
    texts = [practice({name: name for name in FOUR}, deals=9, seed=seed).matches[0].record for seed in (1, 2)]
    parts, run, bots, whole, seats = [*map(count_record, texts)], RunCounts(), BotCounts(), BotCounts(), SeatCounter()
    flows = []
    for record in map(read, texts):
        deals = list(replay_deals(record))
        whole.add(record.header.bots, deals)
        seats.add(deals)
        flows += chip_flows(record.header.bots, deals)
    for number in (1, 0):
        run.add(number, parts[number])
        bots += parts[number]
    assert run.flows == flows
    assert run.seats.summarise() == seats.summarise()
    assert run.style.summarise(FOUR) == bots.style.summarise(FOUR) == whole.style.summarise(FOUR)
    assert run.rules.summarise(FOUR) == bots.rules.summarise(FOUR) == whole.rules.summarise(FOUR)


def analysed(texts: Sequence[str], bots: Sequence[str], absent: str, version: int) -> tuple[Standings, Analysis]:
    """The analysis of the matches with these records; the house played all deals of a bot that was absent."""
    conduct, counts, results = ConductCounter(), RunCounts(), []
    for number, text in enumerate(texts, start=1):
        found = recount(play_text(text), BASELINE)
        played = found.result
        seats = (replace(seat, house_deals=played.playings) if seat.bot == absent else seat for seat in played.seats)
        results.append(replace(played, seats=tuple(seats)))
        conduct.add(found.seats)
        counts.add(number, count_record(text))
    level = INNER_LEVEL if version >= FIELD_MODEL_SINCE else None
    table = rank_bots("demo", "any", "ab12", tally_of(results), rate(results, bots, version=version), level)
    return table, analyse(table.rows, tally_of(results), results, conduct, counts, seed=3)


@pytest.mark.parametrize(
    ("form", "version", "known"),
    [
        ("session", 3, "3618e8d95ee7ad2b"),
        ("duplicate", 3, "7c3d35b635c21fd3"),
        ("session", 4, "0f8b7703d65f62f8"),
        ("duplicate", 4, "9d67552f262991d8"),
    ],
)
def test_the_analysis_of_a_contest_is_as_ever(form: str, version: int, known: str) -> None:
    """Those who were no-shows are only in the standings, the conduct and the rules."""
    makers: dict[str, type[Bot] | str] = {"wild": Wild, **{name: name for name in FOUR}}
    texts = []
    for number, without in enumerate((*FOUR, "wild", "tight")):
        bots = {name: maker for name, maker in makers.items() if name != without}
        if form == "session":
            texts += [match.record for match in practice(bots, 8, number, strict=False).matches]
        elif number < 3:
            texts.append(practice_duplicate(bots, 3, seatings, number, stakes=(0, 2), strict=False))
    table, found = analysed(texts, list(makers), absent="loose", version=version)
    assert found.raw is not None
    assert (found.adjusted is None) is (form == "session")
    named = [rank.bot for rank in found.raw.ranks], [style.bot for style in found.style]
    met = [bot for pair in found.flow for bot in (pair.payer, pair.taker)]
    assert not any("loose" in bots for bots in (*named, met, [pair.one for pair in found.pairs]))
    assert table.rows[-1].bot == found.conduct[-1].bot == found.rules[-1].bot == "loose"
    usage = {"wild": Usage(5, 6, 7, 8), "tight": Usage(1, 2, 3, 4)}
    assert sha256(f"{analysis_json(table, found, usage)}{table.to_json()}".encode()).hexdigest()[:16] == known


def test_chips_are_told_by_what_was_used() -> None:
    table = standings("demo", "session", "", [match({"ada": 14, "bob": -10, "cy": -4})], ["ada", "bob", "cy"])
    used = {"cy": Usage(), "ada": Usage(1500, 500, 10, 2_000_000), "dee": Usage(1)}
    assert reported_usage(table.rows, used) == (
        ReportedUsage("ada", 1500, 500, 10, 2.0, 14, 140.0, 7.0, 7.0),
        ReportedUsage("cy", 0, 0, 0, 0.0, -4, None, None, None),
    )
    (lost,) = reported_usage([replace(table.rows[0], chips=None)], used)
    assert (lost.calls, lost.chips, lost.per_100_calls) == (10, None, None)
