"""Reads and checks a contest file before anything starts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bourre_referee.contest.bot_entries import BotReader, BotSection
from bourre_referee.contest.contest import Contest, Entrant
from bourre_referee.contest.contest_keys import (
    ClockSection,
    ContestSection,
    FaultsSection,
    IsolationSection,
    RulesSection,
    ScheduleSection,
    Section,
    TableSection,
)
from bourre_referee.contest.listen import ListenSection
from bourre_referee.contest.model_entries import CapsSection, ModelReader, ModelSection
from bourre_referee.contest.schedule_section import ScheduleChoice, problems
from bourre_referee.contest.section_reader import SectionReader

SECTIONS: dict[str, type[Section]] = {
    "contest": ContestSection,
    "table": TableSection,
    "rules": RulesSection,
    "schedule": ScheduleSection,
    "clock": ClockSection,
    "faults": FaultsSection,
    "isolation": IsolationSection,
    "listen": ListenSection,
    "bots": BotSection,
    "models": ModelSection,
    "model_caps": CapsSection,
}
"""The sections of a contest file, by name."""

TABLES = {"session": 1, "duplicate": 32}
"""How many tables a room plays at once by default, by format."""


def load(path: Path) -> Contest:
    """Loads a contest from its file. Raises ContestError that lists every problem with its line."""
    return _ContestReading(SectionReader(path, "contest file", SECTIONS), path.resolve().parent).contest()


class _ContestReading:
    """Reads a parsed contest file, and collects its problems."""

    def __init__(self, sections: SectionReader, folder: Path) -> None:
        self._sections = sections
        self._problems = sections.problems
        self._folder = folder

    def contest(self) -> Contest:
        head = self._sections.section("contest", ContestSection)
        table = self._sections.section("table", TableSection)
        isolation = self._sections.section("isolation", IsolationSection)
        terms = self._sections.terms(table.seats if table else None, isolation)
        listen = self._sections.listen(self._folder)
        caps = self._sections.section("model_caps", CapsSection)
        format, boxes = table.format if table else "session", isolation or IsolationSection()
        entrants, entered = self._entrants(format, boxes, caps or CapsSection())
        seats = table.seats if table and len(entrants) == entered else None
        pairing = self._pairing([entrant.name for entrant in entrants], seats)
        if table:
            self._check_table(table, entered)
        if self._problems or not (head and table and terms and listen and caps):
            raise self._problems.error()
        return Contest(
            name=head.name,
            seed=head.seed,
            archive=head.archive,
            seats=table.seats,
            deals=table.deals,
            format=table.format,
            tables=table.tables or TABLES[table.format],
            fresh=table.fresh,
            stakes=tuple(table.stakes or (0,)),
            house=terms.house,
            doubts=terms.doubts,
            schedule=pairing,
            clock=terms.clock,
            max_faults=terms.max_faults,
            isolation=terms.isolation,
            listen=listen,
            entrants=entrants,
            folder=self._folder,
            model_caps=caps.caps(),
        )

    def _entrants(self, format: str, isolation: IsolationSection, caps: CapsSection) -> tuple[tuple[Entrant, ...], int]:
        """Reads bots and models. Returns the sound entrants, and the number of all."""
        bots, models = self._sections.repeated("bots"), self._sections.numbered("models", ModelSection)
        wrong = len(self._sections.repeated("models")) - len(models)
        reader = BotReader("bots", BotSection, self._folder, self._problems, format, isolation)
        entrants = [entrant for _, entrant in reader.read(bots)]
        models_found = ModelReader(self._folder, self._problems, format, isolation).read(models, caps, entrants)
        entrants = [*entrants, *models_found]
        if entrants and all(entrant.rating for entrant in entrants):
            self._problems.add(("bots", 0, "rating"), f"[[bots]] {entrants[0].name}: rating: {_ALL_ANCHORS}")
        return tuple(entrants), len(bots) + wrong + sum(section.repeats for _, section in models)

    def _pairing(self, names: Sequence[str], seats: int | None) -> ScheduleChoice:
        """Reads the schedule, and checks it if the number of seats is given."""
        written = self._sections.section("schedule", ScheduleSection)
        if written is None:
            return ScheduleChoice()
        line_ups = written.line_ups and tuple(map(tuple, written.line_ups))
        pairing = ScheduleChoice(
            written.kind, written.rounds, written.bot, line_ups or None, written.repeats, written.adaptive
        )
        if seats is not None:
            for key, text in problems(pairing, names, seats):
                self._problems.add(("schedule", key), f"[schedule] {text}")
        return pairing

    def _check_table(self, table: TableSection, bots: int) -> None:
        if bots < table.seats and not self._problems.concern(("table", "seats")):
            entered = f"{bots} bot{'s are' if bots != 1 else ' is'} entered"
            hint = f"add {table.seats - bots} more" + (f", or set seats = {bots}" if bots > 1 else "")
            self._problems.add(("table", "seats"), f"[table] seats = {table.seats}, but {entered}.\nhint: {hint}")
        if table.stakes and table.format == "session":
            text = 'stakes needs format = "duplicate".\nhint: remove stakes'
            self._problems.add(("table", "stakes"), f"[table] {text}")
        if table.format == "duplicate" and not table.fresh:
            text = "with fresh = false, a bot would know each deal from an earlier seating of the same match"
            self._problems.add(("table", "fresh"), f'[table] {text}.\nhint: remove fresh, or set format = "session"')


_ALL_ANCHORS = "every bot has a given rating, so the matches rate nobody.\nhint: remove rating from some bots"
