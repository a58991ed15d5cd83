"""Which rooms may begin at the listener: a bot sits in one at a time, and nobody waits for a room that waits."""

from dataclasses import dataclass, replace

import pytest

from bourre.rules.house import HouseRules
from bourre_referee.model.listener_spec import AWAY_SECONDS, RETURN_SECONDS, ListenerSpec
from bourre_referee.model.spec import BotSpec, Clock, MatchSpec, RoomSpec
from bourre_referee.runner.remote_rooms import RemoteRooms, choose
from bourre_referee.runner.remote_worker import BotChanged, HellosRefused, RemoteRoomAnswer, RemoteTrouble
from bourre_referee.runner.room_reports import RefusedHellos, RemotePresence, RoomLost, RoomPlayed, RoomTask, WorkerNews
from bourre_referee.runner.worker import Failed, Played
from tests.referee import rooms as fakes
from tests.referee.remote_desk import LADDER, SITE, RemoteDesk
from tests.referee.scripted_workers import DEATH


def entry(name: str) -> BotSpec:
    """A bot; one in capitals is started on this machine."""
    return BotSpec(name, ("run", name) if name[0].isupper() else None)


def task(room: str) -> RoomTask:
    """A room of these bots, each a letter."""
    entries = tuple(map(entry, room))
    return RoomTask(RoomSpec(room=room, entries=entries, matches=(), tables=1, clock=Clock(), max_faults=10))


def chosen(waiting: str, playing: str = "", here: str = "abcdef", free: int = 9, spare: int = 9) -> str:
    """The rooms that begin, each word a room."""
    rooms = choose(map(task, waiting.split()), map(task, playing.split()), here, free, spare)
    return " ".join(each.room.room for each in rooms)


def test_which_rooms_begin() -> None:
    assert chosen("ab cd ac ef") == "ab cd ef", "a bot sits in one room at a time"
    assert chosen("ab cd ef", playing="bx") == "cd ef"
    assert chosen("aX bX") == "aX bX", "the same bot of this machine may sit in several"
    assert chosen("ab ac de", here="acde") == "ac de", "rooms whose bots are here come first"
    assert chosen("ab cd", here="cd") == "cd ab"
    assert chosen("ab cd", free=0, spare=0) == "ab cd", "remote bots alone take no job"
    assert chosen("aX bX cX", free=2, spare=0) == "aX bX", "a mixed room takes a free job"
    assert chosen("aX bX", here="b", free=2, spare=0) == "bX", "one that has to wait only a spare one"
    assert chosen("aX bX", here="b", free=2, spare=2) == "bX aX"
    assert chosen("aX bX", here="b", free=1, spare=1) == "bX"


CONTEST = replace(LADDER, bots=("a", "b"), most_bots=None, versioned=False)
MATCHES = tuple(MatchSpec(match, ("a", "b"), HouseRules(), 1, bytes(32)) for match in ("m1", "m2"))


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> RemoteDesk:
    return RemoteDesk(monkeypatch)


def room_of(*names: str) -> RoomSpec:
    return replace(task("").room, room="-".join(names), entries=tuple(map(entry, names)))


@dataclass(slots=True)
class Hand:
    """A clock that stands still until it is moved."""

    seconds: float = 1000.0


def opened(
    desk: RemoteDesk,
    *bots: str,
    spec: ListenerSpec = LADDER,
    clock: Hand | None = None,
) -> RemoteRooms:
    """The rooms of a listener where these bots are."""
    listener, hand = desk.opened(spec), clock or Hand()
    rooms = RemoteRooms(listener, SITE, lambda: hand.seconds)
    desk.says(*(BotChanged(bot, True) for bot in bots))
    assert len(rooms.reports(bool(bots))) == len(bots)
    return rooms


def as_it_is(room: RoomSpec) -> RoomSpec:
    return room


def begun(desk: RemoteDesk, rooms: RemoteRooms, *, free: int = 9, wanted: int = 0) -> list[str]:
    """The rooms that the listener has after a hand-out."""
    rooms.hand_out(free, wanted, as_it_is)
    return [call.room.room for call in desk.calls()]


