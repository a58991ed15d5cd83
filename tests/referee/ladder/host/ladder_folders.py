"""Ladders on disk for tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bourre_referee.ladder.host.administration import new_ladder
from bourre_referee.ladder.host.joining import Newcomer, add_hosted
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.entrant import LadderEntrant
from bourre_referee.ladder.log.events import BotJoined, Event
from bourre_referee.ladder.log.state import LadderState

NOW = datetime(2026, 11, 23, 4, 30, tzinfo=UTC)

FILE = """\
[ladder]
name = "class"
[table]
seats = 3
deals = 5
"""

STAFF = """\
[[staff]]
name = "tight"
command = ["python", "bots/tight.py"]
rating = [25, 1.5]
"""


def write_file(folder: Path, text: str = FILE + STAFF) -> Path:
    """A ladder file with this text, and beside it the staff bot that it may name."""
    (folder / "bots").mkdir(parents=True, exist_ok=True)
    (folder / "bots/tight.py").write_text("# tight\n")
    path = folder / "ladder.toml"
    path.write_text(text)
    return path


def make_ladder(folder: Path, text: str = FILE + STAFF) -> LadderFolder:
    """A new ladder on these terms."""
    return new_ladder(folder / "ladder", write_file(folder / "host", text), lambda: NOW)


def add_bot(ladder: LadderFolder, folder: Path, newcomer: Newcomer, text: str = "# a bot\n") -> BotJoined:
    """Adds a hosted bot that is one file with this text."""
    folder.mkdir(exist_ok=True)
    (folder / "bot.py").write_text(text)
    return add_hosted(ladder, newcomer, ["python", "bot.py"], [], folder, lambda: NOW)


def with_bots(ladder: LadderFolder, folder: Path, *bots: str) -> LadderFolder:
    """Adds hosted bots with these names."""
    for bot in bots:
        add_bot(ladder, folder / bot, Newcomer(bot))
    return ladder


def append(ladder: LadderFolder, *events: Event) -> None:
    """Logs what happens."""
    with ladder.open_log(lambda: NOW).appending() as tail:
        for event in events:
            tail.append(event)


def state_of(ladder: LadderFolder) -> LadderState:
    """What the log comes to."""
    log = ladder.open_log()
    log.read()
    return log.state


def joined_in(ladder: LadderFolder) -> Sequence[LadderEntrant]:
    """All versions that have joined."""
    return state_of(ladder).entrants
