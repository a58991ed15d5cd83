"""Ladders on disk for tests: logged, paired and stored as a host does, by rooms that need no bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from bourre.rules.deck import derive
from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.ladder.host.epoch_run import EpochRun
from bourre_referee.ladder.host.ladder_storage import LOG
from bourre_referee.ladder.log.event_log import LogWriter
from bourre_referee.ladder.log.events import (
    EpochClosed,
    EpochOpened,
    Event,
    LadderOpened,
    RoomFinished,
    RoomPaired,
    RoomVoided,
    TermsSet,
)
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.matchmaking.next_room import pair
from bourre_referee.model.spec import MatchOutcome, MatchSpec
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.manifest import Terms
from tests.referee import contests
from tests.referee.ladder.ladders import SEED, joined
from tests.referee.rooms import played

SECRET = contests.FILE.replace("seed = 7\n", "")


def epoch_terms(place: Path) -> Terms:
    """The terms of an epoch at tables of three; writes a contest in this folder."""
    contest = contests.small_contest(place, SECRET)
    return terms_of(replace(contest, entrants=(), schedule=ScheduleChoice("ladder")))


def fix_seed(folder: Path, label: str) -> None:
    """Draws the secret seed of an epoch that will begin in this folder, the same one for each label."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "seed.secret").write_text(f"{derive(SEED, label).hex()}\n")


class PlayedLadder:
    """A ladder that plays one room after another, and logs a second for each event."""

    def __init__(self, folder: Path, terms: Terms, *, played: Callable[[MatchSpec], MatchOutcome] = played) -> None:
        self.folder = folder
        self.state = LadderState()
        self.rated: EpochRun
        self.unrated: EpochRun
        self._terms = terms
        self._played = played
        self._writer = LogWriter()
        folder.mkdir()
        self.note(LadderOpened(terms.seats, owners_apart=True), TermsSet(terms.hash, (("board.tau", "0.008"),)))

    @property
    def log(self) -> Path:
        """Its log."""
        return self.folder / LOG

    def epoch(self, number: int, kind: str = "") -> Path:
        """The folder of an epoch's rated rooms, or with `-unrated` of its others."""
        return self.folder / "epochs" / f"{number:04d}{kind}"

    def note(self, *events: Event) -> None:
        """Logs what happens."""
        for event in events:
            self.state.apply(event)
            with self.log.open("a") as log:
                log.write(f"{self._writer.line(event, '2026-11-23T04:30:00Z')}\n")

    def open_epoch(self) -> None:
        """Opens the next epoch."""
        number = self.state.epoch + 1
        for kind in ("", "-unrated"):
            fix_seed(self.epoch(number, kind), f"{number}{kind}")
        self.rated = EpochRun.create(FolderLocation(self.epoch(number)), f"ladder-{number}", self._terms)
        self.unrated = EpochRun.create(
            FolderLocation(self.epoch(number, "-unrated")), f"ladder-{number}-unrated", self._terms
        )
        self.note(EpochOpened(number, self.rated.commitment, self.unrated.commitment))

    def call(self, line_up: Sequence[str] | None = None) -> int:
        """Pairs the next room, or a challenge of these bots; returns its number."""
        room = self.state.rooms_paired + 1
        if line_up is not None:
            self.note(RoomPaired(room, tuple(line_up), rated=False, asked_by="someone"))
        else:
            found = pair(self.state, self.rated.seed, "fast")
            assert found is not None
            self.note(RoomPaired(room, found.line_up, found.rated))
        epoch = self.state.seasons.epochs[-1]
        self.rated.call(epoch.rated)
        self.unrated.call(epoch.unrated)
        return room

    def play(self, rooms: int = 1) -> None:
        """Pairs rooms and plays each to its end."""
        for _ in range(rooms):
            self.finish(self.call())

    def finish(self, room: int) -> None:
        """Plays a room that was called."""
        place = self.state.seasons.place_of(room)
        assert place is not None
        run = self.rated if place.rated else self.unrated
        run.take(self._played(run.spec(place.match)))
        self.note(RoomFinished(room, games=1))

    def give_up(self, room: int) -> None:
        """Fails a room three times."""
        place = self.state.seasons.place_of(room)
        assert place is not None
        run = self.rated if place.rated else self.unrated
        for _ in range(3):
            run.lose(place.match, "the disk is full")
        self.note(RoomVoided(room, "the disk is full"))
        run.give_up(place.match)

    def close_epoch(self) -> None:
        """Closes the epoch, of which all rooms must be over."""
        self.rated.close_epoch()
        self.unrated.close_epoch()
        unrated = self.unrated.manifest.digest if self.unrated.finished() else ""
        self.note(EpochClosed(self.state.epoch, self.rated.manifest.digest or "", unrated or ""))
        self.close()

    def close(self) -> None:
        """Lets others open its folders."""
        self.rated.close()
        self.unrated.close()


def small_ladder(place: Path, *, played: Callable[[MatchSpec], MatchOutcome] = played) -> PlayedLadder:
    """A ladder of six bots and two of staff, with an epoch that is open."""
    ladder = PlayedLadder(place / "ladder", epoch_terms(place / "contest"), played=played)
    ladder.note(*joined("tight", "loose", staff=True), *joined(*"abcdef"))
    ladder.open_epoch()
    return ladder
