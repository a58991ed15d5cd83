"""A bot that never played is replaced: only what it missed is played again, and every other change is named."""

import shutil
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from bourre_referee.derived.run_standings import standings_of
from bourre_referee.model.spec import MatchOutcome, MatchSpec
from bourre_referee.runner import field_changes
from bourre_referee.runner.run_changes import WHERE, changes
from bourre_referee.runner.watched_files import WatchedFiles
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.manifest import Terms
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.run_writer import begin_run
from tests.referee import contests, realistic_rooms
from tests.referee.command import Ended, called
from tests.referee.in_process import Played, rooms_in_process, run_in_process

LATE = partial(realistic_rooms.played, absent=("eve",))
SECRET = contests.FILE.replace("seed = 7\n", "")


class Mending:
    """A contest in which eve never started, and then is mended."""

    def __init__(self, place: Path, text: str = contests.FILE) -> None:
        self.folder, self.text = place / "run", text
        self.file = contests.write_contest(place / "contest", text)
        if not self.folder.exists():
            run_in_process(contests.small_contest(place / "contest", text), self.folder, LATE)
        self.missed = {result.match for result in self.run.results() if "eve" in {seat.bot for seat in result.seats}}
        self.records = {match: self.run.record(match) for match in self.run.matches()}

    @property
    def run(self) -> Run:
        return Run.open(self.folder)

    def mend(self, bot: str = "eve") -> None:
        (self.file.parent / f"{bot}.py").write_text("print('mended')\n")

    def continue_run(self, *words: str, played: Played = realistic_rooms.played) -> Ended:
        with rooms_in_process(played):
            return called("run", self.file, "--out", self.folder, "--jobs", 1, *words)

    def verified(self) -> str:
        done = called("verify", self.folder)
        assert (done.code, done.err) == (0, "")
        return done.out


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Mending(tmp_path_factory.mktemp("kept")).folder


@pytest.fixture
def mending(kept: Path, tmp_path: Path) -> Mending:
    shutil.copytree(kept, tmp_path / "run")
    return Mending(tmp_path)


def test_a_run_names_the_command_that_plays_what_was_missed(tmp_path: Path) -> None:
    file = contests.write_contest(tmp_path / "contest")
    with rooms_in_process(LATE):
        done = called("run", file, "--out", tmp_path / "run", "--jobs", 1)
    assert done.code == 0
    again = f"bourre run {file} --jobs 1 --out {tmp_path / 'run'} --change-bots"
    assert f"When the bot is repaired, this plays only what it missed:\nbourre:   {again}\n" in done.err


def test_a_changed_file_is_refused_and_the_way_on_is_named(mending: Mending) -> None:
    mending.mend()
    done = mending.continue_run()
    assert done.code == 2
    assert "bot eve: eve.py was changed." in done.err


def test_only_the_missed_matches_are_played_again_to_the_outcome_of_a_mended_bot_from_the_start(
    mending: Mending, tmp_path: Path
) -> None:
    assert [row.bot for row in standings_of(mending.run).rows if row.rank is None] == ["eve"]
    mending.mend()
    seen: list[str] = []

    def watched(spec: MatchSpec) -> MatchOutcome:
        seen.append(spec.match)
        return realistic_rooms.played(spec)

    done = mending.continue_run("--change-bots", played=watched)
    assert (done.code, {*seen}) == (0, mending.missed)
    assert f"eve missed {len(mending.missed)} matches, which are played again\n" in done.err
    assert "not all replayed" not in done.out
    assert f"{', '.join(sorted(mending.missed))} (not played by eve, now replaced)\n" in done.out
    assert [row.rank for row in standings_of(mending.run).rows] == [1, 2, 3, 4, 5]
    changed = {match for match, record in mending.records.items() if mending.run.record(match) != record}
    assert changed == mending.missed
    told = [entry.event for entry in mending.run.manifest.log]
    assert told == ["begun", "finished", *["voided"] * len(mending.missed), "bots changed", "finished"]
    out = mending.verified()
    assert "10 of 10 matches verified, no difference" in out
    assert f"log: begun, finished 2 times, voided {len(mending.missed)} times, bots changed," in out
    other = run_in_process(contests.small_contest(tmp_path / "other"), tmp_path / "other" / "run")
    assert mending.run.manifest.digest == other.manifest.digest


