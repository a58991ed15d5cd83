"""A finished run and its export, for tests that damage a copy of either."""

import shutil
from pathlib import Path

import pytest

from bourre_referee.export.export_writer import export
from bourre_referee.storage.run.run import Run
from tests.referee.in_process import finished_run


@pytest.fixture(scope="module")
def run_and_export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of ten matches (`run`) and its export (`exported`)."""
    folder = tmp_path_factory.mktemp("run-and-export")
    finished_run(folder)
    export(Run.open(folder / "run"), "jsonl", folder / "exported", tables=())
    return folder


@pytest.fixture
def run(run_and_export: Path, tmp_path: Path) -> Path:
    """A copy of the run, which the test may damage."""
    return Path(shutil.copytree(run_and_export / "run", tmp_path / "run"))


@pytest.fixture
def exported(run_and_export: Path, tmp_path: Path) -> Path:
    """A copy of the export, which the test may damage."""
    return Path(shutil.copytree(run_and_export / "exported", tmp_path / "exported"))
