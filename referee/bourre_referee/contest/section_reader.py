"""Reads the sections that contest files, and files like them, have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from bourre.rules.errors import InvalidHouse
from bourre.rules.house import HouseRules, check_preset
from bourre.rules.lint import lint
from bourre_referee.contest.contest_keys import IsolationSection, RulesSection, Section
from bourre_referee.contest.contest_problems import Problems, header, hint
from bourre_referee.contest.isolation_choice import IsolationAsked
from bourre_referee.contest.listen import ListenSection, listen_problems
from bourre_referee.model.spec import Limits

S = TypeVar("S", bound=Section)


class SectionReader:
    """The sections of a parsed file; every method adds what is wrong to `problems`."""

    def __init__(self, written: Mapping[str, Any], problems: Problems, sections: Mapping[str, type[Section]]) -> None:
        """`sections` are those that such a file may have."""
        self.problems = problems
        self._written = written
        self._sections = sections

    def check_names(self) -> None:
        """Checks that the file has no other sections."""
        for name in self._written.keys() - self._sections.keys():
            known = hint(name, self._sections, "", self._sections)
            self.problems.add((name,), f"there is no section {name!r} here{known}")

    def section(self, name: str, model: type[S]) -> S | None:
        """Reads a section, with its defaults if the file leaves it out; None if it is wrong."""
        try:
            return model.model_validate(self._written.get(name, {}))
        except ValidationError as error:
            self.problems.add_invalid((name,), header(name), model, error)
            return None

    def lacks(self, name: str, key: str) -> bool:
        """Whether the file does not write this key of a section, although it may write the section."""
        written = self._written.get(name, {})
        return isinstance(written, dict) and key not in written

    def repeated(self, name: str) -> list[object]:
        """Returns every occurrence of a section in double brackets, unchecked."""
        found = self._written.get(name, [])
        if isinstance(found, list):
            return found
        each = "bot" if name in ("bots", "staff") else name
        self.problems.add((name,), f"{name}: write [[{name}]] in double brackets, once for each {each}")
        return []

    def numbered(self, name: str, model: type[S]) -> list[tuple[int, S]]:
        """Reads every occurrence of a section in double brackets; returns those that are sound, each with its index."""
        found = []
        for index, keys in enumerate(self.repeated(name)):
            try:
                found.append((index, model.model_validate(keys)))
            except ValidationError as error:
                self.problems.add_invalid((name, index), f"{header(name)} number {index + 1}:", model, error)
        return found

    def house(self, rules: RulesSection) -> HouseRules | None:
        """Applies the keys over the preset; checks each key by itself, so that every problem is reported."""
        keys = {key: value for key, value in (rules.model_extra or {}).items() if self._is_sound(key, value)}
        try:
            return HouseRules.preset(rules.preset, **keys)
        except InvalidHouse as error:
            self.problems.add(("rules", "preset"), f"[rules] preset = {rules.preset!r}: {error}")
            return None

    def _is_sound(self, key: str, value: object) -> bool:
        known = [field.name for field in fields(HouseRules)]
        try:
            if key not in known:
                near = hint(key, ["preset", *known], "rules", self._sections)
                raise InvalidHouse(f"there is no house rule {key!r}{near}")
            HouseRules.preset("pagat", **{key: value})
        except InvalidHouse as error:
            self.problems.add(("rules", key), f"[rules] {error}")
            return False
        return True

    def seats_are_sound(self, seats: int, preset: str, house: HouseRules) -> bool:
        """Checks that these house rules can be played at such a table."""
        try:
            house.check_seats(seats)
            check_preset(preset, seats)
        except InvalidHouse as error:
            self.problems.add(("table", "seats"), f"[table] seats = {seats}: {error}")
            return False
        return True

    def check_host(self, isolation: IsolationSection | None, listen: ListenSection | None, folder: Path) -> None:
        """Checks what the file asks of the machine; its paths start at this folder."""
        for key, text in image_problems(isolation) if isolation else ():
            self.problems.add(("isolation", key), f"[isolation] {text}")
        for key, text in listen_problems(listen, folder) if listen else ():
            self.problems.add(("listen", key), f"[listen] {text}")


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


def doubts_beyond_preset(house: HouseRules, preset: str, seats: int) -> tuple[str, ...]:
    """Returns what is hardly intended in the keys set over the preset; the preset itself is taken as intended."""
    known = lint(HouseRules.preset(preset), seats)
    return tuple(doubt for doubt in lint(house, seats) if doubt not in known)
