"""A ladder whose database fails at any one call goes on as if nothing had happened."""

from __future__ import annotations

from pathlib import Path

import pytest

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import BoardUpdated, Event, RoomFinished, RoomVoided
from bourre_referee.storage.run.ladder_database import LadderDatabase
from bourre_referee.verify.ladder_check import verify_epoch
from tests.failing_database import Patience, failing
from tests.long_tests import parts
from tests.postgres_server import PostgresServer
from tests.referee.in_process import numbered_seeds
from tests.referee.ladder.host.database_ladders import make_in_database
from tests.referee.ladder.host.hosts import SHORT_EPOCHS, count, events, host
from tests.referee.ladder.host.ladder_folders import with_bots

pytestmark = pytest.mark.xdist_group("processes")

PARTS = 800
"""Each part fails every 800th call, one at a time."""


def serve(postgres: PostgresServer, folder: Path, fails_at: int) -> tuple[int, LadderFolder, Patience]:
    """Serves a ladder from its first epoch into its second one. Returns how many calls it made."""
    ladder = with_bots(make_in_database(folder, SHORT_EPOCHS, postgres.url), folder, "a", "b")
    storage, patience = ladder.storage, Patience()
    assert isinstance(storage, LadderDatabase)
    with numbered_seeds(), storage.lead(patience) as led, failing(fails_at) as calls:
        with host(LadderFolder(ladder.path, led), patience=patience) as serving:
            serving.steps(7)
        return calls.made, ladder, patience


def kinds(ladder: LadderFolder) -> list[type[Event]]:
    """What happened, in order; boards change with the cards, which differ."""
    return [type(event) for event in events(ladder) if not isinstance(event, BoardUpdated)]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", parts(every_run=1, whole=PARTS))
def test_a_ladder_waits_wherever_its_database_fails(postgres: PostgresServer, tmp_path: Path, part: int) -> None:
    made, whole, patience = serve(postgres, tmp_path / "whole", 0)
    assert not patience.told
    for fails_at in range(1 + part, made, PARTS):
        _, ladder, patience = serve(postgres, tmp_path / str(fails_at), fails_at)
        assert patience.told, fails_at
        assert "the server is gone" in patience.told[0], fails_at
        assert "back" in patience.told[-1], fails_at
        assert kinds(ladder) == kinds(whole), fails_at
        assert count(ladder, RoomFinished) == 6
        assert count(ladder, RoomVoided) == 0
        assert verify_epoch(ladder.path, 1, jobs=1).rooms == 4
