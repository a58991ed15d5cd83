"""A folder that a newer version wrote: every command says so, changes nothing, and advises nothing that loses a run."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bourre_referee.ladder.log.event_log import LogReader, LogWriter
from bourre_referee.ladder.log.events import LadderError, LadderFrozen
from bourre_referee.storage.database.schema import VERSION
from bourre_referee.storage.run.folder_location import FolderLocation
from tests.referee import talking_rooms
from tests.referee.command import Bourre


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return talking_rooms.run_to_the_end(tmp_path_factory.mktemp("kept"))


def with_key(folder: Path, *place: str) -> None:
    """Adds a key that no version has yet."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    part = manifest
    for key in place:
        part = part[key]
    part["weather"] = "fine"
    path.write_text(json.dumps(manifest))


def with_version(folder: Path) -> None:
    """Raises the version of the database."""
    with closing(sqlite3.connect(FolderLocation(folder).database)) as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")


def with_release(folder: Path) -> None:
    """Adds a key, and says which release wrote it."""
    with_key(folder)
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace('"bourre": "', '"bourre": "9'))


NEWER: dict[str, Callable[[Path], None]] = {
    "has a key weather, which this bourre does not know: a newer version wrote it": with_key,
    "has a key terms.weather, which": lambda folder: with_key(folder, "terms"),
    "has a key seed.weather, which": lambda folder: with_key(folder, "seed"),
    "is from a newer version of bourre": with_version,
    "wrote it, but this is bourre": with_release,
}


@pytest.mark.parametrize("said", NEWER)
def test_every_command_names_a_newer_version(bourre: Bourre, kept: Path, tmp_path: Path, said: str) -> None:
    folder = Path(shutil.copytree(kept, tmp_path / "run"))
    NEWER[said](folder)
    before = {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    for command in (("standings",), ("verify",), ("export", "--out", str(tmp_path / "out"), "--format", "csv")):
        done = bourre(command[0], folder, *command[1:])
        assert done.code == 2, command
        assert said in done.err, command
        assert "--fresh" not in done.err, command
    assert {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()} == before


def test_an_event_of_a_newer_ladder_is_named() -> None:
    line = LogWriter().line(LadderFrozen(), "2026-11-27T12:00:00Z")
    newer = line.replace('"ladder_frozen"', '"ladder_thawing"')
    with pytest.raises(LadderError, match="line 1 has an event ladder_thawing, which this bourre does not know"):
        LogReader().read(newer)
    with pytest.raises(LadderError, match="is no event of a ladder"):
        LogReader().read(line.replace('"ladder_frozen"', '"\\u001b"'))
