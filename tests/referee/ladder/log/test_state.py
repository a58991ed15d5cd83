"""The state of a ladder: what events come to, and which cannot have happened."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from bourre_referee.ladder.log.events import (
    BotArrived,
    BotBenched,
    BotJoined,
    BotLeft,
    BotPaused,
    BotReinstated,
    BotResumed,
    BotRetired,
    ChallengeAsked,
    EpochClosed,
    EpochOpened,
    Event,
    LadderError,
    LadderFrozen,
    LadderOpened,
    LadderThawed,
    MatchVoided,
    RoomFinished,
    RoomOverran,
    RoomPaired,
    RoomVoided,
    SeasonOpened,
    TermsSet,
)
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.matchmaking.waiting_reasons import explain
from tests.referee.ladder.ladders import Ladder, joined

ROOM = RoomPaired(1, ("a", "b", "c"), rated=True)


def started() -> Ladder:
    """A ladder of three bots, all in room 1."""
    return Ladder(*joined("a", "b", "c"), ROOM)


def test_a_room_counts_seats_neighbours_and_tablemates() -> None:
    bots = started().state.bots
    a, b, c = (bots[name] for name in "abc")
    assert [bot.at_seat for bot in (a, b, c)] == [{0: 1}, {1: 1}, {2: 1}]
    assert a.met == {b.number: 1, c.number: 1}
    assert (a.at_left, c.at_left) == ({b.number: 1}, {a.number: 1})


def test_a_void_room_counts_for_nobody() -> None:
    ladder = started()
    ladder.note(RoomVoided(1, "a worker was lost"))
    for bot in ladder.state.bots.values():
        assert (bot.room, bot.games, bot.turns, bot.rooms) == (None, 0, 0, 0)
        assert not bot.at_seat
        assert not bot.met
        assert not bot.at_left
    assert len(ladder.state.lists["fast"]) == 3


def test_a_finished_room_counts_its_games() -> None:
    ladder = started()
    ladder.note(RoomFinished(1, games=4))
    assert [(bot.games, bot.turns, bot.ended_before) for bot in ladder.state.bots.values()] == [(4, 1, 1)] * 3


def known(ladder: Ladder) -> tuple[dict[str, int], list[set[str]]]:
    """How many opponents each bot has, and who waits, who of them need not wait for others, and who is staff."""
    waiting = ladder.state.lists["fast"]
    opponents = {name: waiting.opponents(bot, owners_apart=True) for name, bot in ladder.state.bots.items()}
    ready = {bot.bot for bot in waiting.within_lead()}
    return opponents, [set(waiting.all_waiting()), ready, {*waiting.newcomers}, {*waiting.staff}]


@pytest.mark.parametrize(
    ("stop", "go"),
    [
        (BotLeft, BotArrived),
        (BotPaused, BotResumed),
        (partial(BotBenched, reason="too many faults"), BotReinstated),
    ],
)
def test_a_bot_that_is_stopped_waits_no_more_and_that_it_goes_on_changes_nothing(
    stop: Callable[[str], Event], go: Callable[[str], Event]
) -> None:
    ladder = Ladder(*joined("a:Ann", "b:Ann", "c"), *joined("tight:host", "loose:host", staff=True), *joined("new"))
    before = known(ladder)
    assert before[0] == {"a": 3, "b": 3, "c": 4, "tight": 4, "loose": 4, "new": 5}
    stopped = {"a": {"a": 3, "b": 3, "c": 3}, "tight": {"a": 2, "c": 3, "loose": 3}, "new": {"a": 3, "new": 5}}
    for bot, opponents in stopped.items():
        for _ in range(4):
            ladder.note(stop(bot), stop(bot))
            now, sets = known(ladder)
            assert now.items() >= opponents.items()
            assert not any(bot in names for names in sets)
            ladder.note(go(bot), go(bot))
        assert known(ladder) == before


def test_who_leaves_in_a_room_finishes_it_and_waits_only_when_back() -> None:
    ladder = started()
    ladder.note(BotLeft("b"), BotLeft("c"))
    assert ladder.state.lists["fast"].awaits_others()
    ladder.note(BotLeft("a"))
    assert not ladder.state.lists["fast"].awaits_others(), "nobody there will come back"
    ladder.note(BotArrived("b"), BotArrived("c"), RoomFinished(1, games=1))
    assert ladder.state.bots["a"].games == 1
    assert ladder.pair() is None
    ladder.note(BotArrived("a"))
    assert ladder.pair() is not None


def test_who_leaves_in_its_probation_room_has_passed_it_and_counts_once_it_is_back() -> None:
    ladder = Ladder(*joined("tight:host", "loose:host", staff=True), *joined("a"))
    ladder.begin()
    ladder.note(BotLeft("a"), RoomFinished(1, games=1))
    assert (known(ladder)[0]["tight"], ladder.state.bots["a"].probation) == (1, False)
    ladder.note(BotArrived("a"))
    assert known(ladder)[0]["tight"] == 2
    assert ladder.begin().rated


def test_only_a_newcomer_that_finds_staff_of_its_class_is_on_probation() -> None:
    ladder = Ladder(*joined("tight", staff=True), *joined("a"), *joined("s", clock_class="slow"), BotRetired("tight"))
    second = BotJoined("tight", 2, "2", "owner of tight", "fast", staff=True)
    ladder.note(*joined("b"), second, *joined("c"), replace(second, number=3), *joined("d"), BotRetired("tight"))
    ladder.note(*joined("e"))
    assert [bot.bot for bot in ladder.state.entrants if bot.probation] == ["a", "c", "d"]


def test_a_new_version_has_a_record_of_its_own_and_waits_for_the_old_ones_room() -> None:
    ladder = started()
    old = ladder.state.bots["a"]
    ladder.note(BotJoined("a", 2, "2", "owner of a", "fast"), BotArrived("a"), *joined("d", "e"))
    assert ladder.pair() is None
    ladder.note(RoomFinished(1, games=1))
    new = ladder.state.bots["a"]
    assert (old.retired, old.games, new.games, new.met) == (True, 1, 0, {})
    assert len(ladder.state.lists["fast"]) == 5


def test_who_comes_back_makes_up_for_nothing() -> None:
    ladder = Ladder(*joined("a", "b", "c", "d"), BotLeft("d"))
    for _ in range(7):
        ladder.play()
    ladder.note(BotArrived("d"))
    assert ladder.state.bots["d"].turns == 8
    met = [ladder.play().line_up for _ in range(8)]
    assert sum("d" in line_up for line_up in met) in (5, 6, 7)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (LadderOpened(5, owners_apart=True), "event 11: the first event, and no other, opens the ladder"),
        (EpochOpened(3, "", ""), "epoch 3 follows epoch 1"),
        (BotPaused("zorro"), "no bot called 'zorro' has joined"),
        (BotJoined("a", 3, "3", "owner of a", "fast"), "version 3 of a follows version 1"),
        (BotJoined("d", 2, "2", "owner of d", "fast"), "version 2 of d follows version 0"),
        (SeasonOpened(2), "season 2 follows season 0"),
        (EpochClosed(2, "", ""), "epoch 2 is not open"),
        (EpochClosed(0, "", ""), "epoch 0 is not open"),
        (EpochClosed(1, "", ""), "room 1 of epoch 1 is being played"),
        (MatchVoided(1, 1, "unplugged"), "room 1 has not been finished"),
        (MatchVoided(1, 2, "unplugged"), "room 2 has not been finished"),
        (replace(ROOM, room=2, asked_by="Ann"), "room 2 is a challenge, which is never rated"),
        (replace(ROOM, room=2), "a was not free for room 2"),
        (replace(ROOM, room=3), "room 3 follows room 1"),
        (replace(ROOM, room=2, line_up=("a", "a")), "room 2 must hold 2 to 8 different bots"),
        (replace(ROOM, room=2, line_up=("a",)), "room 2 must hold"),
        (RoomFinished(2, games=1), "room 2 is not being played"),
        (RoomVoided(2, "unplugged"), "room 2 is not being played"),
    ],
)
def test_what_cannot_have_happened_is_refused(event: Event, message: str) -> None:
    with pytest.raises(LadderError, match=message):
        started().note(event)


def test_a_room_holds_at_most_eight_bots_and_staff_sits_in_one_rated_room_at_a_time() -> None:
    nine = tuple("abcdefghi")
    ladder = Ladder(*joined(*nine), *joined("tight", staff=True), *joined("new"))
    with pytest.raises(LadderError, match="room 1 must hold 2 to 8 different bots"):
        ladder.note(RoomPaired(1, nine, rated=True))
    ladder.note(RoomPaired(1, ("a", "tight"), rated=True))
    with pytest.raises(LadderError, match="tight was not free for room 2"):
        ladder.note(RoomPaired(2, ("b", "tight"), rated=True))
    ladder.note(RoomPaired(2, ("new", "tight"), rated=False))
    assert [ladder.state.bots[bot].room for bot in ("a", "tight", "new")] == [1, 1, 2]


def test_what_is_refused_changes_nothing() -> None:
    ladder = started()
    for event in (RoomFinished(2, games=1), BotPaused("zorro"), replace(ROOM, room=2)):
        with pytest.raises(LadderError, match="event 11: "):
            ladder.state.apply(event)
    ladder.note(RoomFinished(1, games=1))
    assert len(ladder.state.lists["fast"]) == 3
    with pytest.raises(LadderError, match="room 1 is not being played"):
        ladder.note(RoomFinished(1, games=1))
    ladder.note(BotRetired("a"))
    with pytest.raises(LadderError, match="a was not free"):
        ladder.note(replace(ROOM, room=2))


STAFF_CHALLENGE = RoomPaired(1, ("a", "tight", "loose"), rated=False, asked_by="owner of a")


def test_a_challenge_counts_for_nobody_and_leaves_the_probation_open() -> None:
    ladder = Ladder(*joined("tight", "loose", staff=True), *joined("a"))
    ladder.note(ChallengeAsked("owner of a", ("a", "tight", "loose")), STAFF_CHALLENGE)
    assert ladder.state.bots["a"].room == 1
    ladder.note(RoomFinished(1, games=5, took_ms=9_000))
    a = ladder.state.bots["a"]
    assert (a.games, a.turns, a.rooms, a.probation, a.room) == (0, 0, 0, True, None)
    assert (ladder.state.lists["fast"].lengths.usual_ms, ladder.state.lists["fast"].ended) == (0, 0)
    ladder.note(*joined("d", "e", "f", staff=True), *joined("b"))
    assert not ladder.begin().rated, "a challenge does not take the turn of a probation room"


def test_the_final_rounds_begin_and_end() -> None:
    ladder = Ladder(LadderFrozen())
    assert ladder.state.frozen
    ladder.note(LadderThawed())
    assert not ladder.state.frozen


def test_a_log_begins_with_its_terms() -> None:
    with pytest.raises(LadderError, match="event 1: the first event"):
        LadderState().apply(BotLeft("a"))
    with pytest.raises(LadderError, match="2 to 8 seats, not 9"):
        LadderState().apply(LadderOpened(9, owners_apart=True))


def test_who_leaves_before_rooms_begin_waits_for_longer_each_time_until_it_plays() -> None:
    ladder = Ladder(*joined("a", "b", "c"))
    turns: list[int] = []

    def play(*left: str) -> None:
        room = ladder.state.rooms_paired + 1
        ladder.note(RoomPaired(room, ("a", "b", "c"), rated=True))
        ladder.note(RoomVoided(room, "a left before it began", left) if left else RoomFinished(room, 1))
        turns.append(ladder.state.bots["a"].turns)

    for _ in range(3):
        play("a")
    assert ladder.state.bots["b"].turns == 0
    ladder.note(BotJoined("a", 2, "2", "owner of a", "fast"), BotArrived("a"))
    assert explain(ladder.state, "a").reason == ("it left before room 3 began, so the others play first")
    assert ladder.state.lists["fast"].opponents(ladder.state.bots["b"], owners_apart=True) == 1, "the new version rests"
    for left in (["a"], [], ["a"]):
        play(*left)
    assert turns == [4, 4 + 8, 4 + 8 + 16, 28 + 32, 61, 61 + 32]
    assert [ladder.state.bots["a"].note_leaving(room) for room in range(3)] == [64, 128, 128]


SLOW = RoomFinished(1, games=1, took_ms=60_000, thought_ms=(59_000, 200, 300))


def test_a_bot_has_as_many_turns_as_its_thinking_takes() -> None:
    """Usual rooms of three take a second here, so 59 seconds are 177 shares."""
    ladder = Ladder(*joined(*"abcdef"))
    for room in (1, 2):
        line_up = ("d", "e", "f")
        ladder.note(RoomPaired(room, line_up, rated=True), RoomFinished(room, 1, 1_000, (400, 200, 100)))
    ladder.note(RoomPaired(3, ("a", "b", "c"), rated=True), replace(SLOW, room=3))
    assert {bot.bot: bot.turns for bot in ladder.state.bots.values()} == {
        **dict.fromkeys("bc", 1),
        **dict.fromkeys("def", 2),
        "a": 2 * 177 - 3,
    }
    others = [ladder.play().line_up for _ in range(20)]
    assert not any("a" in line_up for line_up in others)
    assert "took long, so the others play first" in explain(ladder.state, "a").reason


def test_a_slow_bot_plays_when_nobody_else_is_about_to() -> None:
    ladder = Ladder(*joined("a", "b", "c"), RoomPaired(1, ("a", "b", "c"), rated=True), SLOW)
    assert sorted(ladder.begin().line_up) == ["a", "b", "c"]


def test_a_room_that_overruns_holds_up_nobody() -> None:
    ladder = Ladder(*joined(*"abcdef"), ROOM)
    for room in (2, 3):
        ladder.note(RoomPaired(room, ("d", "e", "f"), rated=True), RoomFinished(room, games=1))
    assert ladder.pair() is None
    ladder.note(RoomOverran(1))
    for _ in range(5):
        assert sorted(ladder.play().line_up) == ["d", "e", "f"]
    ladder.note(RoomFinished(1, games=1))
    assert {bot.turns - ladder.state.lists["fast"].floor for bot in ladder.state.bots.values()} <= {0, 1}


def test_a_room_has_as_many_times_as_bots() -> None:
    with pytest.raises(LadderError, match="room 1 has 3 bots, not 2"):
        started().note(RoomFinished(1, games=1, took_ms=900, thought_ms=(1, 2)))


def test_an_epoch_is_paired_by_the_rule_of_the_terms_under_which_it_opened() -> None:
    ladder, rules = Ladder(*joined("a")), []
    for epoch, terms in enumerate([(), (("pairing", "2"),)], start=2):
        ladder.note(TermsSet("", terms))
        rules.append((ladder.state.pairing, ladder.state.lists["fast"].pairing))
        ladder.note(EpochOpened(epoch, "00", ""))
    rules.append((ladder.state.pairing, ladder.state.lists["fast"].pairing))
    assert rules == [(2, 2), (1, 1), (2, 2)]
    with pytest.raises(LadderError, match="paired by rule 3, which this version lacks"):
        ladder.note(TermsSet("", (("pairing", "3"),)), EpochOpened(4, "00", ""))
