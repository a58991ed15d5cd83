"""The hosted bots of a ladder, each to be examined by itself on this machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bourre_referee.contest.isolation_choice import Tell
from bourre_referee.ladder.host.bot_copy import files_changed, watched_copy
from bourre_referee.ladder.host.ladder_entries import contest_entrant, isolation_here
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.entrant import Entrant
from bourre_referee.model.spec import Entry, Isolation


@dataclass(frozen=True, slots=True)
class HostedBot:
    """The latest version of a bot that the host starts."""

    bot: str
    owner: str
    entry: Entry
    isolation: Isolation
    """The isolation that its rooms give it."""
    described: str
    """All that its answers depend on: the hashes of its files, and how it is started; its names are not part of it."""


def hosted_bots(ladder: LadderFolder, tell: Tell) -> Iterator[HostedBot]:
    """Yield every hosted bot that has not retired, staff included.

    `tell` gets a warning if they run without isolation, and hears who is left out because its files changed. Raises
    ContestError if there is no ladder, or no isolation.
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


def _hosted(entrants: Iterable[Entrant]) -> Iterator[Entrant]:
    return (entrant for entrant in entrants if entrant.joined.hosted and not entrant.retired)
