"""The plan of an assignment: its tasks and points, and the file in which the staff write it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from secrets import randbelow
from typing import Annotated

from pydantic import Field

from bourre.bot_code.bot_file import BotFileError, find
from bourre.rules.errors import unknown
from bourre.rules.house import HouseRules
from bourre_referee.contest.contest_keys import (
    ClockSection,
    FaultsSection,
    IsolationSection,
    Name,
    RulesSection,
    Section,
    Word,
)
from bourre_referee.contest.isolation_choice import IsolationAsked
from bourre_referee.contest.section_reader import SectionReader
from bourre_referee.evaluation.grade.plan.term_section import TermSection, term_problems
from bourre_referee.evaluation.packages.packages_section import PackagesSection
from bourre_referee.model.spec import Clock

SUBMISSION = "submission"
"""The name of a student's bot in every record. Records never contain a student's name."""

PRACTICE_DEALS = 100
"""The approximate number of deals that students may see, each played once."""


@dataclass(frozen=True, slots=True)
class StaffBot:
    """A reference bot of the staff, which never changes. Submissions are measured against it."""

    name: str
    file: Path
    """An absolute path."""
    example: str | None = None
    """The name of the example bot, if it is one and students have it too."""


Seed = Annotated[int, Field(ge=0, le=2**63 - 1)]
Points = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
Chips = Annotated[float, Field(ge=-1_000_000, le=1_000_000, allow_inf_nan=False)]


class Threshold(Section):
    """[[mark]]: points for winning at this rate or faster, in chips per 100 deals, less the luck of the draw."""

    points: Annotated[float, Field(gt=0, le=1_000_000, allow_inf_nan=False)]
    per_100: Chips
    """All points are given from this rate on."""
    against: Name | None = None
    """The reference bot for the comparison. With None, the submission's own chips count."""
    zero_at: Chips | None = None
    """From this rate up to `per_100` the points grow linearly. With None, it is all or nothing."""


class Conformance(Section):
    """[conformance]: points for a bot without certain mistakes, each all or nothing, or in proportion by `zero_at`."""

    legal: Points = 0.0
    """No renege."""
    no_faults: Points = 0.0
    """No fault other than lateness."""
    on_time: Points = 0.0
    """No late answer."""
    zero_at: Annotated[float, Field(gt=0, le=10_000, allow_inf_nan=False)] | None = None
    """The mistakes of a kind in 100 deals that cost all its points. Fewer cost a share. With None, any costs all."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An assignment. The same plan and the same answers of a bot give the same mark."""

    name: str
    seed: int
    """Decides the cards, which students must not know."""
    practice_seed: int
    """Decides the cards of the practice deals, on which students see their mistakes."""
    minutes: float
    """The time limit of each of a submission's two contests."""
    seats: int
    deals: int
    """The least number of deals, each played in all seatings."""
    preset: str
    house: HouseRules
    clock: Clock
    max_faults: int
    isolation: IsolationAsked
    staff: tuple[StaffBot, ...]
    """Weakest first."""
    thresholds: tuple[Threshold, ...]
    conformance: Conformance
    folder: Path
    """The absolute path of the plan's folder."""
    launchers: tuple[str, ...]
    """The programs of this machine with which a submission's command may begin."""
    packages: PackagesSection
    term: TermSection
    review: int = 0
    """How many of the worst decisions in the practice deals are in the feedback. They do not affect the mark."""
    next: str = ""
    """What students do after this assignment, as a sentence. Empty if the feedback does not say."""

    @property
    def points(self) -> float:
        """The best possible mark."""
        conformance = self.conformance
        return sum(threshold.points for threshold in self.thresholds) + (
            conformance.legal + conformance.no_faults + conformance.on_time
        )


class AssignmentSection(Section):
    """[assignment]"""

    name: Name
    seed: Seed
    practice_seed: Seed = 7
    minutes: Annotated[float, Field(gt=0, le=1440, allow_inf_nan=False)] = 10.0
    review: Annotated[int, Field(ge=0, le=10)] = 0
    next: Annotated[str, Field(max_length=200)] = ""
    launchers: Annotated[list[Word], Field(default_factory=lambda: ["python", "node"])]


class GradeTableSection(Section):
    """[table]"""

    seats: int
    deals: Annotated[int, Field(ge=2, le=100_000)] = 100


class GradeStaffSection(Section):
    """[[staff]]: a name, and an example bot or a file."""

    name: Name
    bot: Word


