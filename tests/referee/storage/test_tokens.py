"""Small files of a run: tokens as hashes, the port of its listener, and the rooms in play, whatever stands in them."""

import os
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.model.listener_spec import hash_token
from bourre_referee.runner.invitations import invite, renew_token, revoke_token
from bourre_referee.storage.files.listener_port import read_port, write_port
from bourre_referee.storage.run.rooms_file import LONGEST, RoomsFile, SeatedRoom, read_rooms
from bourre_referee.storage.run.tokens import TokenFile

BOTS = ("ada", "bob")


def test_each_bot_gets_a_token_once_and_only_its_hash_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    tokens = invite(BOTS, path)
    assert all(re.fullmatch("[0-9a-f]{64}", token) for token in tokens.values())
    assert len({*tokens.values()}) == 2
    assert invite(BOTS, path) == {"ada": "", "bob": ""}
    assert not any(token in path.read_text() for token in tokens.values())
    assert TokenFile(path).read().bots == {bot: hash_token(token) for bot, token in tokens.items()}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    later = invite((*BOTS, "cy"), path)
    assert (later["ada"], bool(later["cy"])) == ("", True)


def test_a_renewed_token_opens_and_the_old_one_is_known_as_revoked(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    old = [invite(BOTS, path)["ada"], renew_token("ada", path)]
    new = renew_token("ada", path)
    tokens = TokenFile(path).read()
    assert tokens.bots["ada"] == hash_token(new)
    assert tokens.revoked == {hash_token(each): "ada" for each in old}
    assert tokens.bots.keys() == {*BOTS}


def test_a_revoked_bot_is_not_invited_again_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    invite(BOTS, path)
    assert revoke_token("ada", path)
    assert not revoke_token("ada", path)
    assert invite(BOTS, path) == {"bob": ""}
    renew_token("ada", path)
    assert invite(BOTS, path) == {"ada": "", "bob": ""}


def test_a_change_that_fails_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    invite(BOTS, path)
    before = path.read_bytes()

    def fail() -> None:
        with TokenFile(path).change() as change:
            assert change.revoke("ada")
            raise KeyError("a mistake of ours")

    with pytest.raises(KeyError):
        fail()
    assert path.read_bytes() == before
    assert revoke_token("ada", path)


def test_a_change_is_noticed_once(tmp_path: Path) -> None:
    file = TokenFile(tmp_path / "tokens.json")
    first = file.read_if_changed()
    assert first is not None
    assert first.bots == {}
    assert file.read_if_changed() is None
    invite(BOTS, tmp_path / "tokens.json")
    changed = file.read_if_changed()
    assert changed is not None
    assert set(changed.bots) == {*BOTS}
    assert file.read_if_changed() is None


def test_a_damaged_file_is_named_with_a_hint(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    path.write_text("{")
    with pytest.raises(
        ContestError,
        match=r"tokens\.json: .*\nhint: restore it from a backup, or remove it and run bourre tokens again",
    ):
        invite(BOTS, path)


def test_the_port_is_read_as_it_was_written(tmp_path: Path) -> None:
    note = tmp_path / "run.port"
    assert read_port(note) is None
    write_port(note, 7443)
    assert read_port(note) == 7443


@pytest.mark.parametrize("text", ["", "0", "65536", "-1", "port", "\uff17", "7443 7444", "9" * 10])
def test_anything_but_a_port_is_refused_with_a_hint(text: str, tmp_path: Path) -> None:
    note = tmp_path / "run.port"
    note.write_text(text)
    with pytest.raises(ContestError, match=r"run\.port: .* is not a port.\nhint: remove the file"):
        read_port(note)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "run.port").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ContestError, match="is a link"):
        read_port(tmp_path / "run.port")


FIRST = SeatedRoom("m0001", ("ada", "bob", "c\u00e9line"))
SECOND = SeatedRoom("m0002", ("bob", "ada", "dee"))
WRITER = """
import sys
from pathlib import Path
from bourre_referee.storage.run.rooms_file import RoomsFile, SeatedRoom
with RoomsFile(Path(sys.argv[1])) as told:
    told.tell([SeatedRoom("m0001", ("ada", "bob"))])
    print("told", flush=True)
    sys.stdin.read()
"""


def test_readers_see_what_was_told_last_until_the_end(tmp_path: Path) -> None:
    path = tmp_path / "run.rooms"
    assert read_rooms(path) == ()
    with RoomsFile(path) as told:
        assert read_rooms(path) == ()
        for rooms in ([FIRST, SECOND], [SECOND], [], [FIRST]):
            told.tell(rooms)
            assert read_rooms(path) == tuple(rooms)
            assert read_rooms(path) == tuple(rooms), "looking changes nothing"
    assert not path.exists()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_referee_left_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "run.rooms"
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout
        assert writer.stdout.readline() == "told\n"
        assert read_rooms(path) == (SeatedRoom("m0001", ("ada", "bob")),)
        os.kill(writer.pid, signal.SIGKILL)
    assert path.exists()
    assert read_rooms(path) == ()
    with RoomsFile(path) as told:
        told.tell([SECOND])
        assert read_rooms(path) == (SECOND,)


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[1]", b'[{"room": "m1", "bots": 7}]', b"\xff", b"[]" + b" " * LONGEST + b"["]
)
def test_nonsense_in_the_file_shows_no_tables(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "run.rooms"
    with RoomsFile(path):
        path.write_bytes(text)
        assert read_rooms(path) == ()


def test_a_link_is_neither_followed_nor_written_through(tmp_path: Path) -> None:
    path, elsewhere = tmp_path / "run.rooms", tmp_path / "elsewhere"
    elsewhere.write_text("untouched")
    path.symlink_to(elsewhere)
    assert read_rooms(path) == ()
    path.with_name("run.rooms.new").symlink_to(elsewhere)
    with RoomsFile(path) as told:
        told.tell([FIRST])
        assert read_rooms(path) == (FIRST,)
    assert elsewhere.read_text() == "untouched"


def test_a_file_that_cannot_be_made_is_an_error_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(ContestError, match=r"run\.rooms: .*check its permissions"):
        RoomsFile(tmp_path / "missing" / "run.rooms").__enter__()
