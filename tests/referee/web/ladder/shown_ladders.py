"""Ladders on disk for the tests of their pages: rooms are paired, played without bots and stored as a host does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from threading import Thread
from typing import cast

import httpx
from starlette.testclient import TestClient

from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.ladder.board.board import Board
from bourre_referee.ladder.board.live_ratings import LiveRatings
from bourre_referee.ladder.host.administration import new_ladder
from bourre_referee.ladder.host.board_file import board_file, write_board
from bourre_referee.ladder.host.epoch_run import EpochRun
from bourre_referee.ladder.host.joining import Newcomer, add_hosted
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.open_epochs import GameReader
from bourre_referee.ladder.log.events import (
    BotArrived,
    EpochClosed,
    EpochOpened,
    Event,
    RoomFinished,
    RoomPaired,
    SeasonOpened,
)
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.matchmaking.next_room import pair
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.web.app_shell import Application
from bourre_referee.web.ladder.ladder_app import create_ladder_application
from bourre_referee.web.ladder.owner_acts import ladder_keys
from bourre_referee.web.owner_access import COOKIE
from bourre_referee.web.server import listener_url, make_server, open_listener
from tests.referee.realistic_rooms import played
from tests.referee.web.serving import computing_here

NAME = "for-all"
FILE = f"""\
[ladder]
name = "{NAME}"
[table]
seats = 3
deals = 4
[rules]
preset = "limit"
[isolation]
level = "none"
[[staff]]
name = "tight"
command = ["python", "tight.py"]
[[staff]]
name = "loose"
command = ["python", "loose.py"]
"""
BEGAN = datetime(2026, 11, 23, 4, 30, tzinfo=UTC)


class ShownLadder:
    """A ladder with the owners `Ann`, `Bob <b>` and `Cy`, who have a bot each, and an open epoch."""

    def __init__(self, place: Path) -> None:
        place.mkdir(parents=True, exist_ok=True)
        for name in ("tight", "loose", "bot"):
            (place / f"{name}.py").write_text(f"print({name!r})\n")
        (place / "ladder.toml").write_text(FILE)
        self._ticks = 0
        self.place = place
        self.folder: LadderFolder = new_ladder(place / "ladder", place / "ladder.toml", self._now)
        self.log = self.folder.open_log(self._now)
        self.runs: dict[bool, EpochRun] = {}
        self.join("ada", "Ann")
        self.join("bob", "Bob <b>")
        self.join("cy", "Cy")
        self.note(*(BotArrived(bot) for bot in ("tight", "loose", "ada", "bob", "cy")))
        self.open_epoch()

    def _now(self) -> datetime:
        self._ticks += 1
        return BEGAN + timedelta(seconds=self._ticks)

    @property
    def state(self) -> LadderState:
        """What its log comes to."""
        self.log.read()
        return self.log.state

    def join(self, bot: str, owner: str, version: str | None = None) -> None:
        """Adds a hosted bot, or a new version of one."""
        add_hosted(self.folder, Newcomer(bot, owner, version), ["python", "bot.py"], ["bot.py"], self.place, self._now)

    def note(self, *events: Event) -> None:
        """Logs what happens."""
        with self.log.appending() as tail:
            for event in events:
                tail.append(event)

    def open_epoch(self) -> None:
        """Opens the next epoch, with a seed of its own that is the same each time."""
        number, settings = self.state.epoch + 1, self.folder.settings()
        terms = terms_of(replace(settings.contest, entrants=(), schedule=ScheduleChoice("ladder")))
        for rated in (True, False):
            place = self.folder.epoch(number, rated=rated)
            place.make()
            with place.hold() as led:
                led.keep_seed(sha256(f"epoch {number}, rated {rated}".encode()).digest())
            self.runs[rated] = EpochRun.create(place, f"epoch {number}", terms)
        self.note(EpochOpened(number, self.runs[True].commitment, self.runs[False].commitment))

    def begin(self, line_up: Sequence[str] = (), asked_by: str = "") -> int:
        """Pairs the next room, or calls these bots to an unrated one; returns its number."""
        room = self.state.rooms_paired + 1
        if line_up:
            self.note(RoomPaired(room, tuple(line_up), rated=False, asked_by=asked_by))
        else:
            found = pair(self.state, self.runs[True].seed, "default")
            assert found is not None
            self.note(RoomPaired(room, found.line_up, found.rated))
        epoch = self.state.seasons.epochs[-1]
        self.runs[True].call(epoch.rated)
        self.runs[False].call(epoch.unrated)
        return room

    def finish(self, room: int) -> None:
        """Plays a room that began, and lets each of its bots print something."""
        place = self.state.seasons.place_of(room)
        assert place is not None
        spec = self.runs[place.rated].spec(place.match)
        self.runs[place.rated].take(played(spec))
        for entrant in spec.line_up:
            log = self.folder.logs / entrant / f"room{room:06}.log"
            log.parent.mkdir(parents=True, exist_ok=True)
            log.write_text(f"the secret of {entrant}\n")
        self.note(RoomFinished(room, games=1))

    def play(self, rooms: int) -> None:
        """Plays rooms, one after another."""
        for _ in range(rooms):
            self.finish(self.begin())

    def close_epoch(self) -> None:
        """Closes the epoch, whose rooms are all over."""
        for run in self.runs.values():
            run.close_epoch()
            run.close()
        rated, unrated = (self.runs[each].manifest.digest or "" for each in (True, False))
        self.note(EpochClosed(self.state.epoch, rated, unrated))

    def open_season(self) -> None:
        """Opens the second season; what was shown last is the last board of the first."""
        self.folder.board.rename(self.folder.last_board(1))
        self.note(SeasonOpened(2))

    def write_board(self) -> None:
        """Writes what the pages show, as its host does every few seconds."""
        board, games = Board("default", LiveRatings(), timedelta(days=14)), GameReader(self.folder)
        log = self.folder.open_log()
        for logged in log.read_new():
            board.note(logged.event, datetime.fromisoformat(logged.at), log.state)
            if isinstance(logged.event, RoomFinished):
                place = log.state.seasons.place_of(logged.event.room)
                if place is not None and place.rated:
                    board.take(games.read(logged.event.room, place))
        now = BEGAN + timedelta(seconds=self._ticks)
        write_board(self.folder.board, board_file(NAME, now, {"default": board}, log.state))

    def key(self, owner: str) -> str:
        """The key of an owner."""
        return ladder_keys(self.folder).key(owner) or ""


@dataclass(frozen=True, slots=True)
class ServedLadder:
    """A running server of a ladder's pages."""

    ladder: ShownLadder
    application: Application
    url: str
    """Ends with a slash."""
    client: httpx.Client

    def cookie(self, owner: str) -> dict[str, str]:
        """The header that the browser of an owner sends, who has logged in."""
        return {"Cookie": f"{COOKIE}={self.ladder.key(owner)}"}

    def text(self, path: str, owner: str = "") -> str:
        """Returns the text at this address, as this owner sees it."""
        answer = self.client.get(path, headers=self.cookie(owner) if owner else {}, follow_redirects=True)
        assert answer.status_code == 200, answer.text
        return answer.text


