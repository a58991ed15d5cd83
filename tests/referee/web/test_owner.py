"""What a bot printed, for its owner alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.web.owner_logs import Owners, log_text, owners, rooms
from tests.referee.web.serving import serving

OWNERS = Owners(b"k" * 32)


@pytest.fixture
def logged(folder: Path) -> Path:
    """A run whose bots printed something, one of them in a match that is still played."""
    for bot in ("ada", "bob"):
        (folder / "logs" / bot).mkdir(parents=True)
        for room in ("m0001", "m0002.2", "m0011"):
            (folder / "logs" / bot / f"{room}.log").write_bytes(f"{bot} in {room}\n<b>\x1b[31mred\x00\u202e\n".encode())
        (folder / "logs" / bot / "m0003.txt").write_text("no log")
    return folder


def test_what_a_bot_printed_is_for_its_owner_alone(logged: Path) -> None:
    key, other = OWNERS.key("ada"), OWNERS.key("bob")
    with serving(logged, owners=OWNERS) as it:
        for path in ("/bots/1/logs", "/bots/1/logs/m0001", "/bots/1/logs/none"):
            for wrong in ("", f"?key={other}", "?key=", f"?key={key[:-1]}", "?key=%C3%A4"):
                assert it.client.get(f"{path}{wrong}").status_code == 403
        assert it.client.get(f"/bots/1?key={other}").status_code == 403
        assert "logs" not in it.text("/bots/1")
        assert f"/bots/1/logs?key={key}" in it.text(f"/bots/1?key={key}")
        listed = it.text(f"/bots/1/logs?key={key}")
        assert f"/bots/1/logs/m0001?key={key}" in listed
        assert "m0002.2" in listed
        assert "m0003" not in listed


def test_a_log_is_text_whose_every_sign_can_be_seen(logged: Path) -> None:
    with serving(logged, owners=OWNERS) as it:
        answer = it.client.get(f"/bots/1/logs/m0001?key={OWNERS.key('ada')}")
    assert answer.text == "ada in m0001\n<b>\\x1b[31mred\\x00\\u202e\n"
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"


def test_the_log_of_a_match_that_is_still_played_is_hidden(logged: Path) -> None:
    key = OWNERS.key("ada")
    with serving(logged, owners=OWNERS) as it:
        assert "m0011" not in it.text(f"/bots/1/logs?key={key}")
        assert it.client.get(f"/bots/1/logs/m0011?key={key}").status_code == 404


def test_a_log_is_a_regular_file_of_the_run(logged: Path, tmp_path: Path) -> None:
    """The folder may be a stranger's, and a link in it lead to a log of this machine."""
    finished = frozenset({"m0001", "m0004", "m0005"})
    (tmp_path / "m0001.log").write_text("private")
    (logged / "logs" / "ada" / "m0004.log").symlink_to(tmp_path / "m0001.log")
    os.mkfifo(logged / "logs" / "ada" / "m0005.log")
    (logged / "logs" / "cy").symlink_to(tmp_path)
    assert (rooms(logged, "ada", finished), rooms(logged, "cy", finished)) == (["m0001"], [])
    (logged / "logs").rename(tmp_path / "logs")
    (logged / "logs").symlink_to(tmp_path / "logs")
    assert rooms(logged, "ada", finished) == []


def test_a_log_without_end_is_not_read_to_its_end(logged: Path) -> None:
    os.truncate(logged / "logs" / "ada" / "m0001.log", 10**12)
    assert log_text(logged, "ada", "m0001").startswith("ada in m0001\n")


def test_without_owner_links_there_are_no_logs(logged: Path) -> None:
    with serving(logged) as it:
        assert list(it.made.bots.links()) == []
        assert it.client.get(f"/bots/1/logs?key={OWNERS.key('ada')}").status_code == 403


def test_a_secret_that_is_kept_gives_the_same_links_again(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    first = owners(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert owners(file) == first
    assert owners(None) != owners(None)


def test_a_secret_is_a_file_that_can_be_read(tmp_path: Path) -> None:
    with pytest.raises(ContestError, match=r": Is a directory: give a file that can be read and created$"):
        owners(tmp_path)


def test_a_name_that_is_no_folder_has_no_logs(logged: Path) -> None:
    assert rooms(logged, "ada", frozenset({"m0001"})) == ["m0001"]
    assert rooms(logged, "../logs/ada", frozenset({"m0001"})) == []
