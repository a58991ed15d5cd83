"""The run folder of an epoch: it grows room by room, a kill at any moment costs nothing, and others cannot use it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from signal import SIGKILL

import pytest

from bourre_referee.derived.run_standings import standings_of
from bourre_referee.ladder.host.epoch_run import EpochRun
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.database.store import Store
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.manifest import Terms
from bourre_referee.storage.run.run import Run
from bourre_referee.verify.run_source import source_of
from bourre_referee.verify.verify import VerifiedRun, verify
from tests.long_tests import mostly_long
from tests.referee import contests
from tests.referee.in_process import finished_run
from tests.referee.ladder.host.killed_epochs import ROOMS, STEPS, go_on, play
from tests.referee.ladder.host.played_ladders import epoch_terms, fix_seed
from tests.referee.realistic_rooms import played
from tests.referee.tampering import Tamperer

pytestmark = pytest.mark.xdist_group("processes")


@pytest.fixture(scope="module")
def terms(tmp_path_factory: pytest.TempPathFactory) -> Terms:
    return epoch_terms(tmp_path_factory.mktemp("terms"))


@pytest.fixture
def layout(tmp_path: Path) -> FolderLocation:
    return FolderLocation(tmp_path / "epoch")


@pytest.fixture
def epoch(layout: FolderLocation, terms: Terms) -> Iterator[EpochRun]:
    with closing(EpochRun.create(layout, "ladder", terms)) as epoch:
        yield epoch


def verified(layout: FolderLocation) -> VerifiedRun:
    return verify(source_of(layout.folder), jobs=1)


def test_an_epoch_verifies_at_every_moment(epoch: EpochRun, layout: FolderLocation) -> None:
    assert verified(layout).matches == ()
    epoch.call(ROOMS[:2])
    assert verified(layout).matches == ()
    epoch.take(played(epoch.spec(2)))
    assert verified(layout).matches == ("m0002",)
    epoch.take(played(epoch.spec(1)))
    epoch.call(ROOMS)
    play(epoch, 4)
    assert verified(layout).chain != epoch.manifest.chain_start
    assert not verified(layout).seed_known
    epoch.close_epoch()
    found = verified(layout)
    assert found.matches == ("m0001", "m0002", "m0004")
    assert found.manifest.missing == {3}
    assert bytes.fromhex(found.manifest.seed.revealed or "") == epoch.seed
    assert found.digest == epoch.manifest.digest
    assert [result.match for result in epoch.results()] == ["m0001", "m0002", "m0004"]


def test_an_epoch_without_a_room_can_be_closed(epoch: EpochRun, layout: FolderLocation) -> None:
    epoch.close_epoch()
    assert verified(layout).digest
    assert standings_of(Run.open(layout.folder)).rows == ()


def test_rooms_may_have_fewer_seats_than_the_terms(epoch: EpochRun, layout: FolderLocation) -> None:
    epoch.call([("a.1", "b.1"), *ROOMS])
    epoch.take(played(epoch.spec(1)))
    assert verified(layout).matches == ("m0001",)


def test_the_seed_of_a_match_does_not_depend_on_later_rooms(epoch: EpochRun) -> None:
    epoch.call(ROOMS[:1])
    before = epoch.spec(1)
    epoch.call(ROOMS)
    assert epoch.spec(1) == before
    assert len({epoch.spec(number).seed for number in range(1, 5)}) == 4


def test_a_room_costs_a_manifest_and_a_transaction(epoch: EpochRun, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    def noting(step: Callable[..., object], what: str) -> Callable[..., object]:
        def noted(*words: object) -> object:
            written.append(what)
            return step(*words)

        return noted

    monkeypatch.setattr(FolderLocation, "write_manifest", noting(FolderLocation.write_manifest, "manifest"))
    monkeypatch.setattr(Store, "add", noting(Store.add, "match"))
    for number in (1, 2):
        epoch.call(ROOMS[:number])
        epoch.call(ROOMS[:number])  # nothing new
        epoch.take(played(epoch.spec(number)))
    assert written == ["manifest", "match"] * 2


def test_a_repeat_has_the_same_cards_and_the_next_attempt(epoch: EpochRun, layout: FolderLocation) -> None:
    epoch.call(ROOMS)
    before = epoch.spec(1)
    epoch.lose(1, "Traceback:\n  the disk is full\n")
    assert (epoch.spec(1), epoch.attempts(1)) == (before, 1)
    epoch.take(played(epoch.spec(1)))
    (void,) = verified(layout).voids
    assert (void.match, void.attempt, void.reason) == ("m0001", 1, "the disk is full")


def test_what_cannot_be_is_refused(epoch: EpochRun) -> None:
    epoch.call(ROOMS[:2])
    with pytest.raises(ContestError, match="and the ladder's log list different rooms"):
        epoch.call([ROOMS[0], ROOMS[2], ROOMS[3]])
    with pytest.raises(ContestError, match="and the ladder's log list different rooms"):
        epoch.call(ROOMS[:1])
    with pytest.raises(IndexError, match="m0003: 2 rooms were called"):
        epoch.spec(3)
    with pytest.raises(IndexError, match="m0000"):
        epoch.spec(0)
    epoch.take(played(epoch.spec(1)))
    with pytest.raises(ContestError, match="m0001 is finished, so it cannot be given up"):
        epoch.give_up(1)
    with pytest.raises(ContestError, match="m0002 is not finished yet"):
        epoch.close_epoch()
    epoch.give_up(2)
    epoch.give_up(2)
    epoch.close_epoch()
    epoch.close_epoch()
    changes: tuple[Callable[[], object], ...] = (
        lambda: epoch.call(ROOMS),
        lambda: epoch.take(played(epoch.spec(2))),
        lambda: epoch.give_up(2),
    )
    for change in changes:
        with pytest.raises(ContestError, match="this epoch is closed"):
            change()


def test_only_one_process_has_it_open(epoch: EpochRun, layout: FolderLocation) -> None:
    with pytest.raises(ContestError, match=f"process {os.getpid()} is playing"):
        EpochRun.open(layout)
    epoch.close()
    with closing(EpochRun.open(layout)) as again:
        assert [entry.event for entry in again.manifest.log] == ["begun", "continued"]


def test_an_epoch_that_the_log_does_not_know_yet_begins_again(
    epoch: EpochRun, layout: FolderLocation, terms: Terms
) -> None:
    commitment = epoch.commitment
    epoch.close()
    with closing(EpochRun.create(layout, "ladder", terms)) as again:
        assert again.commitment == commitment
        again.call(ROOMS)
    with pytest.raises(ContestError, match="already contains another epoch"):
        EpochRun.create(layout, "ladder", terms)


def test_a_contest_is_no_epoch(tmp_path: Path) -> None:
    finished_run(tmp_path)
    with pytest.raises(ContestError, match="contains a run that is not an epoch"):
        EpochRun.open(FolderLocation(tmp_path / "run"))
    with pytest.raises(ContestError, match="No folder"):
        EpochRun.open(FolderLocation(tmp_path / "nothing"))
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda layout: layout.seed.unlink(), "seed.secret, the secret seed of this epoch, is missing"),
        (lambda layout: layout.seed.write_text("00" * 32), "is not the seed of this epoch"),
        (lambda layout: layout.database.unlink(), "run.db is missing, but the manifest lists 1 finished"),
        (lambda layout: layout.manifest.write_text("{}"), "manifest.json: "),
        (
            lambda layout: Tamperer(layout.folder).change_json("manifest.json", lambda values: values.update(added=[])),
            "'m0001' is stored, but manifest.json lists 0 rooms",
        ),
        (
            lambda layout: Tamperer(layout.folder).execute("UPDATE \"match\" SET match = 'best'"),
            "table match, number 1: match: 'best' is no id of a match",
        ),
    ],
)
def test_a_damaged_epoch_is_refused(
    epoch: EpochRun, layout: FolderLocation, damage: Callable[[FolderLocation], object], says: str
) -> None:
    epoch.call(ROOMS[:1])
    epoch.take(played(epoch.spec(1)))
    epoch.call(ROOMS)
    epoch.close()
    damage(layout)
    with pytest.raises(ContestError, match=says):
        EpochRun.open(layout)


def test_a_closed_epoch_with_a_match_less_is_refused(layout: FolderLocation, terms: Terms) -> None:
    go_on(layout.folder, terms)
    for table in ("seat", "renege", "fault", "remark", '"match"'):
        Tamperer(layout.folder).execute(f"DELETE FROM {table} WHERE number = 2")
    with pytest.raises(ContestError, match=r"m0002 is missing, and manifest\.json says that all matches are finished"):
        EpochRun.open(layout)


MOMENTS = (
    *("before manifest", "after manifest", "before database", "after database", "after manifest 2", "before match"),
    *("after match", "after match 2", "after manifest 3", "after loss 2", "after loss 3", "after manifest 4"),
    *("after match 3", "before standings", "after standings", "before manifest 5", "after manifest 5", "after seal"),
)
EVERY_RUN = MOMENTS[::3]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A folder with an epoch for each moment that is tried, which was killed at it."""
    moments = MOMENTS if request.config.getoption("long") else EVERY_RUN
    place = tmp_path_factory.mktemp("killed")
    for moment in moments:
        fix_seed(place / moment, "killed")
    command = [sys.executable, "-m", "tests.referee.ladder.host.killed_epochs", str(place), *moments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment, check=True)
    assert done.stdout.split() == [str(-SIGKILL)] * len(moments)
    return place


