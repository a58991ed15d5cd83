"""Routes of the pages of a ladder's owners, who log in with their key, and the data of these pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from anyio import to_thread
from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.challenges import Challenge
from bourre_referee.ladder.log.entrant import LadderEntrant, bot_name
from bourre_referee.ladder.matchmaking.waiting_reasons import QueueStatus, explain
from bourre_referee.model.stored import StoredMatch
from bourre_referee.storage.run.run import Run
from bourre_referee.web.app_shell import Answer, page_router
from bourre_referee.web.ladder.ladder_reader import LadderNow, LadderReader
from bourre_referee.web.ladder.ladder_routes import RoomNumber
from bourre_referee.web.ladder.owned_rooms import FinishedRooms, OwnedRoom, owned_rooms, read_hands
from bourre_referee.web.ladder.owner_acts import OwnerActs
from bourre_referee.web.owner_access import PRIVATE, KeyCookie, back_to_owner, read_form, session_forms
from bourre_referee.web.owner_logs import last_start_failure, read_log, rooms_with_logs
from bourre_referee.web.page_lookup import RefusedRequest
from bourre_referee.web.render import Pages


@dataclass(frozen=True, slots=True)
class ProbationReport:
    """The results of a version in its probation room."""

    room: int
    entrant: str
    against: tuple[str, ...]
    rank: int
    seats: int
    chips_per_deal: float
    reneges: tuple[tuple[str, int], ...]
    """How often it broke each rule."""
    faults: tuple[tuple[str, int], ...]
    """How often it made each kind of fault."""
    longest_ms: float | None
    """The longest time charged for a decision. None if the referee played for it from the first one on."""


class ProbationReports:
    """Reads the reports of one ladder, each once."""

    def __init__(self, folder: LadderFolder) -> None:
        self._folder = folder
        self._read: dict[int, ProbationReport] = {}

    def newest(self, now: LadderNow, bot: str) -> ProbationReport | None:
        """Returns the report of a bot's last probation room that is over and not void. Raises ContestError."""
        for room in reversed(now.history.probation_rooms(bot)):
            if room not in now.state.rooms and (found := self._report(now, room, bot)):
                return found
        return None

    def _report(self, now: LadderNow, room: int, bot: str) -> ProbationReport | None:
        if room not in self._read:
            place = now.state.seasons.place_of(room)
            if place is None:
                return None
            run = Run.open(self._folder.epoch(place.epoch, rated=place.rated))
            stored = (each.stored for each in run.new_matches(()) or () if each.stored.number == place.match)
            if found := _tell(room, bot, stored):
                self._read[room] = found
        return self._read.get(room)


def _tell(room: int, bot: str, stored: Iterable[StoredMatch]) -> ProbationReport | None:
    for match in stored:
        for number, seat in enumerate(match.seats):
            if bot_name(seat.bot) == bot:
                timing = match.timings[number] if match.timings else None
                return ProbationReport(
                    room=room,
                    entrant=seat.bot,
                    against=tuple(each.bot for each in match.seats if each is not seat),
                    rank=seat.rank,
                    seats=len(match.seats),
                    chips_per_deal=seat.chips / match.unit / match.deals,
                    reneges=seat.reneges_by_rule,
                    faults=seat.faults_by_kind,
                    longest_ms=timing.longest_ms if timing and timing.decisions else None,
                )
    return None


@dataclass(frozen=True, slots=True)
class OwnedBot:
    """A bot of the owner."""

    entrant: LadderEntrant
    """Its latest version."""
    waiting: QueueStatus
    probation: ProbationReport | None
    """The results of its last probation room."""
    rooms: tuple[OwnedRoom, ...]
    """The rooms with something to read, newest first."""
    start_failure: str
    """The log of its latest version's newest room in which it never started, and the reason. Empty if it started."""


@dataclass(frozen=True, slots=True)
class OwnerView:
    """The page of an owner, behind the key."""

    owner: str
    seats: int
    bots: tuple[OwnedBot, ...]
    challenges: tuple[Challenge, ...]
    """Own challenges that wait for bots or for other owners."""
    asked: tuple[Challenge, ...]
    """Challenges of others that wait for this owner."""
    welcomes: bool
    """Whether the owner agrees to all challenges."""


def owner_view(now: LadderNow, folder: LadderFolder, reports: ProbationReports, owner: str) -> OwnerView:
    """Returns the data of an owner's page. Raises ContestError if it cannot be read."""
    challenges = now.state.challenges
    owned = [entrant for entrant in now.state.bots.values() if entrant.joined.owner == owner]
    return OwnerView(
        owner=owner,
        seats=now.state.terms.seats if now.state.terms else 0,
        bots=tuple(_owned_bot(now, folder, reports, bot) for bot in owned),
        challenges=tuple(challenges.of(owner)),
        asked=tuple(each for each in challenges if owner in challenges.unanswered(each, now.state.bots)),
        welcomes=owner in challenges.welcoming,
    )


