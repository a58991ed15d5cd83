"""Reads and checks a contest file before anything starts."""

from __future__ import annotations

from pathlib import Path

from bourre.rules.house import HouseRules
from bourre_referee.contest.bot_entries import BotSection, entrants
from bourre_referee.contest.contest import Contest
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
from bourre_referee.contest.contest_problems import Problems
from bourre_referee.contest.listen import ListenSection, listen_of
from bourre_referee.contest.pairing import Pairing, problems
from bourre_referee.contest.section_reader import SectionReader, doubts_beyond_preset, isolation_of
from bourre_referee.contest.toml_source import parse_toml, read_text
from bourre_referee.model.spec import Clock

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
}
"""The sections of a contest file, by name."""

TABLES = {"session": 1, "duplicate": 32}
"""How many tables a room plays at once by default, by format."""


def load(path: Path) -> Contest:
    """Loads a contest from its file; raises ContestError that lists every problem with its line."""
    text = read_text(path, "contest file")
    sections = SectionReader(parse_toml(text, path), Problems(path, text, SECTIONS), SECTIONS)
    return _Reading(sections, path.resolve().parent).contest()


class _Reading:
    """Makes one pass over a parsed contest file and gathers its problems."""

    def __init__(self, sections: SectionReader, folder: Path) -> None:
        self._sections = sections
        self._problems = sections.problems
        self._folder = folder

    def contest(self) -> Contest:
        self._sections.check_names()
        read = self._sections.section
        head = read("contest", ContestSection)
        table = read("table", TableSection)
        rules = read("rules", RulesSection)
        house = self._sections.house(rules) if rules else None
        schedule = read("schedule", ScheduleSection)
        clock = read("clock", ClockSection)
        faults = read("faults", FaultsSection)
        isolation = read("isolation", IsolationSection)
        listen = read("listen", ListenSection)
        bots = self._sections.repeated("bots")
        self._sections.check_host(isolation, listen, self._folder)
        if table:
            self._check_table(table, rules.preset if rules else "", house or HouseRules(), len(bots))
        entered = entrants(
            bots, self._folder, self._problems, table.format if table else "session", isolation or IsolationSection()
        )
        pairing = _pairing(schedule) if schedule else Pairing()
        if entered and all(entrant.rating for entrant in entered):
            self._problems.add(("bots", 0, "rating"), f"[[bots]] {entered[0].name}: rating: {_ALL_ANCHORS}")
        if table and len(entered) == len(bots):
            self._check_pairing(pairing, [entrant.name for entrant in entered], table.seats)
        if not (head and table and rules and house and schedule and clock and faults and isolation and listen):
            raise self._problems.error()
        if self._problems:
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
            house=house,
            doubts=doubts_beyond_preset(house, rules.preset, table.seats),
            schedule=pairing,
            clock=Clock(**clock.model_dump()),
            max_faults=faults.max,
            isolation=isolation_of(isolation),
            listen=listen_of(listen, self._folder),
            entrants=entered,
            folder=self._folder,
        )

    def _check_pairing(self, pairing: Pairing, names: list[str], seats: int) -> None:
        for key, text in problems(pairing, names, seats):
            self._problems.add(("schedule", key), f"[schedule] {text}")

    def _check_table(self, table: TableSection, preset: str, house: HouseRules, bots: int) -> None:
        if not self._sections.seats_are_sound(table.seats, preset, house):
            return
        if bots < table.seats:
            entered = f"{bots} bot{'s are' if bots != 1 else ' is'} entered"
            hint = f"enter {table.seats - bots} more" + (f", or write seats = {bots}" if bots > 1 else "")
            self._problems.add(("table", "seats"), f"[table] seats = {table.seats}, but {entered}: {hint}")
        if table.stakes and table.format == "session":
            text = 'stakes: only format = "duplicate" has them: write it, or leave out stakes'
            self._problems.add(("table", "stakes"), f"[table] {text}")
        if table.format == "duplicate" and not table.fresh:
            text = "fresh = false: a bot that kept its process would know a deal from another seat of the same match"
            self._problems.add(("table", "fresh"), f'[table] {text}: leave it out, or write format = "session"')


_ALL_ANCHORS = "every bot has a rating, so there is none to rate: leave out rating where the matches are to decide"


def _pairing(written: ScheduleSection) -> Pairing:
    line_ups = written.line_ups and tuple(map(tuple, written.line_ups))
    return Pairing(written.kind, written.rounds, written.bot, line_ups or None, written.repeats, written.adaptive)
