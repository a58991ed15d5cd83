"""What a submission did wrong on the deals that its author may see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bourre.record import read
from bourre.rules.events import Reneged
from bourre_referee.evaluation.grade.grading_contests import evidence_of
from bourre_referee.evaluation.grade.grading_plan import SUBMISSION
from bourre_referee.evaluation.grade.marking import Evidence
from bourre_referee.storage.run_folder import RunFolder
from bourre_referee.storage.run_layout import Layout
from bourre_referee.text.names import printable, seat_names
from bourre_referee.text.narration.deal_story import tell_story
from bourre_referee.text.narration.events_by_deal import deals_of
from bourre_referee.text.narration.incident_text import incident_lines

LOG_LINES = 30
LOG_BYTES = 16 * 1024

_TO_STAFF = re.compile(r"; see it all: bourre replay .*")
"""What a log says to who has the run folder."""


@dataclass(frozen=True, slots=True)
class Practice:
    """How it went there."""

    evidence: Evidence
    renege: tuple[str, ...]
    """The first one in words: where, the card and its rule, the hand and what was legal; empty without one."""
    printed: tuple[str, ...]
    """The last lines that the bot, and the referee to its author, wrote in the first match."""


def practice_of(folder: RunFolder, work: Path) -> Practice:
    """What the run in this folder tells the author; paths in the folder `work` are told from there."""
    return Practice(evidence_of(folder), _first_renege(folder), _printed(folder.path, str(work)))


def _first_renege(folder: RunFolder) -> tuple[str, ...]:
    for match in folder.matches():
        found = tuple(_reneges(folder.record(match)))
        if found:
            return found
    return ()


def _reneges(record: str) -> Iterator[str]:
    """The first renege of the submission in this match."""
    known = read(record)
    for deal in deals_of(known):
        story, names = tell_story(deal), seat_names(deal.bots)
        seat = deal.bots.index(SUBMISSION) if SUBMISSION in deal.bots else None
        for incident in story.incidents:
            if isinstance(incident.event, Reneged) and incident.event.seat == seat:
                yield f"match {known.header.match}, {deal.place}"
                yield from (line.strip(" !") for line in incident_lines(incident, story, names))
                return


def _printed(folder: Path, work: str) -> tuple[str, ...]:
    logs = sorted((Layout(folder).logs / SUBMISSION).glob("*.log"))
    if not logs:
        return ()
    with logs[0].open("rb") as file:
        file.seek(max(0, logs[0].stat().st_size - LOG_BYTES))
        text = file.read().decode(errors="replace")
    lines = _TO_STAFF.sub("", text.replace(f"{work}/", "")).splitlines()[-LOG_LINES:]
    return tuple(printable(line)[:300] for line in lines)
