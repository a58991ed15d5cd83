"""Reads the sections that contest files and similar files have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

from bourre.rules.errors import InvalidHouse, unknown
from bourre.rules.house import HouseRules, check_preset
from bourre.rules.lint import lint
from bourre_referee.contest.bot_permissions import image_problems
from bourre_referee.contest.contest_keys import ClockSection, FaultsSection, IsolationSection, RulesSection, Section
from bourre_referee.contest.contest_problems import Problems, header, parse_toml, read_text, unknown_key
from bourre_referee.contest.isolation_choice import IsolationAsked
from bourre_referee.contest.listen import ListenSection, listen_of, listen_problems
from bourre_referee.model.listener_spec import Listen
from bourre_referee.model.spec import Clock, Limits

S = TypeVar("S", bound=Section)


@dataclass(frozen=True, slots=True)
class PlayTerms:
    """The terms of play, which contests, ladders and grading plans share."""

    preset: str
    house: HouseRules
    doubts: tuple[str, ...]
    """Warnings about keys that override the preset in a way that is probably not intended."""
    clock: Clock
    max_faults: int
    isolation: IsolationAsked


class SectionReader:
    """Reads the sections of a file. Every method adds to `problems`."""

    def __init__(self, path: Path, kind: str, sections: Mapping[str, type[Section]]) -> None:
        """Parses a file of this kind, which may have only these sections. Raises ContestError."""
        text = read_text(path, kind)
        self.problems = Problems(path, text, sections)
        self._written = parse_toml(text, path)
        self._sections = sections
        for name in self._written.keys() - sections.keys():
            self.problems.add((name,), unknown("section", name, sections))

    def section(self, name: str, model: type[S]) -> S | None:
        """Reads a section, or its defaults if the file has none; returns None if it is wrong."""
        return self.problems.section((name,), header(name), model, self._written.get(name, {}))

    def written(self, name: str, key: str) -> object:
        """Returns the unchecked value of a key in the file; None if the file lacks it."""
        keys = self._written.get(name, {})
        return keys.get(key) if isinstance(keys, dict) else keys

    def repeated(self, name: str) -> list[object]:
        """Returns every occurrence of a section in double brackets, unchecked."""
        found = self._written.get(name, [])
        if isinstance(found, list):
            return found
        each = "bot" if name in ("bots", "staff") else name.removesuffix("s")
        self.problems.add((name,), f"{name} must be written [[{name}]], once for each {each}")
        return []

    def numbered(self, name: str, model: type[S]) -> list[tuple[int, S]]:
        """Reads every occurrence of a section in double brackets, and returns the valid ones with their index."""
        read = (
            self.problems.section((name, index), f"{header(name)} number {index + 1}:", model, keys)
            for index, keys in enumerate(self.repeated(name))
        )
        return [(index, section) for index, section in enumerate(read) if section]

    def terms(self, seats: int | None, isolation: IsolationSection | None) -> PlayTerms | None:
        """Reads the terms of play for a table of this many seats, if known; returns None if something is wrong."""
        rules = self.section("rules", RulesSection)
        house = self._house(rules) if rules else None
        clock = self.section("clock", ClockSection)
        faults = self.section("faults", FaultsSection)
        for key, text in image_problems(isolation.level, isolation.image, isolation.image) if isolation else ():
            self.problems.add(("isolation", key), f"[isolation] {text}")
        preset = rules.preset if rules else ""
        sound = seats is not None and self._seats_are_sound(seats, preset, house or HouseRules())
        if not (sound and seats is not None and house and clock and faults and isolation):
            return None
        known = lint(HouseRules.preset(preset), seats)
        return PlayTerms(
            preset=preset,
            house=house,
            doubts=tuple(doubt for doubt in lint(house, seats) if doubt not in known),
            clock=Clock(**clock.model_dump()),
            max_faults=faults.max,
            isolation=IsolationAsked(
                isolation.level,
                Limits(isolation.memory_mib, isolation.processes, isolation.disk_mib),
                isolation.image,
            ),
        )

    def listen(self, folder: Path) -> Listen | None:
        """Reads where remote bots connect. Paths are relative to `folder`."""
        written = self.section("listen", ListenSection)
        if written is None:
            return None
        for key, text in listen_problems(written, folder):
            self.problems.add(("listen", key), f"[listen] {text}")
        return listen_of(written, folder)

    def _house(self, rules: RulesSection) -> HouseRules | None:
        """Applies the keys over the preset. It checks each key separately, to report every problem."""
        keys = {key: value for key, value in (rules.model_extra or {}).items() if self._is_sound(key, value)}
        try:
            return HouseRules.preset(rules.preset, **keys)
        except InvalidHouse as error:
            self.problems.add(("rules", "preset"), f"[rules] {error}")
            return None

    def _is_sound(self, key: str, value: object) -> bool:
        known = [field.name for field in fields(HouseRules)]
        try:
            if key not in known:
                raise InvalidHouse(unknown_key(key, ["preset", *known], self._sections))
            HouseRules.preset("pagat", **{key: value})
        except InvalidHouse as error:
            self.problems.add(("rules", key), f"[rules] {error}")
            return False
        return True

    def _seats_are_sound(self, seats: int, preset: str, house: HouseRules) -> bool:
        """Checks that this many seats can play these house rules."""
        try:
            house.check_seats(seats)
            check_preset(preset, seats)
        except InvalidHouse as error:
            self.problems.add(("table", "seats"), f"[table] seats = {seats}: {error}")
            return False
        return True