def _owned_bot(now: LadderNow, folder: LadderFolder, reports: ProbationReports, bot: LadderEntrant) -> OwnedBot:
    rooms = tuple(owned_rooms(now, folder, bot.bot))
    logs = rooms[0].logs if rooms and rooms[0].entrant == bot.name else ()
    return OwnedBot(
        entrant=bot,
        waiting=explain(now.state, bot.bot),
        probation=None if bot.joined.staff else reports.newest(now, bot.bot),
        rooms=rooms,
        start_failure=last_start_failure(folder.path, bot.name, logs),
    )


Form = Mapping[str, str]


class OwnerRoutes:
    """Shows owners their bots, and does their actions."""

    def __init__(self, reader: LadderReader, pages: Pages, acts: OwnerActs) -> None:
        self._reader = reader
        self._pages = pages
        self._acts = acts
        self._reports = ProbationReports(reader.folder)

    def router(self) -> APIRouter:
        """Returns a router for these addresses."""
        forms = {
            "/owner/pause": self._pause,
            "/owner/resume": self._resume,
            "/owner/challenges": self._challenge,
            "/owner/answer": self._answer,
            "/owner/welcome": self._welcome,
        }
        return page_router(
            {"/owner": self.owner, "/owner/logs/{entrant}/{log}": self.log, "/owner/hands/{room}": self.hands},
            {path: self._form(act) for path, act in forms.items()} | session_forms(self._acts.owner),
        )

    def owner(self, key: KeyCookie = "") -> Response:
        """Shows an owner's bots, or the login form."""
        try:
            owner = self._acts.owner(key)
        except RefusedRequest:
            return HTMLResponse(self._pages.render("ladder/login.html"), headers=PRIVATE)
        with self._reader.now() as now:
            shown = owner_view(now, self._reader.folder, self._reports, owner)
            page = self._pages.render("ladder/owner.html", owner=shown)
        return HTMLResponse(page, headers=PRIVATE)

    def log(self, entrant: str, log: str, key: KeyCookie = "") -> Response:
        """Shows the output of a version of the owner's bot in one room."""
        owner, path = self._acts.owner(key), self._reader.folder.path
        with self._reader.now() as now:
            known = now.state.bots.get(bot_name(entrant))
            if known is None or known.joined.owner != owner:
                raise _no_log()
            if log not in rooms_with_logs(path, entrant, FinishedRooms(now.state)):
                raise _no_log()
        return PlainTextResponse(read_log(path, entrant, log), headers=PRIVATE)

    def hands(self, room: RoomNumber, key: KeyCookie = "") -> Response:
        """Shows a match from the view of the owner's bots."""
        owner = self._acts.owner(key)
        with self._reader.now() as now:
            place = now.state.seasons.place_of(room)
            is_over = place is not None and room not in now.state.rooms
            text = read_hands(self._reader.folder, now.state, place, owner) if place and is_over else None
        if text is None:
            raise RefusedRequest(404, "none of your bots sat in such a room", "hands appear when their room is over")
        return PlainTextResponse(text, headers=PRIVATE)

    def _form(self, act: Callable[[str, Form], None]) -> Answer:
        """Returns the handler of a form that acts for the owner whose key comes with it."""

        async def answer(request: Request, key: KeyCookie = "") -> Response:
            form = await read_form(request)
            await to_thread.run_sync(lambda: act(self._acts.owner(key), form))
            return back_to_owner()

        return answer

    def _pause(self, owner: str, form: Form) -> None:
        self._acts.pause(owner, form.get("bot", ""), paused=True)

    def _resume(self, owner: str, form: Form) -> None:
        self._acts.pause(owner, form.get("bot", ""), paused=False)

    def _challenge(self, owner: str, form: Form) -> None:
        self._acts.challenge(owner, form.get("bots", "").replace(",", " ").split())

    def _answer(self, owner: str, form: Form) -> None:
        number = form.get("challenge", "")
        if not (number.isascii() and number.isdecimal() and len(number) <= 12):
            raise RefusedRequest(400, "the form names no challenge", "use the buttons of your own page")
        self._acts.answer(owner, int(number), accepted=form.get("accepted") == "yes")

    def _welcome(self, owner: str, form: Form) -> None:
        self._acts.welcome(owner, welcome=form.get("welcome") == "yes")


def _no_log() -> RefusedRequest:
    return RefusedRequest(404, "this log does not exist", "your page lists the logs of finished rooms")
