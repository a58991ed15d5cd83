"""The staff of a ladder: bots of the host, which are tested against and which may set the scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bourre_referee.contest.contest import Entrant as ContestEntrant
from bourre_referee.ladder.host.bot_copy import Hashes, copy_bot, hash_bot
from bourre_referee.ladder.host.ladder_file import CLOCK_CLASS, LadderSettings
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import BotJoined, BotRetired
from bourre_referee.ladder.log.shared_log import Tail
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.model.errors import ContestError

HOST = "host"
"""The owner of staff bots, whom no other bot can have."""


def enter_staff(ladder: LadderFolder, settings: LadderSettings, tail: Tail) -> None:
    """Logs what changed of the staff since it was last entered: new bots, new versions, and bots that are gone.

    Raises ContestError if somebody else's bot has the name of a staff bot.
    """
    for bot in settings.contest.entrants:
        hashes = hash_bot(bot.files, settings.contest.folder)
        if (joined := _joined(bot, hashes, tail.state, ladder)) is not None:
            if joined.hosted:
                with ladder.adding() as copy:
                    copy_bot(bot.files, settings.contest.folder, copy)
                    ladder.keep(copy, joined)
            tail.append(joined)
    for gone in _gone(settings, tail.state):
        tail.append(BotRetired(gone, by="host"))


def _joined(bot: ContestEntrant, hashes: Hashes, state: LadderState, ladder: LadderFolder) -> BotJoined | None:
    """Returns the version of a staff bot that joins; None if it has joined before."""
    known = state.bots.get(bot.name)
    if known is not None and not known.joined.staff:
        text = f"[[staff]] {bot.name}: a bot of {known.joined.owner} has this name: give yours another"
        raise ContestError(f"{ladder.file}: {text}")
    number = known.joined.number + 1 if known else 1
    command = bot.command or ()
    if known and not known.retired and (known.joined.command, known.joined.files) == (command, hashes):
        return None
    version = BotJoined(bot.name, number, str(number), HOST, CLOCK_CLASS, staff=True, command=command, files=hashes)
    return replace(version, by="host")


def _gone(settings: LadderSettings, state: LadderState) -> Iterator[str]:
    there = set(settings.contest.names)
    gone = [bot for name, bot in state.bots.items() if bot.joined.staff and not bot.retired and name not in there]
    return (bot.bot for bot in gone)
