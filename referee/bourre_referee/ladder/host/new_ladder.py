"""Makes the folder of a new ladder."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from bourre_referee.ladder.host.bot_copy import copy_bot
from bourre_referee.ladder.host.ladder_file import load_ladder
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_storage import begin_storage
from bourre_referee.ladder.host.staff import enter_staff
from bourre_referee.ladder.log.events import LadderOpened, SeasonOpened
from bourre_referee.ladder.log.shared_log import utc_now
from bourre_referee.storage.atomic import new_folder


def new_ladder(
    path: Path, file: Path, now: Callable[[], datetime] = utc_now, database: str | None = None
) -> LadderFolder:
    """Makes a ladder on the terms of this file, and copies the file and its staff bots.

    With the address of a `database`, its log and epochs are stored there.

    Raises ContestError for a file with problems, and if the folder exists and is not empty.
    """
    settings = load_ladder(file)
    with new_folder(path, "") as making:
        ladder = LadderFolder(making)
        ladder.file.write_bytes(file.read_bytes())
        for folder in (ladder.staff, ladder.bots):
            folder.mkdir()
        for bot in settings.contest.entrants:
            copy_bot(bot.files, settings.contest.folder, ladder.staff)
        begin_storage(making, database, settings.contest.name)
        with ladder.open_log(now).appending() as tail:
            tail.append(LadderOpened(settings.contest.seats, settings.owners_apart))
            tail.append(SeasonOpened(1))
            enter_staff(ladder, ladder.settings(), tail)
    return LadderFolder(path)