@pytest.fixture(scope="module")
def undisturbed(terms: Terms, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The epoch that nobody disturbed."""
    folder = tmp_path_factory.mktemp("undisturbed")
    fix_seed(folder, "killed")
    go_on(folder, terms)
    return Run.open(folder)


@pytest.mark.parametrize("moment", mostly_long({moment: moment for moment in MOMENTS}, EVERY_RUN))
def test_an_epoch_killed_at_any_moment_goes_on_to_the_same_end(
    killed: Path, undisturbed: Run, terms: Terms, moment: str
) -> None:
    folder = killed / moment
    if (folder / "manifest.json").exists():
        verify(source_of(folder), jobs=1)
    go_on(folder, terms)
    again = Run.open(folder)
    assert contests.but_for_its_log(again.manifest) == contests.but_for_its_log(undisturbed.manifest)
    assert again.results() == undisturbed.results()
    assert [(void.match, void.attempt) for void in again.voids()] == [("m0003", attempt) for attempt in (1, 2, 3)]
    assert {path.name for path in folder.iterdir()} == {path.name for path in undisturbed.path.iterdir()}
    assert not (folder / "seed.secret").exists()
    assert (folder / "standings.json").read_text() == (undisturbed.path / "standings.json").read_text()
    assert verify(source_of(folder), jobs=1).digest == undisturbed.manifest.digest


def test_every_step_of_an_epoch_is_among_the_moments() -> None:
    assert {moment.split()[1] for moment in MOMENTS} == {*STEPS}
