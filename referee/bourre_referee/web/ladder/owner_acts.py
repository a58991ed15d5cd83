"""What owners do to their bots over the web; each act is an event in the ladder's log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

from bourre.rules.errors import BourreError
from bourre_referee.ladder.host.administration import Administration
from bourre_referee.ladder.host.joining import Newcomer, add_hosted
from bourre_referee.ladder.log.challenges import challenge_problem
from bourre_referee.ladder.log.entrant import Entrant
from bourre_referee.ladder.log.events import BotJoined, BotPaused, BotResumed, ChallengeAsked
from bourre_referee.ladder.log.shared_log import SharedLog
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.web.ladder.bot_zip import unpack_bot
from bourre_referee.web.ladder.ladder_reader import LadderReader
from bourre_referee.web.page_lookup import RefusedRequest


class OwnerActs:
    """Acts on one ladder; every method raises RefusedRequest, with a hint, if it may not be done."""

    def __init__(self, reader: LadderReader) -> None:
        self._reader = reader
        self._folder = reader.folder
        self._log = SharedLog(reader.folder.lines)
        self._asking = Lock()
        self._unpacking = Lock()

    def pause(self, owner: str, bot: str, *, paused: bool) -> None:
        """Lets a bot rest, or ends its rest."""
        self._own(owner, bot)
        with self._refusing():
            Administration(self._folder).change(BotPaused(bot, by="owner") if paused else BotResumed(bot, by="owner"))

    def submit(self, owner: str, bot: str, version: str | None, data: bytes) -> BotJoined:
        """Adds a new version of a hosted bot, with the files in this zip; it is started as the last one was."""
        latest = self._own(owner, bot)
        if not latest.joined.hosted:
            raise RefusedRequest(409, f"{bot} is not started here", "its owner starts it; a token lets it in")
        with self._alone(), self._folder.adding() as source, self._refusing():
            names = unpack_bot(data, source)
            return add_hosted(
                self._folder, Newcomer(bot, owner, version, by="owner"), latest.joined.command, names, source
            )

    def challenge(self, owner: str, line_up: Sequence[str]) -> ChallengeAsked:
        """Asks for an unrated room of these bots, by seat."""
        event = ChallengeAsked(owner, tuple(line_up))
        with self._asking, self._refusing(), self._log.appending() as tail:
            self._log.read_new()  # nobody else asks for them
            if problem := _challenge_problem(event, tail.state):
                raise RefusedRequest(409, problem, "the board lists the bots; a challenge that began counts no more")
            tail.append(event)
        return event

    def _own(self, owner: str, bot: str) -> Entrant:
        """Returns the latest version of a bot of this owner."""
        with self._reader.now() as now:
            found = now.state.bots.get(bot)
        if found is None or found.joined.owner != owner:  # the same answer, so that nobody learns who owns what
            raise RefusedRequest(403, f"{bot} is not your bot", "your page lists your bots")
        return found

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Refuses while another zip is unpacked: each takes seconds and memory, of which pages need some, too."""
        if not self._unpacking.acquire(blocking=False):
            raise RefusedRequest(503, "another version is being added", "try again in a few seconds")
        try:
            yield
        finally:
            self._unpacking.release()

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Says what cannot be done, without the paths of the host."""
        try:
            yield
        except BourreError as error:
            raise RefusedRequest(409, self._folder.without_place(str(error)), "change that, and try again") from error


def _challenge_problem(event: ChallengeAsked, state: LadderState) -> str:
    seats = state.terms.seats if state.terms else 0
    problem = challenge_problem(event.owner, event.line_up, state.bots, seats)
    return problem or state.challenges.excess(event.owner)
