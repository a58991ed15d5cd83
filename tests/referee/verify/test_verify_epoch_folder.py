"""`bourre verify` on the run folder of a ladder's epoch finds what it finds in a contest's, open or closed."""

import shutil
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import pytest

from bourre_referee.export.export_writer import export
from bourre_referee.ladder.host.epoch_run import EpochRun
from bourre_referee.model.stored import DiscardedMatch
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.run import Run
from bourre_referee.verify.run_source import RunSource, source_of
from bourre_referee.verify.verify import verify
from tests.referee import contests
from tests.referee.command import Bourre, said_by
from tests.referee.in_process import finished_run
from tests.referee.ladder.host.killed_epochs import ROOMS, play
from tests.referee.ladder.host.played_ladders import epoch_terms, fix_seed
from tests.referee.lies import LIES, where
from tests.referee.realistic_rooms import played
from tests.referee.tampering import Tamperer, Values


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed epoch of twelve rooms, of which one was given up."""
    return epoch_in(tmp_path_factory.mktemp("closed"), close=True)


@pytest.fixture(scope="module")
def going_on(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, before it is closed."""
    return epoch_in(tmp_path_factory.mktemp("open"), close=False)


def epoch_in(place: Path, *, close: bool) -> Path:
    fix_seed(place / "epoch", "folder")
    with closing(EpochRun.create(FolderLocation(place / "epoch"), "ladder", epoch_terms(place / "contest"))) as epoch:
        epoch.call(ROOMS * 3)
        play(epoch, 12)
        if close:
            epoch.close_epoch()
    return place / "epoch"


@pytest.fixture(params=["closed", "going_on"])
def tamperer(request: pytest.FixtureRequest, tmp_path: Path) -> Tamperer:
    """Changes a copy of either."""
    kept: Path = request.getfixturevalue(request.param)
    return Tamperer(Path(shutil.copytree(kept, tmp_path / "epoch")))


@pytest.mark.parametrize("tamperer", ["going_on"], indirect=True)
def test_a_lie_in_a_record_is_found_in_its_deal(tamperer: Tamperer) -> None:
    _, there_is, lie, says = LIES[0]
    match, deal = where(tamperer, there_is)
    tamperer.change(match, deal, lie)
    assert said_by(4, "verify", tamperer.folder).startswith(f"difference: match {match}, deal {deal}: {says}")


HEADERS: list[tuple[Values, str]] = [
    ({"match": "m0004"}, "the record's match is 'm0004', should be 'm0002'"),
    ({"house": {"ante": 2, "pot_limit": 20}}, "its house rule ante is 2, should be 1"),
    (
        {"bots": ["a.1", "d.1", "b.2"]},
        "the line-up, compared with the bots called, is 'a.1' 'd.1' 'b.2', should be 'd.1'",
    ),
]


@pytest.mark.parametrize(("news", "says"), HEADERS, ids=[next(iter(news)) for news, _ in HEADERS])
def test_a_lie_about_a_match_is_found(tamperer: Tamperer, news: Values, says: str) -> None:
    tamperer.change("m0002", 0, lambda line: line.update(news))
    assert said_by(4, "verify", tamperer.folder).startswith(f"difference: match m0002: {says}")


def called(manifest: Values) -> list[list[str]]:
    line_ups: list[list[str]] = manifest["added"][0]["line_ups"]
    return line_ups


def call_less(manifest: Values) -> None:
    """Cuts off the last room, as if it had never been called."""
    called(manifest).pop()
    manifest["matches"] -= 1


def turn_contest(manifest: Values) -> None:
    manifest["terms"]["schedule"]["kind"] = "round-robin"


MANIFESTS: list[tuple[str, Callable[[Values], object], str]] = [
    (
        "a line-up",
        lambda values: called(values)[3].reverse(),
        "match m0004: the line-up, compared with the bots called",
    ),
    (
        "another bot",
        lambda values: called(values)[3].__setitem__(0, "x.1"),
        "match m0004: the line-up, compared with the b",
    ),
    ("a bot twice", lambda values: called(values)[3].__setitem__(0, "c.1"), "line-up 4 names a bot twice"),
    ("too many bots", lambda values: called(values)[3].append("x.1"), "line-up 4 has 4 bots, but [table] seats is 3"),
    ("a bot alone", lambda values: called(values).__setitem__(3, ["b.2"]), "1 seats cannot play"),
    ("a room less", call_less, "'m0012' is stored, but manifest.json has only 11 rooms"),
    ("no room", lambda values: values.update(added=[], given_up=[], matches=0), "but manifest.json has only 0 rooms"),
    ("a match less", lambda values: values.update(matches=8), "the number of matches is 8, should be 11"),
    ("a match given up", lambda values: values.update(given_up=[2, 3], matches=10), "match m0002: it is stored, but"),
    ("one given up that is none", lambda values: values.update(given_up=[3, 13]), "does not have all of its missi"),
    (
        "two lists",
        lambda values: values.update(added=values["added"] * 2),
        "it is a ladder's epoch by its terms, which ha",
    ),
    (
        "the kind",
        lambda values: values["added"][0].update(kind="line-ups"),
        "it is a ladder's epoch by its terms, which",
    ),
    ("the terms", turn_contest, "it has rooms of a ladder's epoch, but its terms are those of a contest"),
    ("the clock", lambda values: values["terms"]["clock"].update(decision_ms=1), "the commitment to the terms is"),
    ("a void chain", lambda values: values.update(chain="00" * 32), "the chain is"),
]


