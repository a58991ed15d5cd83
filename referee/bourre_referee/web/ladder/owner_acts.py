"""The actions of owners over the web. Each act is an event in the ladder's log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from threading import Lock

from bourre.rules.errors import BourreError
from bourre_referee.ladder.host.administration import Administration
from bourre_referee.ladder.host.joining import Newcomer, add_submitted
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.challenges import challenge_problem
from bourre_referee.ladder.log.entrant import LadderEntrant
from bourre_referee.ladder.log.event_log import Logged
from bourre_referee.ladder.log.events import (
    BotJoined,
    BotPaused,
    BotResumed,
    ChallengeAnswered,
    ChallengeAsked,
    ChallengesWelcomed,
    Event,
)
from bourre_referee.ladder.log.shared_log import SharedLog, log_time, utc_now
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.web.ladder.ladder_reader import LadderReader
from bourre_referee.web.owner_access import OwnerKeys
from bourre_referee.web.page_lookup import RefusedRequest

SWITCHES_PER_DAY = 100
"""How often an owner may pause, resume and agree in 24 hours, because the log is kept forever."""


def ladder_keys(folder: LadderFolder) -> OwnerKeys:
    """Returns the keys of a ladder's owners. Raises ContestError if their secret cannot be read or created."""
    return OwnerKeys.of_files(folder.path / "owners.key", folder.path / "owners.json", "owner on a ladder:")


def owners_of(state: LadderState) -> set[str]:
    """Returns the owners of all bots that ever joined."""
    return {entrant.joined.owner for entrant in state.bots.values() if not entrant.joined.staff}


class OwnerActs:
    """Acts on one ladder. Every method raises RefusedRequest, with a hint, if the act is not allowed."""

    def __init__(self, reader: LadderReader, keys: OwnerKeys) -> None:
        self._reader = reader
        self._keys = keys
        self._folder = reader.folder
        self._log = SharedLog(reader.folder.lines)
        self._asking = Lock()
        self._unpacking = Lock()
        self._day: list[Logged] = []

    def owner(self, key: str) -> str:
        """Returns the owner of this key."""
        with self._reader.now() as now:
            return self._keys.owner(owners_of(now.state), key)

    def pause(self, owner: str, bot: str, *, paused: bool) -> None:
        """Pauses a bot, or ends its pause."""
        self._own(owner, bot)
        self._check_switches(owner)
        with self._refusing():
            Administration(self._folder).change(BotPaused(bot, by="owner") if paused else BotResumed(bot, by="owner"))

    def submit(self, owner: str, bot: str, version: str | None, data: bytes) -> BotJoined:
        """Adds a version of a hosted bot, from a zip or its only file. It is started like the last version."""
        latest = self._own(owner, bot)
        if not latest.joined.hosted:
            raise RefusedRequest(409, f"{bot} is not started here", "its owner starts it, and it connects with a token")
        with self._alone(), self._refusing():
            return add_submitted(self._folder, Newcomer(bot, owner, version, by="owner"), latest.joined.command, data)

    def challenge(self, owner: str, line_up: Sequence[str]) -> int:
        """Requests an unrated room of these bots, by seat, and returns the challenge's number."""
        event = ChallengeAsked(owner, tuple(line_up))
        most = self._folder.settings().quotas.challenges_per_day
        with self._asking, self._refusing(), self._log.appending() as tail:
            if sum(isinstance(each, ChallengeAsked) for each in self._today(owner)) >= most:
                limit = f"{owner} has asked for {most} challenges in a day ([quotas] challenges_per_day)"
                raise RefusedRequest(409, limit, "come back tomorrow")
            if problem := _challenge_problem(event, tail.state):
                raise RefusedRequest(409, problem, "the board lists the bots, and begun challenges are fixed")
            tail.append(event)
            return tail.state.challenges.of(owner)[-1].number

    def answer(self, owner: str, challenge: int, *, accepted: bool) -> None:
        """Agrees to a challenge of the owner's bots, declines it, or withdraws an own one."""
        event = ChallengeAnswered(challenge, owner, accepted)
        with self._asking, self._refusing(), self._log.appending() as tail:
            if problem := tail.state.challenges.answer_problem(event, tail.state.bots):
                raise RefusedRequest(409, problem, "your page lists the challenges that ask you")
            tail.append(event)

    def welcome(self, owner: str, *, welcome: bool) -> None:
        """Agrees to all challenges of the owner's bots until further notice, or ends that."""
        self._check_switches(owner)
        with self._asking, self._refusing(), self._log.appending() as tail:
            if (owner in tail.state.challenges.welcoming) != welcome:
                tail.append(ChallengesWelcomed(owner, welcome))

    def _check_switches(self, owner: str) -> None:
        """Refuses an owner that has paused, resumed and agreed too often today. Each time adds a line to the log."""
        with self._asking:
            self._log.read()
            if sum(not isinstance(each, ChallengeAsked) for each in self._today(owner)) >= SWITCHES_PER_DAY:
                limit = f"{owner} has paused, resumed or agreed {SWITCHES_PER_DAY} times in a day"
                raise RefusedRequest(409, limit, "come back tomorrow")

    def _today(self, owner: str) -> list[Event]:
        """Returns this owner's switches and challenges of the last 24 hours. Call it after the log was read."""
        day = log_time(utc_now() - timedelta(days=1))
        kinds = ChallengeAsked | ChallengesWelcomed | BotPaused | BotResumed
        news = (logged for logged in self._log.read_new() if isinstance(logged.event, kinds))
        self._day = [logged for logged in (*self._day, *news) if logged.at > day]
        return [logged.event for logged in self._day if self._owner_of(logged.event) == owner]

    def _owner_of(self, event: Event) -> str:
        if isinstance(event, ChallengeAsked | ChallengesWelcomed):
            return event.owner
        return self._log.state.bots[event.bot].joined.owner if isinstance(event, BotPaused | BotResumed) else ""

    def _own(self, owner: str, bot: str) -> LadderEntrant:
        """Returns the latest version of a bot of this owner."""
        with self._reader.now() as now:
            found = now.state.bots.get(bot)
        if found is None or found.joined.owner != owner:  # the same answer, so that nobody learns the owner
            raise RefusedRequest(403, f"{bot} is not your bot", "your page lists your bots")
        return found

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Refuses while another zip is unpacked, because each takes time and memory that the pages also need."""
        if not self._unpacking.acquire(blocking=False):
            raise RefusedRequest(503, "another version is being added", "try again in a few seconds")
        try:
            yield
        finally:
            self._unpacking.release()

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Refuses an act with its reason, without the paths of the host."""
        try:
            yield
        except BourreError as error:
            raise RefusedRequest(409, self._folder.without_place(str(error)), "change that, and try again") from error


def _challenge_problem(event: ChallengeAsked, state: LadderState) -> str:
    seats = state.terms.seats if state.terms else 0
    problem = challenge_problem(event.owner, event.line_up, state.bots, seats)
    return problem or state.challenges.excess(event.owner)
