"""A copy of a finished run, which a test may damage; its module makes the run, in a fixture named `kept`."""

import shutil
from pathlib import Path

import pytest

from tests.referee.tampering import Tamperer


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    """A copy of the module's run."""
    return Path(shutil.copytree(kept, tmp_path / "run"))


@pytest.fixture
def tamperer(folder: Path) -> Tamperer:
    """Changes that copy."""
    return Tamperer(folder)
