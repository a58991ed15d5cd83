"""Reads and checks a ladder file, which has the terms of a ladder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import Field

from bourre_referee.contest.bot_entries import BotReader, BotSection
from bourre_referee.contest.contest import Contest, Entrant
from bourre_referee.contest.contest_keys import (
    ClockSection,
    FaultsSection,
    IsolationSection,
    Name,
    RulesSection,
    Section,
)
from bourre_referee.contest.listen import ListenSection
from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.contest.section_reader import SectionReader
from bourre_referee.ladder.board.benching import BenchingTerms
from bourre_referee.ladder.log.ladder_names import BotName
from bourre_referee.ratings.belief import Rating


class LadderSection(Section):
    """[ladder]"""

    name: Name
    owners_apart: bool = True


class LadderTableSection(Section):
    """[table]"""

    seats: int
    deals: Annotated[int, Field(ge=1, le=1_000_000)]


class EpochEnd(Section):
    """[epoch]: when an epoch ends, whichever comes first."""

    rooms: Annotated[int, Field(ge=1, le=100_000)] = 1_000
    """The number of rooms."""
    hours: Annotated[float, Field(gt=0, le=8_784, allow_inf_nan=False)] = 24.0


class Quotas(Section):
    """[quotas]: the limits of the ladder."""

    bots: Annotated[int, Field(ge=2, le=100_000)] = 1_000
    """Bots that have not retired, without staff."""
    bots_per_owner: Annotated[int, Field(ge=1, le=100_000)] = 3
    versions_per_day: Annotated[int, Field(ge=1, le=100_000)] = 10
    """New versions of one bot in 24 hours."""
    connections: Annotated[int, Field(ge=1, le=100_000)] = 2_000
    challenges_per_day: Annotated[int, Field(ge=0, le=100_000)] = 10
    """Challenges that one owner may request in 24 hours."""


class BoardSection(Section):
    """[board]"""

    tau: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = 0.008
    unseen_days: Annotated[float, Field(gt=0, le=3_660, allow_inf_nan=False)] = 14.0


class BenchingSection(Section):
    """[benching]"""

    fault_share: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = 0.2
    games: Annotated[int, Field(ge=1, le=100_000)] = 20


class StaffSection(BotSection):
    """[[staff]]: a bot of the host. A bot with a rating is an anchor of the scale."""

    name: BotName


SECTIONS: dict[str, type[Section]] = {
    "ladder": LadderSection,
    "table": LadderTableSection,
    "rules": RulesSection,
    "clock": ClockSection,
    "faults": FaultsSection,
    "isolation": IsolationSection,
    "listen": ListenSection,
    "epoch": EpochEnd,
    "quotas": Quotas,
    "board": BoardSection,
    "benching": BenchingSection,
    "staff": StaffSection,
}
"""The sections of a ladder file, by name."""


CLOCK_CLASS = "default"
"""The one clock class of a ladder."""


@dataclass(frozen=True, slots=True)
class BoardTerms:
    """The terms of the board."""

    tau: float
    """The drift of a skill from one match to the next, as a standard deviation."""
    unseen_days: float
    """The days of absence after which a bot is not ranked."""


@dataclass(frozen=True)
class BoardSettings:
    """The terms that decide a board, from a ladder file or a log."""

    board: BoardTerms
    benching: BenchingTerms
    anchors: Mapping[str, Rating]
    """The fixed ratings of staff bots, by bot."""


@dataclass(frozen=True)
class LadderSettings(BoardSettings):
    """A ladder as its file describes it, after all checks."""

    contest: Contest
    """The terms of its rooms. The entrants are the staff bots, with paths relative to its folder."""
    owners_apart: bool
    """Whether bots of one owner never share a table."""
    epoch: EpochEnd
    quotas: Quotas


def load_ladder(path: Path, folder: Path | None = None) -> LadderSettings:
    """Loads a ladder file. Raises ContestError that lists every problem with its line.

    The paths of staff bots are relative to `folder`, by default the folder of the file.
    """
    return _Reading(SectionReader(path, "ladder file", SECTIONS), (folder or path.parent).resolve()).settings()


class _Reading:
    """Reads a parsed ladder file, and collects its problems."""

    def __init__(self, sections: SectionReader, folder: Path) -> None:
        self._sections = sections
        self._problems = sections.problems
        self._folder = folder

    def settings(self) -> LadderSettings:
        read = self._sections.section
        head = read("ladder", LadderSection)
        epoch = read("epoch", EpochEnd)
        quotas = read("quotas", Quotas)
        board = read("board", BoardSection)
        benching = read("benching", BenchingSection)
        isolation = read("isolation", IsolationSection)
        staff = self._staff(isolation or IsolationSection())
        bots = tuple(replace(entrant, rating=None) for _, entrant in staff)  # `anchors` has the ratings
        contest = self._contest(head, isolation, bots)
        if self._problems or not (head and epoch and quotas and board and benching and contest):
            raise self._problems.error()
        return LadderSettings(
            contest=contest,
            owners_apart=head.owners_apart,
            epoch=epoch,
            quotas=quotas,
            board=BoardTerms(**board.model_dump()),
            benching=BenchingTerms(**benching.model_dump()),
            anchors={bot.name: Rating(*bot.rating) for bot, _ in staff if bot.rating},
        )

    def _contest(
        self, head: LadderSection | None, isolation: IsolationSection | None, staff: tuple[Entrant, ...]
    ) -> Contest | None:
        table = self._sections.section("table", LadderTableSection)
        terms = self._sections.terms(table.seats if table else None, isolation)
        listen = self._sections.listen(self._folder)
        self._check_absolute()
        if not (head and table and terms and listen):
            return None
        return Contest(
            name=head.name,
            seed=None,
            seats=table.seats,
            deals=table.deals,
            format="session",
            tables=1,
            stakes=(0,),
            house=terms.house,
            doubts=terms.doubts,
            schedule=ScheduleChoice("ladder"),
            clock=terms.clock,
            max_faults=terms.max_faults,
            isolation=terms.isolation,
            listen=listen,
            entrants=staff,
            folder=self._folder,
        )

    def _check_absolute(self) -> None:
        for key in ("tls_cert", "tls_key", "client_ca"):
            path = self._sections.written("listen", key)
            if isinstance(path, str) and path and not Path(path).is_absolute():
                self._problems.add(("listen", key), f"[listen] {key} = {path!r}: {_ABSOLUTE}")

    def _staff(self, isolation: IsolationSection) -> Sequence[tuple[StaffSection, Entrant]]:
        written = self._sections.repeated("staff")
        reader = BotReader("staff", StaffSection, self._folder, self._problems, "session", isolation)
        staff = list(reader.read(written))
        for bot, entrant in staff:
            for key, text in _staff_problems(entrant, self._folder):
                place = ("staff", _index_of(bot.name, written), key)
                self._problems.add(place, f"[[staff]] {bot.name}: {text}")
        return staff


_ABSOLUTE = "must be an absolute path, because the ladder stores this file in its own folder"


def _index_of(name: str, written: Sequence[object]) -> int:
    return next(index for index, keys in enumerate(written) if isinstance(keys, dict) and keys.get("name") == name)


def _staff_problems(bot: Entrant, folder: Path) -> Iterator[tuple[str, str]]:
    """Yields key and text of each reason why the ladder could not copy this bot."""
    if bot.venv and not Path(bot.venv).is_absolute():
        yield "venv", f"venv = {bot.venv!r}: {_ABSOLUTE}"
    for path in bot.files:
        if not (folder / path).resolve().is_relative_to(folder):
            yield "files", f"{path!r} is outside of the folder of this file, so the ladder cannot copy it"
