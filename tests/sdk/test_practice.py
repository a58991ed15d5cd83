"""Practice: the same rules as at a referee, the same cards for the same seed, every answer played and counted."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest

from bourre.bot import Bot
from bourre.bot_code.function_bot import bot_from
from bourre.notes import Usage
from bourre.practice import BotResult, PracticeError, practice, practice_duplicate
from bourre.record import read, replay
from bourre.rules.cards import Card
from bourre.rules.deck import derive, master_seed
from bourre.rules.errors import InvalidHouse
from bourre.rules.events import Event, MatchEnded, Reneged
from bourre.rules.house import HouseRules
from bourre.rules.visibility import View, visible_to
from tests.sdk.bots import Drawing, Keen, Wild, events_of


def test_the_cards_are_those_of_a_contest_with_the_same_seed() -> None:
    result = practice([Keen] * 3, deals=2, seed=7, matches=2)
    headers = [read(match.record).header for match in result.matches]
    assert [header.seed for header in headers] == [derive(master_seed(7), f"match {number}") for number in (1, 2)]
    assert [header.match for header in headers] == ["match 1", "match 2"]
    assert headers[0].house == HouseRules.preset("limit")
    assert practice([Keen] * 3, deals=2, seed=master_seed(7), matches=2) == result


def test_a_seed_gives_the_matches_of_today_recorded_and_true() -> None:
    bots = [Keen, Drawing, Wild, Bot, Bot]
    first, again, other = (practice(bots, deals=20, seed=seed, matches=3, strict=False) for seed in (7, 7, 8))
    assert first == again
    assert first.matches[0].record != other.matches[0].record
    assert [match.balances for match in first.matches] == [
        (-57, 97, -61, -10, 31),
        (61, -8, 82, -163, 28),
        (-8, 39, -52, 149, -128),
    ]
    for match in first.matches:
        record = read(match.record)
        *_, last = replay(record)
        assert isinstance(last.events[-1], MatchEnded)
        assert (record.final, record.header.bots) == (match.balances, match.bots)


def test_every_bot_moves_one_seat_on_from_match_to_match() -> None:
    result = practice({"a": Keen, "b": Keen, "c": Keen}, deals=1, matches=4)
    assert [match.bots for match in result.matches] == [
        ("a", "b", "c"),
        ("c", "a", "b"),
        ("b", "c", "a"),
        ("a", "b", "c"),
    ]


def test_chips_and_counts_follow_their_bot() -> None:
    result = practice({"a": Keen, "b": Drawing, "c": Wild}, deals=30, matches=4, strict=False)
    for row in result.bots:
        assert row.chips == sum(match.balances[match.bots.index(row.bot)] for match in result.matches)
        assert row.deals == 120
        assert row.per_100 == pytest.approx(row.chips / 1.2)
    wild = result.bots[2]
    assert wild.bot == "c"
    reneges = [event for match in result.matches for event in events_of(match) if isinstance(event, Reneged)]
    assert wild.reneges == len(reneges) > 0
    assert [row.faults for row in result.bots] == [0, 0, 0]
    assert sum(row.chips for row in result.bots) == 0


def test_names_come_from_classes_and_stay_apart() -> None:
    assert [row.bot for row in practice([Keen, Bot, Keen, Keen], deals=1).bots] == ["Keen", "Bot", "Keen 2", "Keen 3"]
    bots = [bot_from(name=name) for name in ("A 2", "A", "B", "A")]
    assert [row.bot for row in practice(bots, deals=1).bots] == ["A 2", "A", "B", "A 3"]


def test_notes_and_usage_are_kept_with_the_answers_that_they_came_with() -> None:
    class Talker(Keen):
        def play(self, view: View) -> Card:
            self.note(f"{view.legal[0]} of {view.hand}")
            self.add_usage(tokens_in=10**12, tokens_out=3, cost_millionths=20_000)
            return view.legal[0]

        def on_match_end(self, balances: tuple[int, ...]) -> None:
            self.note("too late")

    played = practice([Talker, Keen], deals=5, matches=2)
    for match in played.matches:
        deals = {deal.deal: deal for deal in read(match.record).deals}
        assert match.notes
        for note in match.notes:
            seat, action = deals[note.deal].actions[note.number - 1]
            assert (match.bots[seat], str(action)) == ("Talker", note.text.split()[0])
    assert played.notes == (*played.matches[0].notes, *played.matches[1].notes)
    calls = len(played.notes)
    told = (2**32 - 1) * calls  # no answer tells more than that
    assert played.bots[0].usage == Usage(told, 3 * calls, calls, 20_000 * calls)
    assert played.bots[1].usage is None
    words = f"Talker used {calls} calls, {told:,} tokens in, {3 * calls} out, cost {0.02 * calls:.2f}"
    assert str(played).splitlines()[3:] == [words]


def test_a_function_may_make_the_bots_and_each_match_has_its_own() -> None:
    made: list[Bot] = []

    def make() -> Bot:
        made.append(Keen())
        return made[-1]

    assert [row.bot for row in practice([make, Bot], deals=2, matches=3).bots] == ["make", "Bot"]
    assert len(set(map(id, made))) == 3


def test_what_is_no_bot_is_refused() -> None:
    with pytest.raises(TypeError, match=r".+ made .+, which is not a Bot: pass classes of bots"):
        practice([Bot, lambda: 5])  # type: ignore[list-item, return-value]


@pytest.mark.parametrize("seats", [0, 1, 9])
def test_a_table_for_too_few_or_too_many_is_refused(seats: int) -> None:
    with pytest.raises(InvalidHouse, match=rf"{seats} seats cannot play Bourré \(R1.1\)"):
        practice([Bot] * seats)


def test_no_match_and_no_deal_are_refused() -> None:
    with pytest.raises(ValueError, match="0 matches are too few: play at least one"):
        practice([Bot, Bot], matches=0)
    with pytest.raises(InvalidHouse, match="0 deals are too few for a match"):
        practice([Bot, Bot], deals=0)


def test_printed_it_is_a_table_with_the_best_first() -> None:
    class Mute(Keen):
        def play(self, view: View) -> Card:
            raise KeyError("lost")

    bots = {"low": Keen, "a longer name": Drawing, "wild": Wild, "mute": Mute}
    result = practice(bots, deals=30, seed=1, matches=2, strict=False)
    rows = [
        "a longer name      60     +632  +1053.3      25        9        0       0",
        "low                60     +189   +315.0      10       18        0       0",
        "wild               60      -72   -120.0       4       22       17       0",
        "mute               60     -749  -1248.3       0       19        0     139",
    ]
    assert str(result).splitlines() == [
        "bot             deals    chips  per 100    wins  bourrés  reneges  faults",
        *rows,
    ]
    cells = re.findall("<td>([^<]*)</td>", result._repr_html_())
    assert cells == [cell for row in rows for cell in re.split(" {2,}", row)[1:]]


def test_results_add_up_whatever_was_used() -> None:
    one, other = BotResult("a", 1, 2, 3, 4, 5, 6, Usage(calls=1)), BotResult("a", 10, 20, 30, 40, 50, 60)
    assert one + other == other + one == BotResult("a", 11, 22, 33, 44, 55, 66, Usage(calls=1))
    assert (one + one).usage == Usage(calls=2)


def test_a_bot_that_cannot_be_made_is_named_with_the_line() -> None:
    class Unmade(Keen):
        def __init__(self) -> None:
            raise KeyError("lost")

    line = Unmade.__init__.__code__.co_firstlineno + 1
    words = rf"^Unmade cannot be made: KeyError: 'lost'\n  where: test_practice\.py, line {line}"
    with pytest.raises(PracticeError, match=words):
        practice([Unmade, Bot])


def test_duplicate_practice_plays_every_seating_with_new_bots() -> None:
    made: list[Bot] = []

    def wild() -> Bot:
        made.append(Wild())
        return made[-1]

    def play(seed: int | bytes) -> str:
        bots: dict[str, Callable[[], Bot]] = {"keen": Keen, "drawing": Drawing, "wild": wild}
        return practice_duplicate(bots, 2, lambda _, deal: LINE_UPS[deal], seed, stakes=(0, 3), strict=False)

    record = read(play(7))
    assert len({id(bot) for bot in made}) == len(record.deals) == 6
    places = [(deal.deal, deal.seating, deal.line_up) for deal in record.deals]
    assert places == [(deal, at, seats) for deal in LINE_UPS for at, seats in enumerate(LINE_UPS[deal], start=1)]
    assert (record.header.match, record.header.stakes, record.final) == ("m0001", (0, 3), (-6720, 15960, -9240))
    assert read(play(master_seed(7))) == record


LINE_UPS = {1: ((0, 1, 2), (2, 0, 1), (1, 2, 0)), 2: ((1, 0, 2), (0, 2, 1), (2, 1, 0))}


def test_forced_plays_are_made_for_the_bot() -> None:
    class Choosing(Keen):
        def play(self, view: View) -> Card:
            assert len(view.legal) > 1
            return view.legal[0]

    record = read(practice([Choosing] * 4, deals=30).matches[0].record)
    assert sum(map(sum, (deal.taken for deal in record.deals))) == 5 * 30


def test_listeners_hear_what_their_seat_may_know_before_they_are_asked() -> None:
    heard: list[list[Event]] = [[]]
    ends: list[tuple[int, ...]] = []

    class Listening(Keen):
        def on_event(self, event: Event) -> None:
            heard[-1].append(event)

        def play(self, view: View) -> Card:
            heard.append([])
            return view.legal[-1]

        def on_match_end(self, balances: tuple[int, ...]) -> None:
            assert isinstance(heard[-1][-1], MatchEnded)
            ends.append(balances)

    match = practice([Bot, Listening, Drawing], deals=10, seed=2).matches[0]
    assert [event for part in heard for event in part] == list(visible_to(1, events_of(match)))
    assert len(heard) > 2
    assert all(heard)
    assert ends == [match.balances]


def test_dice_of_a_bot_are_those_of_its_view() -> None:
    class Dicing(Keen):
        def play(self, view: View) -> Card:
            assert view.rng.random() == Random(f"{view.seed} {view.decision} {len(view.tricks)} None").random()
            return view.rng.choice(view.legal)

    assert practice([Dicing] * 3, deals=10) == practice([Dicing] * 3, deals=10)
