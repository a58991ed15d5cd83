"""What onlookers see of a room in play: events as they happen, without any seat's secrets, and nothing afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from bourre.record import read, replay
from bourre.rules.events import Drew, Event, HandDealt, Reneged
from bourre.rules.visibility import public_event
from bourre_referee.storage.files.public_log import PublicLog, read_public_log
from tests.referee import exported_records


@pytest.fixture
def events() -> list[Event]:
    return [event for step in replay(read(exported_records.session())) for event in step.events]


def test_an_onlooker_reads_what_is_public_as_it_happens(tmp_path: Path, events: list[Event]) -> None:
    path = tmp_path / "rooms" / "room000001"
    assert list(read_public_log(path)) == []
    with PublicLog(path) as log:
        for number, event in enumerate(events, start=1):
            log.write([event])
            if number % 50 == 0:
                assert len(list(read_public_log(path))) == number
        for event, seen in zip(events, read_public_log(path), strict=True):
            if isinstance(event, HandDealt):
                assert seen == HandDealt(event.seat, ())
            else:
                assert seen == public_event(event)
        assert any(isinstance(event, Drew) and event.received for event in events)
        whole = path.read_bytes()
        path.write_bytes(whole[:-1])
        assert len(list(read_public_log(path))) == len(events) - 1
    assert not path.exists()


def test_no_hidden_card_is_in_the_file(tmp_path: Path, events: list[Event]) -> None:
    hidden = [
        replaced
        for event in events
        if isinstance(event, HandDealt | Drew | Reneged) and (replaced := public_event(event)) != event
    ]
    assert hidden
    with PublicLog(tmp_path / "room") as log:
        log.write(event for event in events if isinstance(event, HandDealt))
        size = (tmp_path / "room").stat().st_size
    with PublicLog(tmp_path / "room") as log:
        log.write(HandDealt(event.seat, None) for event in events if isinstance(event, HandDealt))
        assert (tmp_path / "room").stat().st_size == size
