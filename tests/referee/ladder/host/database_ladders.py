"""Ladders in a database for tests."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from bourre_referee.ladder.host.administration import new_ladder
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from tests.referee.ladder.host.ladder_folders import NOW, write_file


def new_name() -> str:
    """The name of a ladder that no other test has in the database that they share."""
    return f"l{uuid4().hex[:12]}"


def make_in_database(folder: Path, text: str, url: str) -> LadderFolder:
    """A new ladder on these terms, under a name of its own in a database that it shares."""
    file = write_file(folder / "host", text.replace('name = "class"', f'name = "{new_name()}"'))
    return new_ladder(folder / "ladder", file, lambda: NOW, url)
