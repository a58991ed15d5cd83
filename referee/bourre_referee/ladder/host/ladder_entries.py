"""How rooms start the bots of a ladder: hosted bots from copies of their files, staff with the host's settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from bourre_referee.contest.contest import Entrant as ContestEntrant
from bourre_referee.contest.isolation_choice import Strangers, Tell, choose_isolation
from bourre_referee.ladder.host.bot_copy import files_changed, watched_copy
from bourre_referee.ladder.host.ladder_file import LadderSettings
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.entrant import LadderEntrant
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.model.spec import BotEntry, BotSpec, Isolation
from bourre_referee.ratings.belief import Rating


def contest_entrant(entrant: LadderEntrant, settings: LadderSettings) -> ContestEntrant:
    """Returns the entrant of an epoch's run, such as `alice.2`. Its paths are relative to its own folder.

    A staff bot has the environment, network and isolation of the ladder file.
    """
    joined = entrant.joined
    files = dict.fromkeys(path.partition("/")[0] for path, _ in joined.files)
    entered = ContestEntrant(entrant.name, joined.command or None, tuple(files))
    staff = next((bot for bot in settings.contest.entrants if joined.staff and bot.name == joined.bot), None)
    return replace(staff, name=entered.name, command=entered.command, files=entered.files) if staff else entered


def isolation_here(settings: LadderSettings, tell: Tell) -> Isolation:
    """Chooses the isolation of bots without their own setting. `tell` gets a warning if bots have none.

    Anyone may upload bots, so it raises ContestError if this machine has none, unless the ladder file allows that.
    """
    contest = settings.contest
    return choose_isolation(contest.isolation, contest.entries, tell, strangers=Strangers("hosted bots"))


def bot_spec(entrant: LadderEntrant, settings: LadderSettings) -> BotSpec:
    """Returns a version's description for rooms. Its files are in its own folder."""
    return contest_entrant(entrant, settings).spec(f"{entrant.bot}/{entrant.joined.number}")


def anchors_of(state: LadderState, ratings: Mapping[str, Rating]) -> dict[str, Rating]:
    """Returns the fixed ratings of staff bots by entrant, given by bot."""
    staff = (entrant for entrant in state.entrants if entrant.joined.staff and entrant.bot in ratings)
    return {entrant.name: ratings[entrant.bot] for entrant in staff}


@dataclass(frozen=True, slots=True)
class HostedBot:
    """The latest version of a bot that the host starts."""

    bot: str
    owner: str
    entry: BotEntry
    isolation: Isolation
    """Its isolation in rooms."""
    described: str
    """Everything that determines its answers: the hashes of its files, and its start. Names are not included."""


def hosted_bots(ladder: LadderFolder, tell: Tell) -> Iterator[HostedBot]:
    """Yields every hosted bot that has not retired, including staff.

    `tell` gets a warning if they run without isolation, and for each bot that is left out because its files changed.
    Raises ContestError if there is no ladder, or no isolation.
    """
    settings, log = ladder.settings(), ladder.open_log()
    log.read()
    isolation = isolation_here(settings, tell)
    for entrant in _hosted(log.state.bots.values()):
        folder = ladder.files_of(entrant.bot, entrant.joined.number)
        if changed := watched_copy(entrant.joined.files, folder).changes():
            tell(f"{entrant.bot} is left out: {files_changed(changed)}")
            continue
        entry = contest_entrant(entrant, settings).entry(folder)
        described = repr((entrant.joined.files, entry.command, entry.venv, entry.environment, entry.network))
        yield HostedBot(entrant.bot, entrant.joined.owner, entry, entry.isolation.over(isolation), described)


def _hosted(entrants: Iterable[LadderEntrant]) -> Iterator[LadderEntrant]:
    return (entrant for entrant in entrants if entrant.joined.hosted and not entrant.retired)