@pytest.mark.parametrize(("change", "says"), [lie[1:] for lie in MANIFESTS], ids=[lie[0] for lie in MANIFESTS])
def test_a_lie_in_the_manifest_is_found(tamperer: Tamperer, change: Callable[[Values], object], says: str) -> None:
    tamperer.change_json("manifest.json", change)
    assert says in said_by(4, "verify", tamperer.folder)


def test_other_cards_and_a_missing_match_are_found_in_a_closed_epoch(closed: Path, tmp_path: Path) -> None:
    tamperer = Tamperer(Path(shutil.copytree(closed, tmp_path / "epoch")))
    tamperer.change("m0002", 0, lambda line: line.update(seed="ab" * 32))
    seed = f"difference: match m0002: its seed is {'ab' * 32}, should be "
    assert said_by(4, "verify", tamperer.folder).startswith(seed)
    for table in ("seat", "renege", "fault", "remark", '"match"'):
        tamperer.execute(f"DELETE FROM {table} WHERE number = 2")
    gone = "difference: match m0002: it is missing, but the manifest says that all are finished\n"
    assert said_by(4, "verify", tamperer.folder) == gone


def test_rooms_of_a_ladder_are_no_part_of_a_contest(bourre: Bourre, tmp_path: Path) -> None:
    finished_run(tmp_path)
    tamperer = Tamperer(tmp_path / "run")
    tamperer.change_json("manifest.json", lambda values: values.update(given_up=[2]))
    assert "its terms are those of a contest" in bourre("verify", tamperer.folder).out


def test_what_was_given_up_is_told(bourre: Bourre, closed: Path) -> None:
    lines = bourre("verify", closed).out.splitlines()
    assert lines[0] == "ladder: 11 of 11 matches checked"
    assert "given up   m0003: no result that counts" in lines
    assert lines[-1] == "verified   the run without line-ups: no difference in the rest"


@pytest.mark.parametrize("name", ["closed", "going_on"])
def test_an_export_is_verified_like_the_epoch(
    bourre: Bourre, request: pytest.FixtureRequest, tmp_path: Path, name: str
) -> None:
    kept: Path = request.getfixturevalue(name)
    export(Run.open(kept), "jsonl", tmp_path / "out", tables=())
    assert bourre("verify", tmp_path / "out") == bourre("verify", kept)
    Tamperer(tmp_path / "out").change_json("manifest.json", call_less)
    assert (
        "'m0012' is stored in place 12, but the schedule has no such match there"
        in bourre("verify", tmp_path / "out").out
    )


@pytest.mark.parametrize("words", [("standings",), ("stats",), ("replay", "m0002")])
def test_an_epoch_is_read_like_a_contest(bourre: Bourre, going_on: Path, words: tuple[str, ...]) -> None:
    command, *match = words
    done = bourre(command, going_on, *match)
    assert (done.code, done.err) == (0, "")
    assert "d.1" in done.out


def test_what_is_stored_after_the_manifest_was_read_is_left_for_the_next_look(going_on: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(going_on, tmp_path / "epoch"))
    before = Run.open(folder)
    with closing(EpochRun.open(FolderLocation(folder))) as epoch:
        epoch.call([*ROOMS * 3, ("new.1", "a.1", "b.1")])
        epoch.take(contests.played(epoch.spec(13)))
    assert len(before.matches()) == len(before.results()) == len(before.new_matches(()) or ()) == 11
    assert len(list(before.stored_matches())) == len(before.fact_hashes()) == 11
    assert before.new_matches(list(before.fact_hashes())) == []
    assert len(Run.open(folder).results()) == 12


def test_what_is_stored_while_it_is_verified_is_left_for_the_next_time(
    going_on: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(going_on, tmp_path / "epoch"))
    read_voids = RunSource.voids
    with closing(EpochRun.open(FolderLocation(folder))) as epoch:

        def voids_of_later(source: RunSource) -> Iterable[DiscardedMatch]:
            epoch.call([*ROOMS * 3, ("new.1", "a.1", "b.1")])
            epoch.lose(13, "the disk is full")
            epoch.take(played(epoch.spec(13)))
            return read_voids(source)

        monkeypatch.setattr(RunSource, "voids", voids_of_later)
        assert verify(source_of(folder), jobs=1).finished == 11
        monkeypatch.undo()
        assert verify(source_of(folder), jobs=1).finished == 12
