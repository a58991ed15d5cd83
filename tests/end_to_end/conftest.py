"""A host that is never too busy."""

from __future__ import annotations

import pytest


@pytest.fixture
def tireless_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the referee blame the bot, however busy this machine is."""
    monkeypatch.setattr("bourre_referee.server.starvation.TOLERATED_SECONDS", 1e9)
