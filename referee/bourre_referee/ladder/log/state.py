"""The state of a ladder after its logged events, on which matchmaking is based."""

from __future__ import annotations

from collections import Counter

from bourre_referee.ladder.log.challenges import Challenges
from bourre_referee.ladder.log.entrant import LadderEntrant, count_room
from bourre_referee.ladder.log.events import (
    BoardUpdated,
    BotArrived,
    BotBenched,
    BotEvent,
    BotJoined,
    BotLeft,
    BotPaused,
    BotReinstated,
    BotResumed,
    BotRetired,
    ChallengeEvent,
    EpochOpened,
    Event,
    LadderError,
    LadderEvent,
    LadderFrozen,
    LadderOpened,
    LadderThawed,
    LastBoardKept,
    MatchVoided,
    RoomEvent,
    RoomFinished,
    RoomOverran,
    RoomPaired,
    RoomVoided,
    SeasonOpened,
    TermsSet,
)
from bourre_referee.ladder.log.seasons import OpenRoom, Seasons, room_problem
from bourre_referee.ladder.log.waiting_list import WaitingList, pairing_rule


class LadderState:
    """The state after the events applied so far. Equal events give equal states."""

    def __init__(self) -> None:
        self.terms: LadderOpened | None = None
        """None before the first event."""
        self.terms_set: TermsSet | None = None
        """The current terms; None in a log of an older version, which lacks them."""
        self.pairing = 1
        """The pairing rule of the last opened epoch."""
        self.seasons = Seasons()
        """The seasons and their epochs."""
        self.frozen = False
        """Whether the final rounds are in progress."""
        self.bots: dict[str, LadderEntrant] = {}
        """The latest version of each bot."""
        self.entrants: list[LadderEntrant] = []
        """All versions, by number."""
        self.lists: dict[str, WaitingList] = {}
        """The waiting bots, by clock class."""
        self.rooms: dict[int, OpenRoom] = {}
        """The rooms in play, by number."""
        self.challenges = Challenges()
        """The unrated rooms that owners have requested."""
        self.events = 0
        """The number of applied events, which is the number of the log's last line."""
        self.rooms_paired = 0
        """The number of paired rooms, which is the number of the last one."""
        self._staff: Counter[str] = Counter()

    @property
    def epoch(self) -> int:
        """The number of the last epoch opened; 0 before the first."""
        return len(self.seasons.epochs)

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed for the pairings; empty before the first epoch."""
        return self.seasons.epochs[-1].opened.commitment if self.seasons.epochs else ""

    def apply(self, event: Event) -> None:
        """Applies the next event. If it is impossible, raises LadderError and changes nothing."""
        try:
            self._apply(event)
        except LadderError as error:
            hint = "restore the log as the host published it"
            raise LadderError(f"event {self.events + 1}: {error}: {hint}") from None
        self.events += 1

    def _apply(self, event: Event) -> None:
        if (self.terms is None) is not isinstance(event, LadderOpened):
            raise LadderError("the first event, and no other, opens the ladder")
        if isinstance(event, LadderEvent):
            self._apply_to_ladder(event)
        elif isinstance(event, RoomEvent):
            self._apply_to_room(event)
        elif isinstance(event, ChallengeEvent):
            self.challenges.take(event, self.bots, self.terms.seats if self.terms else 0)
        elif isinstance(event, BotJoined):
            self._join(event)
        else:
            self._change(self._bot(event.bot), event)

    def _apply_to_ladder(self, event: LadderEvent) -> None:
        match event:
            case LadderOpened():
                self._open(event)
            case TermsSet():
                self.terms_set = event
            case SeasonOpened():
                self.seasons.open_season(event)
            case LastBoardKept():
                self.seasons.keep_board(event)
            case EpochOpened():
                self.seasons.open_epoch(event, self.rooms_paired)
                self.pairing = pairing_rule(self.terms_set)
                for waiting in self.lists.values():
                    waiting.pairing = self.pairing
            case LadderFrozen() | LadderThawed():
                self.frozen = isinstance(event, LadderFrozen)
            case BoardUpdated():
                self._list(event.clock_class).part(event.undecided)
            case _:
                self.seasons.end_epoch(event, self.rooms)

    def _apply_to_room(self, event: RoomEvent) -> None:
        match event:
            case RoomPaired():
                self._pair(event)
            case RoomOverran():
                self._excuse(event.room)
            case RoomFinished():
                self._finish(event)
            case RoomVoided():
                self._void(event)
            case MatchVoided():
                self.seasons.void(event, self.rooms)

    def _open(self, event: LadderOpened) -> None:
        if not 2 <= event.seats <= 8:
            raise LadderError(f"a table has 2 to 8 seats, not {event.seats}")
        self.terms = event

    def _join(self, event: BotJoined) -> None:
        old = self.bots.get(event.bot)
        before = old.joined.number if old else 0
        if event.number != before + 1:
            raise LadderError(f"version {event.number} of {event.bot} follows version {before}")
        if old is not None:
            self._change(old, BotRetired(event.bot))
        tested = not event.staff and self._staff[event.clock_class] > 0
        entrant = LadderEntrant(len(self.entrants), event, probation=tested)
        if old is not None:
            entrant.inherit(old)
        self._staff[event.clock_class] += event.staff
        self.entrants.append(entrant)
        self.bots[event.bot] = entrant

    def _change(self, entrant: LadderEntrant, event: BotEvent) -> None:
        was_active = entrant.is_active
        match event:
            case BotArrived() | BotLeft():
                entrant.present = isinstance(event, BotArrived)
            case BotPaused() | BotResumed():
                entrant.pause(event)
            case BotBenched():
                entrant.bench(event)
                self.challenges.drop(entrant.bot)
            case BotReinstated():
                entrant.benched = None
            case BotRetired():
                self._staff[entrant.joined.clock_class] -= entrant.joined.staff and not entrant.retired
                entrant.retired = True
                self.challenges.drop(entrant.bot)
        if entrant.is_active and not was_active:
            self._activate(entrant)
        elif was_active and not entrant.is_active:
            self._deactivate(entrant)

    def _activate(self, entrant: LadderEntrant) -> None:
        waiting = self._list_of(entrant)
        if not entrant.probation:
            waiting.enter(entrant)
        self._seek_room(entrant)

    def _seek_room(self, entrant: LadderEntrant) -> None:
        """Adds a bot to the waiting list, if it is active and free."""
        if not entrant.is_active or entrant.room is not None:
            return
        if entrant.probation:
            self._list_of(entrant).probation[entrant.bot] = entrant
        else:
            self._list_of(entrant).wait(entrant)

    def _deactivate(self, entrant: LadderEntrant) -> None:
        waiting = self._list_of(entrant)
        waiting.remove(entrant)
        if not entrant.probation:
            waiting.leave(entrant)

    def _pair(self, event: RoomPaired) -> None:
        line_up = tuple(self._bot(bot) for bot in event.line_up)
        epoch = self.seasons.current
        if epoch is None:
            raise LadderError(f"no epoch was open for room {event.room}")
        if problem := room_problem(event, line_up, self.rooms_paired):
            raise LadderError(problem)
        lists = self.lists.values()
        if self.pairing > 1 and (problem := self.challenges.called_problem(event, self.bots, lists)):
            raise LadderError(f"room {event.room} is no challenge that may begin: {problem}")
        place = epoch.call([entrant.name for entrant in line_up], event.rated)
        self.rooms_paired = event.room
        self.rooms[event.room] = OpenRoom(line_up, event.rated, event.asked_by != "", place)
        self.challenges.call(event.asked_by, event.line_up)
        if not event.asked_by:
            self._list_of(line_up[0]).probation_was_last = not event.rated
        for entrant in self.rooms[event.room].players:
            entrant.room = event.room
            self._list_of(entrant).call(entrant, challenge=event.asked_by != "")
        if event.rated:
            self._list_of(line_up[0]).rooms += 1
            count_room(line_up, 1)

    def _excuse(self, number: int) -> None:
        """Stops other bots from waiting for the bots of this room."""
        for entrant in self._room(number).players:
            self._list_of(entrant).excuse(entrant)

    def _finish(self, event: RoomFinished) -> None:
        room = self._room(event.room)
        if event.thought_ms and len(event.thought_ms) != len(room.line_up):
            raise LadderError(f"room {event.room} has {len(room.line_up)} bots, not {len(event.thought_ms)}")
        self._end(event.room, event.took_ms)
        if room.rated:
            self._list(room.clock_class).lengths.add(event.took_ms)
        for entrant in room.players:
            if room.rated:
                self._count_game(entrant, event, room)
                continue
            self._list_of(entrant).come_back(entrant)
            if entrant.probation and not room.challenge:
                self._pass_probation(entrant)
            self._free(entrant)

    def _count_game(self, entrant: LadderEntrant, event: RoomFinished, room: OpenRoom) -> None:
        """Counts a finished rated room: as several turns if only this bot made it long."""
        entrant.games += event.games
        entrant.note_room()
        waiting = self._list_of(entrant)
        thought = event.thought_ms[room.line_up.index(entrant)] if event.thought_ms else 0
        waiting.come_back(entrant, waiting.lengths.turns(thought, len(room.line_up)))
        self._free(entrant)

    def _pass_probation(self, entrant: LadderEntrant) -> None:
        entrant.probation = False
        if entrant.is_active:
            self._list_of(entrant).enter(entrant)

    def _void(self, event: RoomVoided) -> None:
        room = self._room(event.room)
        self._end(event.room)
        if room.rated:
            count_room(room.line_up, -1)
        for entrant in room.players:
            charge = entrant.note_leaving(event.room) if entrant.bot in event.left else 0
            self._list_of(entrant).come_back(entrant, charge)
            self._free(entrant)

    def _free(self, entrant: LadderEntrant) -> None:
        """Frees the latest version of a bot for another room."""
        latest = self.bots[entrant.bot]
        latest.room = None
        self._seek_room(latest)

    def _end(self, number: int, took_ms: int = 0) -> None:
        room = self.rooms.pop(number)
        waiting = self._list(room.clock_class)
        waiting.ended += room.rated
        if room.challenge:
            self.challenges.end(waiting.lengths.rooms(took_ms))

    def _room(self, number: int) -> OpenRoom:
        if number not in self.rooms:
            raise LadderError(f"room {number} is not being played")
        return self.rooms[number]

    def _bot(self, name: str) -> LadderEntrant:
        if name not in self.bots:
            raise LadderError(f"no bot called {name!r} has joined")
        return self.bots[name]

    def _list_of(self, entrant: LadderEntrant) -> WaitingList:
        return self._list(entrant.joined.clock_class)

    def _list(self, clock_class: str) -> WaitingList:
        if clock_class not in self.lists:
            self.lists[clock_class] = WaitingList(self.terms.seats if self.terms else 0, self.pairing)
        return self.lists[clock_class]
