"""Reads and checks a contest file before anything starts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from bourre.rules.errors import InvalidHouse
from bourre.rules.house import HouseRules, check_preset
from bourre.rules.lint import lint
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
from bourre_referee.contest.contest_problems import Problems, header, hint
from bourre_referee.contest.isolation_choice import IsolationAsked
from bourre_referee.contest.listen import ListenSection, listen_of, listen_problems
from bourre_referee.contest.pairing import Pairing, problems
from bourre_referee.contest.toml_source import parse_toml, read_text
from bourre_referee.model.spec import Clock, Limits

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

S = TypeVar("S", bound=Section)

TABLES = {"session": 1, "duplicate": 32}
"""How many tables a room plays at once by default, by format."""


def load(path: Path) -> Contest:
    """Loads a contest from its file; raises ContestError that lists every problem with its line."""
    text = read_text(path, "contest file")
    return _Reading(parse_toml(text, path), Problems(path, text, SECTIONS), path.resolve().parent).contest()


class _Reading:
    """Makes one pass over a parsed contest file and gathers its problems."""

    def __init__(self, written: dict[str, Any], problems: Problems, folder: Path) -> None:
        self._written = written
        self._problems = problems
        self._folder = folder

    def contest(self) -> Contest:
        self._check_sections()
        head = self._section("contest", ContestSection)
        table = self._section("table", TableSection)
        rules = self._section("rules", RulesSection)
        house = self._house(rules) if rules else None
        schedule = self._section("schedule", ScheduleSection)
        clock = self._section("clock", ClockSection)
        faults = self._section("faults", FaultsSection)
        isolation = self._section("isolation", IsolationSection)
        listen = self._section("listen", ListenSection)
        bots = self._bots()
        for key, text in image_problems(isolation) if isolation else ():
            self._problems.add(("isolation", key), f"[isolation] {text}")
        for key, text in listen_problems(listen, self._folder) if listen else ():
            self._problems.add(("listen", key), f"[listen] {text}")
        if table:
            self._check_table(table, rules.preset if rules else "", house or HouseRules(), len(bots))
        entered = entrants(
            bots, self._folder, self._problems, table.format if table else "session", isolation or IsolationSection()
        )
        pairing = _pairing(schedule) if schedule else Pairing()
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
            doubts=_doubts_beyond_preset(house, rules.preset, table.seats),
            schedule=pairing,
            clock=Clock(**clock.model_dump()),
            max_faults=faults.max,
            isolation=isolation_of(isolation),
            listen=listen_of(listen, self._folder),
            entrants=entered,
            folder=self._folder,
        )

    def _check_sections(self) -> None:
        for name in self._written.keys() - SECTIONS.keys():
            self._problems.add((name,), f"there is no section {name!r} here{hint(name, SECTIONS, '', SECTIONS)}")

    def _section(self, name: str, model: type[S]) -> S | None:
        try:
            return model.model_validate(self._written.get(name, {}))
        except ValidationError as error:
            self._problems.add_invalid((name,), header(name), model, error)
            return None

    def _house(self, rules: RulesSection) -> HouseRules | None:
        """Applies the keys over the preset; checks each key by itself, so that every problem is reported."""
        keys = {key: value for key, value in (rules.model_extra or {}).items() if self._is_sound(key, value)}
        try:
            return HouseRules.preset(rules.preset, **keys)
        except InvalidHouse as error:
            self._problems.add(("rules", "preset"), f"[rules] preset = {rules.preset!r}: {error}")
            return None

    def _is_sound(self, key: str, value: object) -> bool:
        known = [field.name for field in fields(HouseRules)]
        try:
            if key not in known:
                raise InvalidHouse(f"there is no house rule {key!r}{hint(key, ['preset', *known], 'rules', SECTIONS)}")
            HouseRules.preset("pagat", **{key: value})
        except InvalidHouse as error:
            self._problems.add(("rules", key), f"[rules] {error}")
            return False
        return True

    def _bots(self) -> list[object]:
        bots = self._written.get("bots", [])
        if isinstance(bots, list):
            return bots
        self._problems.add(("bots",), "bots: write [[bots]] in double brackets, once for each bot")
        return []

    def _check_pairing(self, pairing: Pairing, names: list[str], seats: int) -> None:
        for key, text in problems(pairing, names, seats):
            self._problems.add(("schedule", key), f"[schedule] {text}")

    def _check_table(self, table: TableSection, preset: str, house: HouseRules, bots: int) -> None:
        try:
            house.check_seats(table.seats)
            check_preset(preset, table.seats)
        except InvalidHouse as error:
            self._problems.add(("table", "seats"), f"[table] seats = {table.seats}: {error}")
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


def _pairing(written: ScheduleSection) -> Pairing:
    line_ups = written.line_ups and tuple(map(tuple, written.line_ups))
    return Pairing(written.kind, written.rounds, written.bot, line_ups or None, written.repeats, written.adaptive)


def image_problems(written: IsolationSection) -> Iterator[tuple[str, str]]:
    """Yields key and text of each conflict between the level and its image."""
    if written.level == "container" and written.image is None:
        yield "level", 'level = "container": name its image = "..."'
    elif written.level != "container" and written.image is not None:
        yield "image", 'image: only level = "container" has one'


def isolation_of(written: IsolationSection) -> IsolationAsked:
    """Converts the section into the isolation asked for."""
    limits = Limits(written.memory_mib, written.processes, written.disk_mib)
    return IsolationAsked(written.level, limits, written.image)


def _doubts_beyond_preset(house: HouseRules, preset: str, seats: int) -> tuple[str, ...]:
    """Returns what is hardly intended in the keys set over the preset; the preset itself is taken as intended."""
    known = lint(HouseRules.preset(preset), seats)
    return tuple(doubt for doubt in lint(house, seats) if doubt not in known)