def test_rooms_of_versions_wait_for_the_bots_and_take_their_lines(desk: RemoteDesk) -> None:
    rooms = opened(desk)
    desk.says(BotChanged("a", True), BotChanged("b", True), RemoteTrouble("the file of tokens is damaged"))
    assert rooms.reports(True) == [
        RemotePresence(("a",), frozenset("a"), "a connected"),
        RemotePresence(("a", "b"), frozenset("ab"), "b connected"),
        WorkerNews("the file of tokens is damaged"),
    ]
    for names in (("c.1", "X.1"), ("a.2", "X.1"), ("a.3", "b.1")):
        rooms.submit(room_of(*names))
    # c is not here; a sits already.
    assert begun(desk, rooms, free=1, wanted=1) == ["a.2-X.1"]
    refused = (RefusedHellos("revoked token", "a", 2),)
    desk.says(BotChanged("a", False), HellosRefused(refused))
    assert rooms.reports(True) == [
        RemotePresence(("b",), frozenset("b"), "a left"),
        RemotePresence(("b",), frozenset("b"), refused=refused),
    ]


def test_a_room_that_waits_for_its_bot_leaves_jobs_to_others_and_rooms_in_play_take_theirs(desk: RemoteDesk) -> None:
    rooms, first = opened(desk, spec=CONTEST), room_of("a", "X")
    rooms.submit(first)
    assert (rooms.busy, rooms.jobs, rooms.wanted, rooms.in_play) == (True, 0, 1, ())
    assert begun(desk, rooms, free=1, wanted=1) == []
    assert begun(desk, rooms, free=1) == ["a-X"]
    assert (rooms.busy, rooms.jobs, rooms.wanted, rooms.in_play) == (True, 1, 0, (first,))
    rooms.submit(room_of("b", "X"))
    rooms.submit(room_of("a"))
    assert (rooms.jobs, rooms.wanted) == (1, 1)
    assert begun(desk, rooms, free=1) == ["a-X"], "its job is taken, and a sits"
    desk.says(BotChanged("b", True))
    rooms.reports(True)
    assert begun(desk, rooms, free=1) == ["a-X"], "nor is there one for a room whose bot is here"
    assert begun(desk, rooms, free=2, wanted=1) == ["a-X", "b-X"]
    desk.says(RemoteRoomAnswer(1, Played(())))
    assert rooms.reports(True) == [RoomPlayed(first, 1, ())]
    assert begun(desk, rooms, free=0) == ["a-X", "b-X", "a"], "remote bots alone take no job"
    assert (rooms.jobs, rooms.wanted) == (1, 0)


def test_after_the_death_of_a_listener_its_rooms_come_first_and_bots_get_time_to_come_back(desk: RemoteDesk) -> None:
    clock = Hand()
    rooms = opened(desk, "a", "b", clock=clock)
    for name in ("a.1", "b.1", "a.2"):
        rooms.submit(room_of(name))
    assert begun(desk, rooms) == ["a.1", "b.1"]
    clock.seconds += RETURN_SECONDS
    desk.says(DEATH)
    died = "the listener process was killed by SIGKILL"
    assert rooms.reports(True) == [
        WorkerNews(f"{died}: a new one has opened at the same port"),
        RoomLost(room_of("a.1"), 1, died),
        RoomLost(room_of("b.1"), 1, died),
        RemotePresence((), frozenset()),
    ]
    assert (rooms.in_play, begun(desk, rooms)) == ((), []), "nobody is called who has not come back"
    clock.seconds += AWAY_SECONDS
    assert rooms.reports(False) == []
    desk.says(BotChanged("a", True), BotChanged("b", True))
    rooms.reports(True)
    assert begun(desk, rooms) == ["a.1", "b.1"]
    assert [told.number for told in desk.calls()] == [3, 4]
    desk.workers[-1].hung = True
    hung = "the listener process hung: it gave no sign of life for 60 s"
    assert rooms.reports(False)[:2] == [
        WorkerNews(f"{hung}: a new one has opened at the same port"),
        RoomLost(room_of("a.1"), 2, hung),
    ]
    clock.seconds += RETURN_SECONDS
    assert [report.away for report in rooms.reports(False) if isinstance(report, RoomLost)] == [("a",), ("b",), ("a",)]
    assert not rooms.busy


def waiting(desk: RemoteDesk, *left: str) -> tuple[RemoteRooms, Hand]:
    """A ladder where `a` is, these bots were, and a room of `a` and `b` waits, with a clock that is moved by hand."""
    clock = Hand()
    rooms = opened(desk, "a", *left, clock=clock)
    for bot in left:
        desk.says(BotChanged(bot, False))
        rooms.reports(True)
    rooms.submit(room_of("a.1", "b.1"))
    return rooms, clock


def test_a_ladders_room_is_given_back_when_its_bot_stays_away(desk: RemoteDesk) -> None:
    rooms, clock = waiting(desk, "b")
    assert begun(desk, rooms) == []
    clock.seconds += AWAY_SECONDS - 1
    assert rooms.reports(False) == []
    clock.seconds += 1
    assert rooms.reports(False) == [RoomLost(room_of("a.1", "b.1"), 1, "b left before it began", ("b",))]
    assert not rooms.busy
    rooms.submit(room_of("a.2", "b.1"))
    assert rooms.reports(False) == [], "it waits as long"


