"""Marks a class, several submissions at a time. No submission can prevent the mark of another."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from bourre.rules.errors import BourreError
from bourre_referee.contest.bot_command import problem_with
from bourre_referee.contest.contest import Contest
from bourre_referee.contest.isolation_choice import IsolationAsked, Strangers, Tell, choose_isolation
from bourre_referee.evaluation.copies.identical_play import unchanged_play
from bourre_referee.evaluation.grade.intake.submissions import BadSubmission, Submission, copy_submission
from bourre_referee.evaluation.grade.marks.contest_player import OutOfTime, Play
from bourre_referee.evaluation.grade.marks.grading_contests import hidden_contest, practice_contest
from bourre_referee.evaluation.grade.marks.grading_result import GradingResult, Practice
from bourre_referee.evaluation.grade.marks.marking import evidence_of, mark, mark_without_points
from bourre_referee.evaluation.grade.plan.grading_plan import SUBMISSION, Plan
from bourre_referee.evaluation.grade.record.fingerprints import files_digest
from bourre_referee.evaluation.grade.sheets.feedback import fault_in_words, first_error, practice_of, review_of
from bourre_referee.evaluation.grade.sheets.file_errors import first_file_error
from bourre_referee.evaluation.grade.sheets.leaderboard import pseudonym
from bourre_referee.evaluation.packages.environments import Installer
from bourre_referee.evaluation.packages.missing_packages import ignored_lock, name_missing_package
from bourre_referee.evaluation.packages.package_lock import BadPackages
from bourre_referee.evaluation.unseeded_chance import unseeded_places, unseeded_warning
from bourre_referee.model.errors import Interrupted
from bourre_referee.model.lab import open_lab
from bourre_referee.model.spec import Isolation, Level
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.os_errors import explain_os_error
from bourre_referee.sandbox.levels import unavailable_reason
from bourre_referee.storage.files import atomic
from bourre_referee.storage.files.parallel_tasks import do_in_parallel
from bourre_referee.storage.files.process_pool import ProcessDied, forks_of
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.folder_location import hold_lock
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.versions import versions
from bourre_referee.text.names import printable

CONSENT = '--allow-unboxed, or [isolation] level = "none" in the plan'
AS_IF_UNCHANGED = (
    "In every decision your bot chose what {like} chooses. No mistake was seen, but code of your own in declare, draw "
    "or play made no difference: check these names, and what it does in more deals."
)
TIMED_OUT = "out-of-time"
"""The file next to the matches with the minutes after which a submission was stopped."""

OUT_OF_TIME = "the bot took more than the {minutes:g} minutes allowed for its deals"

Refuse = Callable[[str, str], str]
"""Returns why files with this digest, by this student, are not marked now; empty if they are."""


def settle_isolation(plan: Plan, tell: Tell, allow_unboxed: bool = False) -> Plan:
    """Returns the plan with the isolation level of this machine, and calls `tell` with a warning if there is none.

    No submission gets a weaker level, whatever its command. Raises ContestError if the plan's level is not available,
    or if there is no isolation at all, unless the plan has none or `allow_unboxed` is set.
    """
    contest = hidden_contest(plan, ("python", ""), plan.folder)
    staff = [entry for entry in contest.entries if entry.name != SUBMISSION]
    strangers = Strangers("submissions", CONSENT, trusted=allow_unboxed)
    found = choose_isolation(plan.isolation, staff, tell, strangers=strangers)
    asked = IsolationAsked(found.level.value, plan.isolation.limits, plan.isolation.image)
    return replace(plan, isolation=asked)


def grade(
    plan: Plan,
    submissions: Sequence[Submission],
    runs: Path,
    salt: bytes | None,
    play: Play,
    refuse: Refuse,
    jobs: int = 1,
) -> Iterator[tuple[Submission, GradingResult]]:
    """Yields the marks in the order of the submissions, each as soon as it is known. `runs` keeps their matches.

    Call `settle_isolation` on the plan first. Without a `salt` nobody gets a leaderboard name. With several `jobs`,
    each submission is marked in its own process, which must be able to import `play` and `refuse`. Raises only
    Interrupted, or KeyboardInterrupt on a signal.
    """
    markings = [_Marking(plan, submission, runs, salt, play, refuse) for submission in submissions]
    if jobs == 1:
        yield from ((marking.submission, marking.run()) for marking in markings)
        return
    with Stop(), closing(do_in_parallel(_mark, markings, jobs, forks_of(__name__))) as found:
        for marking, graded in found:
            yield marking.submission, marking.fail(graded) if isinstance(graded, ProcessDied) else graded


def _mark(marking: _Marking) -> GradingResult:
    """Marks a submission in a process of its own, which a signal ends without a result."""
    if marking.plan.review:
        open_lab()  # before the standings load NumPy, which would then have many threads
    try:
        return marking.run()
    except Interrupted:
        sys.exit(1)


@dataclass(frozen=True, slots=True)
class _Marking:
    """Marks one submission."""

    plan: Plan
    submission: Submission
    runs: Path
    salt: bytes | None
    play: Play
    refuse: Refuse

    def run(self) -> GradingResult:
        return self._judge(self._blank, self._copy)

    def fail(self, error: BourreError) -> GradingResult:
        """Returns the result if this machine failed."""
        return replace(self._blank, failure=_in_one_line(error))

    @property
    def _blank(self) -> GradingResult:
        return GradingResult(
            student=self.submission.student,
            pseudonym=pseudonym(self.submission.student, self.salt) if self.salt else "",
            mark=None,
            folder=folder_name(self.submission.student),
            id=self.submission.id,
            level=Level(self.plan.isolation.level),
        )

    def _judge(self, blank: GradingResult, attempt: Callable[[GradingResult], GradingResult]) -> GradingResult:
        """Returns the result of an attempt: no points where it is the student's fault, no mark where it is not."""
        try:
            return attempt(blank)
        except (BadSubmission, BadPackages) as error:
            return self._give_no_points(blank, _in_one_line(error))
        except Interrupted:
            raise
        except (BourreError, OSError) as error:
            return replace(blank, failure=_in_one_line(error))

    def _copy(self, blank: GradingResult) -> GradingResult:
        """Copies the files, and marks them unless they have to wait."""
        work = self.runs / blank.folder / "work"
        work.mkdir(parents=True, exist_ok=True)
        with hold_lock(work.with_name("lock")):
            try:
                with explain_os_error(work):
                    command = copy_submission(self.submission, work / SUBMISSION, self.plan.launchers)
            except BadSubmission as error:
                return self._give_no_points(replace(blank, digest=files_digest(work / SUBMISSION)), _in_one_line(error))
            blank = replace(blank, digest=files_digest(work / SUBMISSION), command=command)
            if waiting := self.refuse(blank.student, blank.digest):
                return replace(blank, waiting=waiting)
            return self._judge(blank, self._grade)

    def _grade(self, blank: GradingResult) -> GradingResult:
        work = self.runs / blank.folder / "work"
        installed = self._installer().install(work / SUBMISSION, blank.command[0])
        venv = installed.venv if installed else None
        hidden = hidden_contest(self.plan, blank.command, work, venv)
        visible = practice_contest(self.plan, blank.command, work, venv)
        self._check(hidden)
        ignored = "" if self.plan.packages.allow else ignored_lock(work / SUBMISSION)
        blank = replace(blank, environment=installed, ignored=ignored, runs=_run_key(visible, hidden))
        folder = self.runs / blank.folder / blank.runs
        folder.mkdir(parents=True, exist_ok=True)
        try:
            return self._play(blank, folder, visible, hidden)
        except OutOfTime:
            atomic.write(folder / TIMED_OUT, f"{self.plan.minutes}\n")
            return self._give_no_points(blank, OUT_OF_TIME.format(minutes=self.plan.minutes))

    def _installer(self) -> Installer:
        level = Level(self.plan.isolation.level)
        return Installer(self.plan.packages, level, self.plan.folder, self.runs.parent / "packages")

    def _play(self, blank: GradingResult, folder: Path, visible: Contest, hidden: Contest) -> GradingResult:
        if self._ran_out_of_time(folder / TIMED_OUT):
            raise OutOfTime  # otherwise the remaining deals would be played now, and change the mark
        run = self.play(visible, folder / "practice")
        practice = practice_of(run, visible.folder)
        blank = replace(
            blank, practice=practice, review=review_of(run, self.plan.review), blocked=first_file_error(run.path)
        )
        if not practice.evidence.played_itself:
            why = _no_answers(self.plan, practice)
            return self._give_no_points(blank, name_missing_package(why, self.plan.packages))
        decisive = self.play(hidden, folder / "hidden")
        evidence = evidence_of(decisive)
        return replace(
            blank,
            mark=mark(self.plan, evidence),
            evidence=evidence,
            hidden_error=first_error(decisive.path, visible.folder / SUBMISSION),
            advice=tuple(_advice(decisive, visible.folder, blank.command)),
            blocked=blank.blocked or first_file_error(decisive.path),
        )

    def _ran_out_of_time(self, file: Path) -> bool:
        """Returns whether an earlier run stopped it after at least as many minutes."""
        return file.exists() and float(file.read_text()) >= self.plan.minutes

    def _check(self, contest: Contest) -> None:
        """Raises BadSubmission if its command cannot be started with the isolation of the others."""
        entrant = contest.entrants[0]
        assert entrant.command is not None
        if problem := problem_with(entrant.command, contest.folder):
            raise BadSubmission(f"its command cannot be started: {problem}")
        if entrant.command[0] != "python":
            asked = self.plan.isolation
            isolation = Isolation(Level(asked.level), asked.limits, asked.image)
            if reason := unavailable_reason(isolation, [entrant.entry(contest.folder)]):
                raise BadSubmission(f"its command cannot be started here: {reason}")

    def _give_no_points(self, blank: GradingResult, why: str) -> GradingResult:
        practice = blank.practice.evidence if blank.practice else None
        return replace(blank, mark=mark_without_points(self.plan, practice), trouble=why)


