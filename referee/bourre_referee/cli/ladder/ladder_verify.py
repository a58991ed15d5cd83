"""`bourre ladder verify`: checks a whole ladder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bourre_referee.cli.arguments import AsJson
from bourre_referee.cli.ladder.ladder_arguments import LadderPath
from bourre_referee.cli.verify import CheckingJobs, PublishedHashes, report

if TYPE_CHECKING:
    from pathlib import Path

    from bourre_referee.verify.published import Published


def verify(
    folder: LadderPath, jobs: CheckingJobs = None, published: PublishedHashes = None, json: AsJson = False
) -> None:
    """Check the log of a ladder, every epoch, every season and the board, while it goes on.

    Stops at the first difference, prints it, and ends with exit code 4; the last line says what could not be checked.
    With --published it also checks that the log and the epochs go on from what was published then.
    """
    report(lambda noted: _check(folder, noted, jobs, json), published, json=json)


def _check(folder: Path, published: Sequence[Published], jobs: int | None, json: bool) -> str:
    from bourre_referee.cli.progress import steps
    from bourre_referee.ladder.host.ladder_folder import LadderFolder
    from bourre_referee.verify.ladder_text import document, lines
    from bourre_referee.verify.whole_ladder import verify_ladder

    with steps(only_in_terminal=True) as advance:
        verified = verify_ladder(LadderFolder(folder), published, jobs, advance)
    return document(verified) if json else "\n".join(lines(verified))