SECTIONS: dict[str, type[Section]] = {
    "assignment": AssignmentSection,
    "table": GradeTableSection,
    "rules": RulesSection,
    "clock": ClockSection,
    "faults": FaultsSection,
    "isolation": IsolationSection,
    "conformance": Conformance,
    "packages": PackagesSection,
    "staff": GradeStaffSection,
    "mark": Threshold,
    "term": TermSection,
}


def load(path: Path, examples: Sequence[Path]) -> Plan:
    """Loads a plan file, with folders of example bots in `examples`. Raises ContestError with all problems."""
    sections = SectionReader(path, "plan file with --plan", SECTIONS)
    return _PlanReader(sections, path.resolve().parent, examples).plan()


class _PlanReader:
    """Reads a parsed plan file once, and collects its problems."""

    def __init__(self, sections: SectionReader, folder: Path, examples: Sequence[Path]) -> None:
        self._sections = sections
        self._problems = sections.problems
        self._folder = folder
        self._examples = examples

    def plan(self) -> Plan:
        head = self._sections.section("assignment", AssignmentSection)
        table = self._sections.section("table", GradeTableSection)
        terms = self._sections.terms(
            table.seats if table else None, self._sections.section("isolation", IsolationSection)
        )
        conformance = self._sections.section("conformance", Conformance)
        packages = self._sections.section("packages", PackagesSection)
        term = self._term()
        bots = self._sections.numbered("staff", GradeStaffSection)
        marks = self._sections.numbered("mark", Threshold)
        staff = tuple(self._staff(bots))
        if head is None and self._sections.written("assignment", "seed") is None:
            text = f"[assignment] seed is missing.\nhint: add a seed that nobody can guess: seed = {randbelow(2**63)}"
            self._problems.add(("assignment",), text)
        self._check(head, table, [bot.name for _, bot in bots], marks)
        if not (head and table and terms and conformance and packages and term):
            raise self._problems.error()
        plan = Plan(
            name=head.name,
            seed=head.seed,
            practice_seed=head.practice_seed,
            minutes=head.minutes,
            seats=table.seats,
            deals=table.deals,
            preset=terms.preset,
            house=terms.house,
            clock=terms.clock,
            max_faults=terms.max_faults,
            isolation=terms.isolation,
            staff=staff,
            thresholds=tuple(mark for _, mark in marks),
            conformance=conformance,
            folder=self._folder,
            packages=packages,
            review=head.review,
            next=head.next,
            launchers=tuple(head.launchers),
            term=term,
        )
        if not plan.points:
            self._problems.add(("mark",), "The plan has no points.\nhint: add [[mark]] or [conformance]")
        if self._problems:
            raise self._problems.error()
        return plan

    def _term(self) -> TermSection | None:
        term = self._sections.section("term", TermSection)
        for key, text in term_problems(term) if term else ():
            self._problems.add(("term", key), text)
        return term

    def _staff(self, bots: Sequence[tuple[int, GradeStaffSection]]) -> Iterator[StaffBot]:
        names: list[str] = []
        for index, bot in bots:
            place = ("staff", index)
            if bot.name == SUBMISSION or bot.name in names:
                advice = "students' bots have this name" if bot.name == SUBMISSION else "another one has this name"
                self._problems.add((*place, "name"), f"[[staff]] name = {bot.name!r}: {advice}.\nhint: rename this bot")
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
        self._problems.add((*place, "bot"), f"[[staff]] Cannot find {word!r} in the plan's folder.")
        return None

    def _check(
        self,
        head: AssignmentSection | None,
        table: GradeTableSection | None,
        staff: list[str],
        marks: Sequence[tuple[int, Threshold]],
    ) -> None:
        """Checks the sections against each other."""
        if head and head.seed == head.practice_seed:
            text = "[assignment] seed is the practice seed, which students know.\nhint: set another one"
            self._problems.add(("assignment", "seed"), text)
        if table and not self._problems and len(staff) < table.seats - 1:
            text = f"[table] seats = {table.seats} leaves {table.seats - 1} seats to {len(staff)} reference bots."
            advice = f"\nhint: add more [[staff]], or set seats = {len(staff) + 1}"
            self._problems.add(("table", "seats"), text + advice)
        for index, mark in marks:
            if mark.against is not None and mark.against not in staff:
                text = unknown("reference bot", mark.against, staff)
                self._problems.add(("mark", index, "against"), f"[[mark]] against: {text}")
            if mark.zero_at is not None and mark.zero_at >= mark.per_100:
                text = f"[[mark]] zero_at = {mark.zero_at:g} must be less than per_100 = {mark.per_100:g}"
                self._problems.add(("mark", index, "zero_at"), text)