def _advice(hidden: Run, folder: Path, command: tuple[str, ...]) -> Iterator[str]:
    """Yields what makes a bot's marks not its author's work, or another one each time."""
    if like := unchanged_play(hidden, SUBMISSION):
        yield AS_IF_UNCHANGED.format(like=like)
    files = [folder / word for word in command[1:2] if command[0] == "python"]
    for place in (place for file in files for place in unseeded_places(file)):
        yield f"{unseeded_warning(printable(place))} (this costs no points)"


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).splitlines())


def _run_key(*contests: Contest) -> str:
    """Returns a key for the matches of these contests, so that a changed plan or bot plays new ones."""
    text = " ".join([*(terms_of(contest).model_dump_json() for contest in contests), versions().bourre])
    return sha256(text.encode()).hexdigest()[:16]


def _no_answers(plan: Plan, practice: Practice) -> str:
    if practice.start_failure:
        return f"the bot never started: {practice.start_failure}"
    evidence = practice.evidence
    what = "did not play" if evidence.house_deals == evidence.playings else "failed too often"
    most = max(evidence.faults, key=lambda fault: fault[1], default=None)
    return f"the bot {what}: {practice.error or (fault_in_words(most[0], plan) if most else '')}".removesuffix(": ")


def folder_name(student: str) -> str:
    """Makes the student's name safe as a path, and distinct from every other student's."""
    safe = re.sub(r"[^A-Za-z0-9._-]", "_", student).lstrip(".")[:48]
    return safe if safe == student else f"{safe}-{sha256(student.encode(errors='surrogatepass')).hexdigest()[:8]}"
