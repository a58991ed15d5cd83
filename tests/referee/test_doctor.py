"""What the doctor says: what is there, what is absent with its mend, and whether a contest can be played at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bourre_referee.doctor.examine
from bourre_referee.doctor.finding import Finding, Report
from bourre_referee.errors import StoreError
from bourre_referee.store.trial import try_database
from bourre_referee.summaries.doctor import lines
from tests.referee.command import called

FINE = Finding("grpc", True, "grpcio 1.80", needed=True)
NO_BOX = Finding("box", False, "no namespaces", "ask root")
NO_DISK = Finding("database", False, "no room", "make some", needed=True)


def test_what_is_absent_is_told_with_its_mend() -> None:
    assert list(lines(Report((FINE, NO_BOX), "none"))) == [
        "ok      grpc            grpcio 1.80",
        "absent  box             no namespaces",
        "                        -> ask root",
        "",
        "contests can be played here, without isolation: with trusted bots only",
    ]
    assert next(lines(Report((NO_DISK,), "none"))) == "MISSING database        no room"
    assert list(lines(Report((FINE,), "bwrap")))[-1].endswith("bots are kept apart at level bwrap")


@pytest.mark.parametrize(("found", "code"), [((FINE, NO_BOX), 0), ((FINE, NO_DISK), 1)])
def test_it_fails_only_where_nothing_can_be_played(
    found: tuple[Finding, ...], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bourre_referee.doctor.examine, "examine", lambda folder: Report(found, "none"))
    ended = called("doctor", "--json")
    assert ended.code == code
    document = json.loads(ended.out)
    assert (document["playable"], document["level"]) == (code == 0, "none")
    assert [check["check"] for check in document["checks"]] == [finding.check for finding in found]


def test_a_database_is_tried_and_leaves_nothing(tmp_path: Path) -> None:
    assert try_database(tmp_path).startswith("SQLite 3.")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(StoreError, match="no database can be kept there"):
        try_database(tmp_path / "absent")
