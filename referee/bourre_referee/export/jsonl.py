"""The form `jsonl`: everything, to be verified by anyone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from bourre_referee.contest.folder import RunFolder
from bourre_referee.contest.layout import Layout
from bourre_referee.errors import ContestError
from bourre_referee.export.lines import Line, MatchLine, TimesLine, VoidLine
from bourre_referee.export.places import Places
from bourre_referee.kept import KeptMatch

README = """\
A contest of Bourré, exported. `bourre verify` checks this folder; docs/records.md of bourre explains every file.

manifest.json           terms, bots, commitment to the seed and the seed, digest and chain
standings.json          the standings at the end; missing while matches are
matches.jsonl           a line for each finished match, in schedule order: attempt, isolation, result, faults
records/<match>.jsonl   what happened in it, byte for byte: cards, actions, balances
timings.jsonl           how long its bots took, in milliseconds; no part of any result
voids.jsonl             a line for each playing that does not count: the host failed it, or the organiser took it back
records/<match>.void<attempt>.jsonl   what was taken back
"""


def write_jsonl(run: RunFolder, folder: Path) -> None:
    """Writes the run into this empty folder."""
    kept, to = Layout(run.path), Places(folder)
    to.records.mkdir()
    to.readme.write_text(README, "utf-8")
    shutil.copyfile(kept.manifest, to.manifest)
    if run.manifest.complete:
        shutil.copyfile(kept.standings, to.standings)
    with to.matches.open("w", encoding="utf-8") as matches, to.timings.open("w", encoding="utf-8") as timings:
        for match in whole_matches(run):
            to.record(match.match).write_bytes((match.record or "").encode())
            matches.write(_text(MatchLine.of(match)))
            timings.write(_text(TimesLine.of(match)))
    _write_voids(run, to)


def whole_matches(run: RunFolder) -> Iterator[KeptMatch]:
    """The finished matches, a few at a time; ContestError where a record is damaged."""
    with closing(run.kept()) as matches:
        for match in matches:
            if match.record is None:
                raise ContestError(f"{run.path}: the record of {match.match} is damaged; put a copy of run.db back")
            yield match


def _write_voids(run: RunFolder, to: Places) -> None:
    with to.voids.open("w", encoding="utf-8") as voids:
        for void in run.voids():
            voids.write(_text(VoidLine.of(void)))
            if void.record is not None:
                to.record(void.match, void.attempt).write_bytes(void.record.encode())


def _text(line: Line) -> str:
    return f"{line.model_dump_json()}\n"
