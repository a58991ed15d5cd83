"""Run folders: which runs may be resumed, what is refused with which fix, what stays secret."""

import hashlib
import json
import os
import re
import stat
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import pytest

from bourre.rules.deck import derive
from bourre.rules.house import HouseRules
from bourre_referee.contest.contest import Contest, Entrant
from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.derived.run_standings import standings_of
from bourre_referee.model.errors import RESTORE, ContestError, StoreError
from bourre_referee.model.spec import Clock
from bourre_referee.runner.progress import Progress
from bourre_referee.runner.start import begin
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.folder_location import FolderLocation, hold_lock
from bourre_referee.storage.run.manifest import Manifest
from bourre_referee.storage.run.run import Run
from tests.referee import contests
from tests.referee.in_process import leave_at, run_in_process
from tests.referee.rooms import played
from tests.referee.tampering import Tamperer

PRACTICE = contests.FILE.replace("rounds = 2", "rounds = 1")
SECRET = PRACTICE.replace("seed = 7\n", "")


@pytest.fixture
def contest(tmp_path: Path) -> Contest:
    """Five matches, with a public seed."""
    return contests.small_contest(tmp_path / "contest", PRACTICE)


@pytest.fixture
def secret(tmp_path: Path) -> Contest:
    """The same without a seed in its file."""
    return contests.small_contest(tmp_path / "secret", SECRET)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run"


def play(contest: Contest, folder: Path, fresh: bool = False) -> Manifest:
    """Plays a contest to its end."""
    return run_in_process(contest, folder, played, fresh=fresh).manifest


def start(contest: Contest, folder: Path) -> None:
    """Leaves a run in which no card was played."""
    layout = FolderLocation(folder)
    layout.make()
    begin(contest, terms_of(contest), layout, datetime.now(UTC), print)


def play_one(contest: Contest, folder: Path) -> None:
    """Leaves a run with one finished match."""
    leave_at(1, contest, folder, played)