@contextmanager
def serving_ladder(ladder: ShownLadder) -> Iterator[ServedLadder]:
    """Serves the pages of a ladder until the end of the block."""
    application = create_ladder_application(ladder.folder, NAME)
    listener = open_listener("127.0.0.1", 0)
    server = make_server(application.app, application.end)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]})
    url = listener_url(listener, "127.0.0.1")
    thread.start()
    try:
        with computing_here(), closing(httpx.Client(base_url=url, trust_env=False, timeout=60)) as client:
            yield ServedLadder(ladder, application, url, client)
    finally:
        server.should_exit = True
        thread.join()


def asked_here(ladder: ShownLadder) -> ServedLadder:
    """The pages of a ladder, asked in this process and without a server."""
    application = create_ladder_application(ladder.folder, NAME)
    client = TestClient(application.app, base_url="http://127.0.0.1", follow_redirects=False)
    return ServedLadder(ladder, application, "http://127.0.0.1/", cast(httpx.Client, client))


def busy_ladder(place: Path, rooms: int = 12) -> ShownLadder:
    """A ladder in its second season: a closed epoch, an open one with a room in play, a bot in its second version."""
    ladder = ShownLadder(place)
    ladder.play(rooms)
    ladder.close_epoch()
    ladder.write_board()
    ladder.open_season()
    ladder.open_epoch()
    ladder.join("ada", "Ann", "2.0 <i>")
    ladder.note(BotArrived("ada"))
    ladder.play(rooms // 2)
    ladder.begin()
    ladder.write_board()
    return ladder
