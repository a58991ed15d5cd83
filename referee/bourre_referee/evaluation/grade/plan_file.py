"""Read and check a plan file before anything starts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from secrets import randbelow
from typing import Any, TypeVar

from pydantic import ValidationError

from bourre.bot_file import BotFileError, find
from bourre.rules.errors import InvalidHouse
from bourre.rules.house import HouseRules, check_preset
from bourre_referee.contest.contest_keys import ClockSection, FaultsSection, IsolationSection, RulesSection, Section
from bourre_referee.contest.contest_problems import Problems, header, hint
from bourre_referee.contest.section_reader import image_problems, isolation_of
from bourre_referee.contest.toml_source import parse_toml, read_text
from bourre_referee.evaluation.grade.grading_plan import SUBMISSION, Conformance, Plan, StaffBot, Threshold
from bourre_referee.evaluation.grade.plan_sections import (
    SECTIONS,
    AssignmentSection,
    ConformanceSection,
    MarkSection,
    StaffSection,
    TableSection,
)
from bourre_referee.model.spec import Clock

S = TypeVar("S", bound=Section)


def load(path: Path, examples: Sequence[Path]) -> Plan:
    """Load a plan file; `examples` are folders of example bots. Raises ContestError with all problems."""
    text = read_text(path, "plan file with --plan")
    return _PlanReader(parse_toml(text, path), Problems(path, text, SECTIONS), path.resolve().parent, examples).plan()


class _PlanReader:
    """Reads a parsed plan file once, and collects its problems."""

    def __init__(self, written: dict[str, Any], problems: Problems, folder: Path, examples: Sequence[Path]) -> None:
        self._written = written
        self._problems = problems
        self._folder = folder
        self._examples = examples

    def plan(self) -> Plan:
        for name in self._written.keys() - SECTIONS.keys():
            self._problems.add((name,), f"{name} is not a section of a plan{hint(name, SECTIONS, '', SECTIONS)}")
        head = self._section("assignment", AssignmentSection)
        table = self._section("table", TableSection)
        rules = self._section("rules", RulesSection)
        clock = self._section("clock", ClockSection)
        faults = self._section("faults", FaultsSection)
        isolation = self._section("isolation", IsolationSection)
        conformance = self._section("conformance", ConformanceSection)
        bots, marks = self._all("staff", StaffSection), self._all("mark", MarkSection)
        staff = tuple(self._staff(bots))
        house = self._house(rules) if rules else None
        if house and rules and table:
            self._check_seats(house, rules.preset, table)
        self._check(head, table, isolation, [bot.name for _, bot in bots], marks)
        if not (head and table and rules and clock and faults and isolation and conformance and house):
            raise self._problems.error()
        plan = Plan(
            name=head.name,
            seed=head.seed,
            practice_seed=head.practice_seed,
            minutes=head.minutes,
            seats=table.seats,
            deals=table.deals,
            preset=rules.preset,
            house=house,
            clock=Clock(**clock.model_dump()),
            max_faults=faults.max,
            isolation=isolation_of(isolation),
            staff=staff,
            thresholds=tuple(Threshold(**mark.model_dump()) for _, mark in marks),
            conformance=Conformance(**conformance.model_dump()),
            folder=self._folder,
            review=head.review,
            launchers=tuple(head.launchers),
        )
        if not plan.points:
            self._problems.add(("mark",), "the plan gives no points: write [[mark]] or [conformance]")
        if self._problems:
            raise self._problems.error()
        return plan

    def _section(self, name: str, model: type[S]) -> S | None:
        written = self._written.get(name, {})
        try:
            return model.model_validate(written)
        except ValidationError as error:
            self._problems.add_invalid((name,), header(name), model, error)
            if name == "assignment" and isinstance(written, dict) and "seed" not in written:
                self._problems.add(
                    (name,), f"[assignment] here is a seed that nobody can guess: seed = {randbelow(2**63)}"
                )
            return None

    def _all(self, name: str, model: type[S]) -> list[tuple[int, S]]:
        """Return the valid occurrences of a repeatable section, each with its index."""
        written = self._written.get(name, [])
        if not isinstance(written, list):
            self._problems.add((name,), f"{name}: write [[{name}]] in double brackets, once for each")
            return []
        every = ((index, self._one(name, index, keys, model)) for index, keys in enumerate(written))
        return [(index, found) for index, found in every if found]

    def _one(self, name: str, index: int, keys: object, model: type[S]) -> S | None:
        try:
            return model.model_validate(keys)
        except ValidationError as error:
            self._problems.add_invalid((name, index), f"{header(name)} number {index + 1}:", model, error)
            return None

    def _house(self, rules: RulesSection) -> HouseRules | None:
        try:
            return HouseRules.preset(rules.preset, **(rules.model_extra or {}))
        except InvalidHouse as error:
            self._problems.add(("rules", "preset"), f"[rules] {error}")
            return None

    def _check_seats(self, house: HouseRules, preset: str, table: TableSection) -> None:
        try:
            house.check_seats(table.seats)
            check_preset(preset, table.seats)
        except InvalidHouse as error:
            self._problems.add(("table", "seats"), f"[table] seats = {table.seats}: {error}")

    def _staff(self, bots: Sequence[tuple[int, StaffSection]]) -> Iterator[StaffBot]:
        names: list[str] = []
        for index, bot in bots:
            place = ("staff", index)
            if bot.name == SUBMISSION or bot.name in names:
                advice = (
                    "that is the name of the students' bots"
                    if bot.name == SUBMISSION
                    else "give each a name of its own"
                )
                self._problems.add((*place, "name"), f"[[staff]] name = {bot.name!r}: {advice}")
            names.append(bot.name)
            if file := self._file(bot.bot, place):
                public = file.parent in self._examples and "/" not in bot.bot
                yield StaffBot(bot.name, file, bot.bot if public else None)

    def _file(self, word: str, place: tuple[str, int]) -> Path | None:
        try:
            found = Path(find(word, (self._folder, *self._examples)))
        except BotFileError as error:
            self._problems.add((*place, "bot"), f"[[staff]] {error}")
            return None
        # `find` returns a path as written, which is relative to the plan's folder.
        file = (self._folder / found if str(found) == word else found).resolve()
        if file.is_file():
            return file
        self._problems.add((*place, "bot"), f"[[staff]] there is no file {word!r} (paths start at the plan's folder)")
        return None

    def _check(
        self,
        head: AssignmentSection | None,
        table: TableSection | None,
        isolation: IsolationSection | None,
        staff: list[str],
        marks: Sequence[tuple[int, MarkSection]],
    ) -> None:
        """Check the sections against each other."""
        if head and head.seed == head.practice_seed:
            text = "[assignment] seed is the practice seed, which students know: write another one"
            self._problems.add(("assignment", "seed"), text)
        if table and not self._problems and len(staff) < table.seats - 1:
            text = f"[table] seats = {table.seats} leaves {table.seats - 1} seats to staff bots, and there are "
            advice = f"{len(staff)}: write more [[staff]], or seats = {len(staff) + 1}"
            self._problems.add(("table", "seats"), text + advice)
        for key, text in image_problems(isolation) if isolation else ():
            self._problems.add(("isolation", key), f"[isolation] {text}")
        for index, mark in marks:
            if mark.against is not None and mark.against not in staff:
                known = hint(mark.against, staff, "", {}) if staff else ": write [[staff]]"
                text = f"{mark.against!r} is not a staff bot{known}"
                self._problems.add(("mark", index, "against"), f"[[mark]] against = {text}")
            if mark.zero_at is not None and mark.zero_at >= mark.per_100:
                text = f"[[mark]] zero_at = {mark.zero_at:g} must be less than per_100 = {mark.per_100:g}"
                self._problems.add(("mark", index, "zero_at"), text)