def refused(contest: Contest, folder: Path) -> str:
    """The error when a run is not begun, without the folder's path; asserts that nothing in the folder has changed."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "run.lock"}
    with pytest.raises(ContestError) as caught:
        play(contest, folder)
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "run.lock"}
    assert {path: data for path, data in after.items() if "run.db-" not in path.name} == before
    return str(caught.value).replace(str(folder), "run")


CHANGES: list[tuple[dict[str, object], str]] = [
    ({"name": "large"}, "[contest] name was 'small', is 'large'"),
    ({"seed": 8}, "[contest] seed was 7, is 8"),
    ({"seed": None}, "[contest] seed was 7, is not set"),
    ({"seats": 4}, "[table] seats was 3, is 4"),
    ({"deals": 5}, "[table] deals was 4, is 5"),
    ({"tables": 2}, "[table] tables was 1, is 2"),
    ({"schedule": ScheduleChoice()}, "[schedule] rounds was 1, is not set"),
    ({"house": HouseRules(pot_limit=9, ante=2)}, "[rules] ante was 1, is 2, [rules] pot_limit was 20, is 9"),
    ({"clock": Clock(decision_ms=99)}, "[clock] decision_ms was 100, is 99"),
    ({"max_faults": 1}, "[faults] max was 10, is 1"),
]


@pytest.mark.parametrize(("change", "said"), CHANGES, ids=[str(change) for change, _ in CHANGES])
def test_a_contest_on_other_terms_is_refused(
    contest: Contest, folder: Path, change: dict[str, object], said: str
) -> None:
    start(contest, folder)
    assert refused(replace(contest, **change), folder) == (  # type: ignore[arg-type]
        f"run was started with different settings: {said}.\nhint: undo the changes, or set another folder with --out"
    )


def test_other_bots_are_refused(contest: Contest, folder: Path) -> None:
    start(contest, folder)
    ada, bob, cy, *others = contest.entrants
    for entrants, said in [
        ((bob, ada, cy, *others), "the bots are in another order"),
        ((ada, bob, cy, *others, Entrant("far", None, ())), "bot far is new"),
        ((ada, bob, cy, others[0], Entrant("far", None, ())), "bot eve is gone, bot far is new"),
        (
            (replace(ada, command=("python", "-O", "ada.py")), bob, cy, *others),
            "bot ada: its command was python ada.py, is python -O ada.py",
        ),
        ((replace(ada, command=None), bob, cy, *others), "bot ada: its command was python ada.py, is connect = true"),
        (
            (replace(ada, files=("bob.py",), files_by_default=False), bob, cy, *others),
            "bot ada: bob.py is new, bot ada: ada.py is gone",
        ),
    ]:
        assert f"started with different settings: {said}." in refused(replace(contest, entrants=entrants), folder)


def test_a_changed_bot_is_refused_also_in_a_folder_of_its_own(contest: Contest, folder: Path) -> None:
    parts = contest.folder / "parts"
    (parts / "__pycache__").mkdir(parents=True)
    (parts / "net.bin").write_bytes(b"1")
    contest = replace(
        contest, entrants=(replace(contest.entrants[0], files=("ada.py", "parts/")), *contest.entrants[1:])
    )
    start(contest, folder)
    (parts / "__pycache__" / "net.pyc").write_bytes(b"cache")
    (parts / "net.bin").write_bytes(b"2")
    (contest.folder / "bob.py").write_text("print('better')")
    assert "different settings: bot ada: parts/net.bin was changed, bot bob: bob.py was changed." in refused(
        contest, folder
    )
    (parts / "net.bin").write_bytes(b"1")
    (contest.folder / "bob.py").write_text("print('bob')\n")
    assert play(contest, folder).complete


def test_a_changed_bot_is_refused_after_the_end_too(contest: Contest, folder: Path) -> None:
    play(contest, folder)
    (contest.folder / "bob.py").write_text("print('better')")
    assert "bot bob: bob.py was changed" in refused(contest, folder)


def test_a_bot_whose_file_went_away_is_named(contest: Contest, folder: Path) -> None:
    (contest.folder / "cy.py").unlink()
    with pytest.raises(ContestError, match=r"\[\[bots\]\] cy: .*cy\.py: No such file or directory"):
        play(contest, folder)
    assert not folder.exists()


def played_by(release: str, folder: Path) -> None:
    """Lets another release of bourre have played the run so far."""
    manifest = folder / "manifest.json"
    manifest.write_text(re.sub(r'"bourre": ?"[^"]+"', f'"bourre": "{release}"', manifest.read_text()))


def test_a_newer_version_continues_a_run_and_an_older_one_may_only_look_at_its_end(
    contest: Contest, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play_one(contest, folder)
    played_by("9.1.0", folder)
    assert "run cannot continue here: bourre 9.1.0 wrote it, but this is" in refused(contest, folder)
    played_by("0.2.0", folder)
    capsys.readouterr()
    done = play(contest, folder)
    assert f"bourre 0.2.0 has played this run so far, and bourre {version('bourre')} " in capsys.readouterr().err
    assert done.complete
    assert [entry.versions.bourre for entry in done.log] == ["0.2.0", *[version("bourre")] * (len(done.log) - 1)]
    played_by("9.1.0", folder)
    assert play(contest, folder).versions.bourre == "9.1.0"


def test_fresh_starts_again_and_touches_nothing_that_is_not_the_runs(contest: Contest, folder: Path) -> None:
    play_one(contest, folder)
    (folder / "notes.txt").write_text("mine")
    (folder / "logs" / "ada").mkdir(parents=True)
    (folder / "logs" / "ada" / "m0001.log").write_text("old")
    heard: list[Progress] = []
    run_in_process(replace(contest, deals=2), folder, played, fresh=True, watch=heard.append)
    assert (heard[0].resumed, heard[-1].deals) == (0, 10)
    assert (folder / "notes.txt").read_text() == "mine"
    assert not (folder / "logs").exists()


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("name", ["thesis.tex", "manifest.json", "run.db", "logs"])
def test_a_folder_of_something_else_is_left_alone(contest: Contest, folder: Path, name: str, fresh: bool) -> None:
    folder.mkdir()
    (folder / name).write_text('{"name": "a web application", "icons": []}')
    with pytest.raises(ContestError) as caught:
        play(contest, folder, fresh=fresh)
    assert str(caught.value) == f"{folder} contains {name}, but no run.\nhint: set a new folder with --out"
    assert [path.name for path in folder.iterdir()] == [name]


def test_a_file_in_the_place_of_the_folder_is_left_alone(contest: Contest, folder: Path) -> None:
    folder.write_text("mine")
    with pytest.raises(
        ContestError, match=r"run: cannot be a run folder \(File exists\).\nhint: set another with --out"
    ):
        play(contest, folder, fresh=True)
    assert folder.read_text() == "mine"


def test_a_folder_that_is_played_in_is_locked(contest: Contest, folder: Path) -> None:
    start(contest, folder)
    FolderLocation(folder).lock.write_text(12 * "9")  # of an earlier process
    with hold_lock(FolderLocation(folder).lock):
        assert refused(contest, folder) == (
            f"run: process {os.getpid()} is playing this contest.\nhint: wait for it, or use another folder"
        )
    assert play(contest, folder).complete


def test_a_manifest_that_is_gone_or_damaged_is_named(contest: Contest, folder: Path) -> None:
    play_one(contest, folder)
    manifest = folder / "manifest.json"
    text = manifest.read_text()
    manifest.unlink()
    assert refused(contest, folder) == f"run/manifest.json is missing.\n{RESTORE}"
    manifest.write_text(text[: len(text) // 2])
    assert refused(contest, folder).startswith("run/manifest.json: the file: Invalid JSON: EOF")
    manifest.write_text(text.replace('"matches": 5', '"matches": "five"'))
    assert refused(contest, folder).startswith("run/manifest.json: matches: Input should be a valid integer")
    manifest.write_text(text)
    assert play(contest, folder).complete


def test_a_database_that_is_gone_or_anothers_is_named(contest: Contest, folder: Path, tmp_path: Path) -> None:
    play_one(contest, folder)
    database = folder / "run.db"
    own = database.read_bytes()
    database.unlink()
    assert refused(contest, folder) == f"run/run.db is missing, but the manifest lists 1 finished match.\n{RESTORE}"
    play_one(replace(contest, seed=8), tmp_path / "other")
    database.write_bytes((tmp_path / "other" / "run.db").read_bytes())
    assert refused(contest, folder).startswith("run/run.db belongs to another run.")
    database.write_bytes(own)
    assert play(contest, folder).complete


def test_a_run_killed_before_its_database_was_made_begins(contest: Contest, folder: Path) -> None:
    finished = play(contest, folder)
    begun = finished.model_copy(update={"digest": None, "finished": 0})
    for path in folder.iterdir():
        path.unlink()
    (folder / "manifest.json").write_text(begun.model_dump_json())
    assert contests.but_for_its_log(play(contest, folder)) == contests.but_for_its_log(finished)


def test_a_secret_seed_is_committed_to_kept_and_revealed_at_the_end(secret: Contest, folder: Path) -> None:
    heard: list[Progress] = []

    def look(progress: Progress) -> None:
        heard.append(progress)
        assert stat.S_IMODE((folder / "seed.secret").stat().st_mode) == 0o600
        assert FolderLocation(folder).read_manifest().seed.revealed is None

    manifest = run_in_process(secret, folder, played, watch=look).manifest
    assert heard[0].announcement is not None
    assert heard[0].announcement.seed.note == "secret until all matches are done"
    assert heard[0].announcement.seed.commitment == manifest.seed.commitment
    assert manifest.seed.note == "was secret, revealed at the end"
    assert not (folder / "seed.secret").exists()
    master = bytes.fromhex(manifest.seed.revealed or "")
    assert len(master) == 32
    assert hashlib.sha256(master).hexdigest() == manifest.seed.commitment
    header = json.loads(Run.open(folder).record("m0002").splitlines()[0])
    assert header["seed"] == derive(master, "match 2").hex()


def test_two_runs_have_two_secret_seeds(secret: Contest, folder: Path, tmp_path: Path) -> None:
    start(secret, folder)
    start(secret, tmp_path / "other")
    first, second = (FolderLocation(place).read_manifest().seed for place in (folder, tmp_path / "other"))
    assert first.commitment != second.commitment
    assert play(secret, folder, fresh=True).seed.commitment != first.commitment


def test_a_run_goes_on_with_its_secret_seed(secret: Contest, folder: Path) -> None:
    play_one(secret, folder)
    begun = FolderLocation(folder).read_manifest()
    seed = (folder / "seed.secret").read_text()
    manifest = play(secret, folder)
    assert manifest.seed.commitment == begun.seed.commitment
    assert manifest.seed.revealed == seed.strip()


def test_a_secret_seed_that_is_gone_or_wrong_is_named(secret: Contest, folder: Path) -> None:
    start(secret, folder)
    kept = folder / "seed.secret"
    seed = kept.read_text()
    kept.unlink()
    assert refused(secret, folder) == f"run/seed.secret, the secret seed, is missing.\n{RESTORE}"
    for wrong, said in [
        ("ab" * 32, " is not the seed of this run"),
        ("ab" * 31, ", the secret seed, is damaged"),
        ("rubbish", ", the secret seed: non-hexadecimal number found in fromhex() arg at position 0"),
    ]:
        kept.write_text(wrong)
        assert f"run/seed.secret{said}" in refused(secret, folder)
    kept.write_text(seed)
    assert play(secret, folder).complete


def test_a_seed_drawn_just_before_a_crash_is_used_and_does_not_stay_secret_once_it_is_revealed(
    secret: Contest, folder: Path
) -> None:
    folder.mkdir()
    (folder / "seed.secret").write_text("ab" * 32)
    (folder / "manifest.json.new").write_text("{")
    assert play(secret, folder).seed.revealed == "ab" * 32
    (folder / "seed.secret").write_text("ab" * 32)
    play(secret, folder)
    assert not (folder / "seed.secret").exists()


def test_a_place_that_cannot_be_written_is_named(contest: Contest, folder: Path) -> None:
    (folder / "manifest.json.new" / "in the way").mkdir(parents=True)
    with pytest.raises(ContestError, match=r"Cannot write .*manifest\.json: .*\nhint: check its permissions"):
        play(contest, folder)


def test_what_is_no_run_is_not_opened(folder: Path, contest: Contest) -> None:
    with pytest.raises(ContestError, match="No folder"):
        Run.open(folder)
    play_one(contest, folder)
    (folder / "run.db").unlink()
    with pytest.raises(ContestError, match=r"run\.db is missing, but the manifest lists 1 finished match\."):
        standings_of(Run.open(folder))


def test_a_void_playing_of_no_match_is_damage_with_its_place(tmp_path: Path) -> None:
    play_one(contests.small_contest(tmp_path / "contest"), tmp_path / "run")
    Tamperer(tmp_path / "run").execute("INSERT INTO void VALUES (1, 'zzz', 1, 'host', '', '', 0, NULL)")
    with pytest.raises(
        StoreError, match=r"run\.db: table void, attempt 1: match: 'zzz' is no id of a match\.\nhint: restore the"
    ):
        Run.open(tmp_path / "run").voids()


def test_a_run_folder_may_have_any_name(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"\xff \xc3\xa9")
    play(contests.small_contest(folder), folder / "run")
    assert len(Run.open(folder / "run").results()) == 10


def test_a_run_that_is_cleared_leaves_what_is_not_its_own_and_its_place_can_be_used_again(tmp_path: Path) -> None:
    layout, notes = FolderLocation(tmp_path), tmp_path / "notes.txt"
    kept = (layout.lock, layout.tokens, layout.port_file, layout.temp_dir_note, notes)
    ends = ("", "-wal", "-shm", "-journal", ".new", ".new-journal")
    database = [layout.database.with_name(f"run.db{end}") for end in ends]
    for file in (*kept, *database, layout.manifest, layout.standings, layout.seed):
        file.touch()
    for folder in (layout.logs, layout.bots):
        (folder / "ada").mkdir(parents=True)
    layout.clear()
    assert {*tmp_path.iterdir()} == {*kept}
    notes.unlink()
    layout.make()


def test_every_change_of_a_run_changes_its_state(tmp_path: Path) -> None:
    states = [FolderLocation(tmp_path).state()]
    for name in ("manifest.json", "run.db", "run.db-wal", "run.db-wal", "notes.txt"):
        with (tmp_path / name).open("a") as file:
            file.write("more")
        states.append(FolderLocation(tmp_path).state())
    assert len({*states}) == 5
    assert states[-1] == states[-2]
