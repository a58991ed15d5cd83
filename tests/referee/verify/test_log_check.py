"""`bourre verify` checks the commitment to the terms, the log, and what was published earlier."""

import json
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.run.log_entry import hash_of_json
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.void_match import void
from bourre_referee.verify.difference import Difference
from bourre_referee.verify.published import check_published, read_published
from bourre_referee.verify.run_source import source_of
from bourre_referee.verify.verify import VerifiedRun, verify
from tests.referee import contests
from tests.referee.command import Bourre
from tests.referee.in_process import leave_at, run_in_process
from tests.referee.realistic_rooms import played
from tests.referee.tampering import Tamperer, Values

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
SECRET = contests.FILE.replace("seed = 7\n", "").replace("rounds = 2", "rounds = 1")
otherwise = partial(played, label="other answer")


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Contest:
    return contests.small_contest(tmp_path_factory.mktemp("contest"), SECRET)


@pytest.fixture(scope="module")
def kept(contest: Contest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run with a secret seed, one sitting after another, and a match that was voided at the end."""
    folder = tmp_path_factory.mktemp("kept") / "run"
    leave_at(4, contest, folder)
    run_in_process(contest, folder)
    void(folder, "m0003", "smoke", NOON)
    run_in_process(contest, folder)
    return folder


def verified(folder: Path) -> VerifiedRun:
    return verify(source_of(folder), jobs=1)


def test_an_honest_run_agrees_with_its_log(kept: Path) -> None:
    found = verified(kept)
    log = Run.open(kept).manifest.log
    events = [(entry.event, entry.finished) for entry in log]
    ends = [("finished", 5), ("voided", 4), ("continued", 4), ("finished", 5)]
    assert events == [("begun", 0), ("continued", 4), *ends]
    assert found.log.heads == tuple(entry.hash() for entry in log)
    assert {entry.chain for entry in log} <= found.log.chains


def leaves(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value in a JSON document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inner is None or not value:
        yield path
    for key, other in inner or ():
        yield from leaves(other, (*path, key))


def other(value: object) -> object:
    """A value that is not this one; of its type, if it has any."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return f"{value}x" if isinstance(value, str) else [] if value is None else ["x"]


def test_no_value_of_the_terms_can_be_changed(kept: Path, tmp_path: Path) -> None:
    text = (kept / "manifest.json").read_text()
    paths = list(leaves(json.loads(text)["terms"]))
    assert len(paths) > 40
    for name in ("run.db", "standings.json"):
        shutil.copy(kept / name, tmp_path / name)
    for *path, last in paths:
        manifest = json.loads(text)
        place = manifest["terms"]
        for key in path:
            place = place[key]
        place[last] = other(place[last])
        (tmp_path / "manifest.json").write_text(json.dumps(manifest))
        with pytest.raises((Difference, ContestError)):
            verified(tmp_path)


def entry(number: int, **news: object) -> Callable[[Values], object]:
    return lambda manifest: manifest["log"][number].update(news)


FORGERIES: list[tuple[str, Callable[[Values], object], str]] = [
    ("the clock", lambda values: values["terms"]["clock"].update(decision_ms=1), "entry 1 of the log (begun)"),
    ("a limit", lambda values: values["terms"]["isolation"].update(memory_mib=1), "the commitment to the terms is"),
    ("a bot's file", lambda values: values["terms"]["bots"][0]["files"].pop(), "the commitment to the terms is"),
    ("the name", lambda values: values.update(contest="great"), "the contest that it belongs to"),
    ("the versions", lambda values: values["versions"].update(python="3.0"), "manifest.json: the versions"),
    ("the end", lambda values: values["log"].pop(), "the last event in the log of a finished run is 'continued'"),
    ("a sitting", lambda values: values["log"].pop(1), "entry 2 of the log (finished): the hash of the entry before"),
    ("a time", entry(1, at="2026-01-01T00:00:00+00:00"), "entry 3 of the log (finished): the hash of the entry before"),
    ("no time", entry(1, at="noon"), "the time is 'noon', which is not ISO 8601"),
    ("an event", entry(1, event="begun"), "a run begins once, with the first entry"),
    ("a digest", entry(1, digest="00" * 32), "only a finished run a digest"),
    ("the digest", entry(-1, digest="00" * 32), "manifest.json: the digest in the log is '00"),
    ("the chain", entry(-1, chain="00" * 32), "manifest.json: the chain in the log is '00"),
    ("all of the log but its start", lambda values: values.update(log=values["log"][:1]), "attempt 1 is voided in"),
    ("no digest", lambda values: values.update(digest=None), "the log says that the run is finished"),
]


def relink(manifest: Values) -> None:
    """Computes the links of a forged log anew."""
    for before, after in pairwise(manifest["log"]):
        after["previous"] = hash_of_json(before)


RELINKED: list[tuple[str, Callable[[Values], object], str]] = [
    ("an older chain", entry(1, chain="00" * 32), "entry 2 of the log (continued): its chain '"),
    ("fewer matches", entry(1, finished=3), "it has 3 finished matches, its chain 4"),
    ("a void", lambda values: values["log"].pop(3), "attempt 1 is voided in the database, but not in the log"),
    ("another void", lambda values: values["log"][3]["voided"].update(reason="fire"), "voided in the log"),
    ("other terms", entry(3, terms="00" * 32), "entry 4 of the log (voided): the commitment to the terms"),
    ("other bots", entry(4, event="bots changed"), "entry 5 of the log (bots changed): the commitment to the terms"),
]


@pytest.mark.parametrize("forgery", [*FORGERIES, *RELINKED], ids=lambda forgery: forgery[0])
def test_a_forgery_is_found(tamperer: Tamperer, forgery: tuple[str, Callable[[Values], object], str]) -> None:
    _, forge, said = forgery
    tamperer.change_json("manifest.json", forge)
    if forgery in RELINKED:
        tamperer.change_json("manifest.json", relink)
    with pytest.raises(Difference) as found:
        verified(tamperer.folder)
    assert said in str(found.value)


def test_a_revealed_seed_is_a_finished_run(contest: Contest, kept: Path, tmp_path: Path) -> None:
    leave_at(4, contest, tmp_path / "run")
    seed = (tmp_path / "run" / "seed.secret").read_text().strip()
    revealed = {"note": "was secret, revealed at the end", "revealed": seed}
    Tamperer(tmp_path / "run").change_json("manifest.json", lambda values: values["seed"].update(revealed))
    with pytest.raises(Difference, match="secret seed is revealed, but the log says that the run was never finished"):
        verified(tmp_path / "run")


def test_what_was_published_on_the_way_is_of_the_same_run(contest: Contest, tmp_path: Path) -> None:
    folder, notes = tmp_path / "run", list[str]()

    def note() -> None:
        run = Run.open(folder)
        notes.append(run.manifest.model_dump_json())

    leave_at(4, contest, folder)
    note()
    manifest = tmp_path / "manifest.json"
    shutil.copy(folder / "manifest.json", manifest)
    run_in_process(contest, folder)
    digest = json.loads((folder / "standings.json").read_text())["digest"]
    note()
    check_published(verified(folder), read_published(digest))
    void(folder, "m0003", "smoke", NOON)
    note()
    run_in_process(contest, folder, otherwise)
    for number, text in enumerate(notes):
        (tmp_path / f"{number}.json").write_text(json.dumps({**json.loads(text), "digest": None}))
        check_published(verified(folder), read_published(str(tmp_path / f"{number}.json")))
    check_published(verified(folder), read_published(str(manifest)))
    with pytest.raises(Difference, match=f"the hash {digest} was published, but this run never had it"):
        check_published(verified(folder), read_published(digest))


def test_a_run_that_was_wound_back_and_played_on_is_another_one(contest: Contest, tmp_path: Path) -> None:
    folder, copy = tmp_path / "run", tmp_path / "copy"
    leave_at(4, contest, folder)
    shutil.copytree(folder, copy)
    finished = run_in_process(contest, folder)
    forged = run_in_process(contest, copy, otherwise)
    assert verified(copy).digest == forged.manifest.digest != finished.manifest.digest
    (tmp_path / "earlier.json").write_text(finished.manifest.model_dump_json())
    for published in (str(tmp_path / "earlier.json"), finished.manifest.chain, finished.manifest.log_head):
        assert published
        check_published(verified(folder), read_published(published))
        with pytest.raises(Difference, match="was published, but this run never had it"):
            check_published(verified(copy), read_published(published))
    check_published(verified(copy), read_published(finished.manifest.terms_hash))


def test_a_finished_run_that_is_made_unfinished_again_contradicts_what_was_published(
    contest: Contest, tmp_path: Path
) -> None:
    def wind_back(values: Values) -> None:
        values["log"].pop()
        values["digest"] = None
        values["seed"].update(note="secret until all matches are done", revealed=None)

    folder = tmp_path / "run"
    finished = run_in_process(contest, folder)
    standings = shutil.move(folder / "standings.json", tmp_path)
    Tamperer(folder).change_json("manifest.json", wind_back)
    assert verified(folder).digest is None  # the folder alone does not tell
    for published in (str(standings), finished.manifest.log_head):
        assert published
        with pytest.raises(Difference, match="was published, but this run never had it"):
            check_published(verified(folder), read_published(published))


def test_the_command_compares_a_run_with_what_was_published(bourre: Bourre, kept: Path, tmp_path: Path) -> None:
    (tmp_path / "noted.json").write_text((kept / "manifest.json").read_text())
    done = bourre("verify", kept, "--published", tmp_path / "noted.json")
    assert done.code == 0
    assert "log: begun, continued 2 times, finished 2 times, voided, head " in done.out
    done = bourre("verify", kept, "--published", "0" * 64)
    assert (done.code, done.out.startswith("difference: the hash 000")) == (4, True)
    for given, said in [
        ("abc", "it is not a SHA-256, and not a readable file"),
        (tmp_path / "empty.json", "it contains no run hash"),
    ]:
        (tmp_path / "empty.json").write_text("{}")
        done = bourre("verify", kept, "--published", given)
        assert (done.code, said in done.err) == (2, True)


def test_a_folder_of_an_older_version_needs_no_log(tamperer: Tamperer) -> None:
    tamperer.forget_log()
    found = verified(tamperer.folder)
    assert (found.log.terms, found.log.heads) == ((), ())
    check_published(found, read_published(found.chain))


def test_a_database_that_lost_matches_of_a_finished_run_is_not_played_on(contest: Contest, tamperer: Tamperer) -> None:
    for table in ("seat", "renege", "fault", "remark", "match"):
        tamperer.execute(f'DELETE FROM "{table}" WHERE number > 3')
    with pytest.raises(ContestError, match=r"lacks matches that manifest\.json lists as finished"):
        run_in_process(contest, tamperer.folder)