def test_a_bot_that_played_keeps_its_files(mending: Mending) -> None:
    mending.mend("ada")
    before = mending.run.manifest
    done = mending.continue_run("--change-bots")
    assert done.code == 2
    assert "ada played m0001 with its old files" in done.err
    assert mending.run.manifest == before


def test_too_many_missed_matches_are_not_voided_at_once(mending: Mending, monkeypatch: pytest.MonkeyPatch) -> None:
    before, missed = mending.run.manifest, len(mending.missed)
    monkeypatch.setattr(field_changes, "MOST_MISSED", missed - 1)
    mending.mend()
    done = mending.continue_run("--change-bots")
    assert f"eve missed {missed} matches, more than the {missed - 1} that can be played again." in done.err
    assert (done.code, mending.run.manifest) == (2, before)


def test_a_second_change_is_told_apart_from_the_first(mending: Mending) -> None:
    mending.mend()
    assert mending.continue_run("--change-bots", played=LATE).code == 0
    (mending.file.parent / "eve.py").write_text("print('mended twice')\n")
    assert mending.continue_run("--change-bots").code == 0
    mending.verified()
    contests.write_contest(mending.file.parent, mending.text, contests.BOTS[:4])
    assert mending.continue_run("--change-bots").code == 0
    mending.verified()


def test_once_the_seed_is_revealed_the_standings_say_so(tmp_path: Path) -> None:
    mending = Mending(tmp_path, SECRET)
    mending.mend()
    done = mending.continue_run("--change-bots")
    assert done.code == 0
    assert "which are played again, with cards that could be known, because the seed was revealed" in done.err
    assert "the seed was public by then: whoever replayed them could know the cards" in done.out
    mending.verified()


def test_a_forged_replacement_is_found(mending: Mending) -> None:
    mending.mend()
    mending.continue_run("--change-bots")
    manifest = mending.run.manifest
    assert manifest.replaced is not None
    forged = manifest.replaced[0].model_copy(update={"bots": ()})
    mending.run.place.write_manifest(manifest.model_copy(update={"replaced": (forged,)}))
    done = called("verify", mending.folder)
    assert done.code == 4
    assert "the commitment to the terms" in done.out + done.err


def test_every_term_that_changed_is_named_where_it_is_written(tmp_path: Path) -> None:
    terms = terms_of(contests.small_contest(tmp_path))
    begun = begin_run("small", terms, bytes(32), 1, datetime.now(UTC))
    assert changes(begun, "small", terms) == []
    now = terms.model_copy(update={"format": "duplicate", "fresh": False, "stakes": (0, 1), "archive": True})
    assert changes(begun, "small", now) == [
        "[table] format was 'session', is 'duplicate'",
        "[table] fresh was true, is false",
        f"[table] stakes was {list(terms.stakes)}, is [0, 1]",
        "[contest] archive was not set, is true",
    ]
    assert WHERE.keys() == Terms.model_fields.keys() - {"bots", "baseline"}


def test_files_are_read_again_only_when_something_was_touched(tmp_path: Path) -> None:
    reads: list[str] = []
    found: list[str] = []

    def compare() -> list[str]:
        reads.append("read")
        return found

    for name in ("bot.py", "other.py"):
        (tmp_path / name).write_text("1")
    (tmp_path / "lib" / "__pycache__").mkdir(parents=True)
    watched = WatchedFiles(["bot.py", "lib"], tmp_path, compare)
    assert [watched.changes(), watched.changes(), len(reads)] == [(), (), 1]
    (tmp_path / "other.py").write_text("2")
    (tmp_path / "lib" / "__pycache__" / "a.pyc").write_text("2")
    assert [watched.changes(), len(reads)] == [(), 1], "nothing of the bot was touched"
    for path in (tmp_path / "lib" / "new.py", tmp_path / "bot.py"):
        path.write_text("22")
        found.append(f"{path.name} was changed")
        before = len(reads)
        assert [watched.changes(), watched.changes(), len(reads)] == [tuple(found), tuple(found), before + 2]
    found.clear()
    assert [watched.changes(), watched.changes(), len(reads)] == [(), (), 6]
    (tmp_path / "bot.py").unlink()
    assert [watched.changes(), len(reads)] == [(), 7]
