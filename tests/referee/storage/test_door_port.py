"""The note of a door's port: kept from sitting to sitting, and refused if it holds anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.door_port import read_port, write_port


def test_the_port_is_read_as_it_was_written(tmp_path: Path) -> None:
    note = tmp_path / "run.port"
    assert read_port(note) is None
    write_port(note, 7443)
    assert read_port(note) == 7443


@pytest.mark.parametrize("text", ["", "0", "65536", "-1", "port", "\uff17", "7443 7444", "9" * 10])
def test_anything_but_a_port_is_refused_with_a_hint(text: str, tmp_path: Path) -> None:
    note = tmp_path / "run.port"
    note.write_text(text)
    with pytest.raises(ContestError, match=r"run\.port: .* is no port: remove the file"):
        read_port(note)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "run.port").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ContestError, match="it is a link"):
        read_port(tmp_path / "run.port")