def test_a_bot_that_an_opened_listener_has_not_seen_yet_gets_time_to_find_it(desk: RemoteDesk) -> None:
    rooms, clock = waiting(desk)
    clock.seconds += AWAY_SECONDS
    assert rooms.reports(False) == []
    clock.seconds += RETURN_SECONDS
    assert [lost.is_last for lost in rooms.reports(False) if isinstance(lost, RoomLost)] == [True]


def test_no_room_waits_for_a_bot_that_was_dismissed_until_it_is_called_again(desk: RemoteDesk) -> None:
    rooms, _ = waiting(desk)
    rooms.dismiss("a")
    assert rooms.reports(False) == [], "a is here, and may play"
    rooms.dismiss("b")
    assert len(rooms.reports(False)) == 1
    rooms.submit(room_of("a.1", "b.2"))
    assert rooms.reports(False) == []


def test_a_contests_room_is_never_given_back(desk: RemoteDesk) -> None:
    clock = Hand()
    rooms = opened(desk, spec=CONTEST, clock=clock)
    rooms.submit(room_of("a"))
    rooms.dismiss("a")
    clock.seconds += AWAY_SECONDS + RETURN_SECONDS
    assert (rooms.reports(False), begun(desk, rooms)) == ([], ["a"])


def test_a_bot_that_left_when_its_room_was_handed_over_is_told_by_the_listener(desk: RemoteDesk) -> None:
    rooms, room = opened(desk, "a"), room_of("a.1")
    rooms.submit(room)
    assert begun(desk, rooms) == ["a.1"]
    desk.says(RemoteRoomAnswer(1, Failed("a left before it began", ("a",))))
    assert rooms.reports(True) == [RoomLost(room, 1, "a left before it began", ("a",))]
    assert not rooms.busy


def test_a_bot_that_failed_to_start_often_enough_is_not_started_here_either(desk: RemoteDesk) -> None:
    rooms = opened(desk, "a")
    rooms.submit(room_of("a.1", "X.1"))
    rooms.hand_out(1, 0, lambda room: replace(room, absent=("X.1",)))
    assert [call.room.absent for call in desk.calls()] == [("X.1",)]
    desk.says(RemoteRoomAnswer(1, Played(())))
    assert rooms.reports(True) == [RoomPlayed(room_of("a.1", "X.1"), 1, ())]


def test_two_epochs_may_have_rooms_of_one_name_in_play(desk: RemoteDesk) -> None:
    rooms = opened(desk, "a", "b")
    first, second = room_of("a.1"), room_of("b.1")
    second = replace(second, room=first.room)
    for room in (first, second):
        rooms.submit(room)
    rooms.hand_out(1, 0, as_it_is)
    one, two = desk.calls()
    desk.says(RemoteRoomAnswer(two.number, Played(())), RemoteRoomAnswer(one.number, Played(())))
    assert rooms.reports(True) == [RoomPlayed(second, 1, ()), RoomPlayed(first, 1, ())]
    assert not rooms.busy


def test_what_is_left_of_a_room_or_lost_is_played_next_and_given_up_after_the_third_loss(desk: RemoteDesk) -> None:
    rooms, room = opened(desk, "a"), replace(room_of("a.1"), matches=MATCHES, restarts=True)
    rooms.submit(room)
    rooms.submit(room_of("a.2"))
    assert begun(desk, rooms) == ["a.1"]
    desk.says(RemoteRoomAnswer(1, Failed("no sandbox")))
    assert rooms.reports(True) == [RoomLost(room, 1, "no sandbox")]
    rooms.hand_out(0, 0, as_it_is)
    outcome, rest = fakes.played(MATCHES[0]), replace(room, room="m2", matches=MATCHES[1:])
    desk.says(RemoteRoomAnswer(2, Played((outcome,))))
    assert rooms.reports(True) == [RoomPlayed(replace(room, matches=MATCHES[:1]), 2, (outcome,))]
    for attempt in (1, 2, 3):
        rooms.hand_out(0, 0, as_it_is)
        desk.says(RemoteRoomAnswer(2 + attempt, Failed("no sandbox")))
        assert rooms.reports(True) == [RoomLost(rest, attempt, "no sandbox")]
    assert begun(desk, rooms) == ["a.1", "a.1", "m2", "m2", "m2", "a.2"]
