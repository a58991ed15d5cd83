"""A run that is half finished, for commands that read one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.referee.half_run import half_run


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five of ten matches of four deals, three bots at a table, as if the process had been killed."""
    return half_run(tmp_path_factory.mktemp("half"))
