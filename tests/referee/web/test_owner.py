"""What a bot printed, shown only to its owner."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.web.owner_logs import OwnerKeys, owner_keys, read_log, rooms_with_logs
from tests.referee.web.serving import serving

OWNERS = OwnerKeys(b"k" * 32)


@pytest.fixture
def logged(folder: Path) -> Path:
    """A run whose bots printed something, also in a match that is not finished."""
    for bot in ("ada", "bob"):
        (folder / "logs" / bot).mkdir(parents=True)
        for room in ("m0001", "m0002.2", "m0011"):
            (folder / "logs" / bot / f"{room}.log").write_bytes(f"{bot} in {room}\n<b>\x1b[31mred\x00\u202e\n".encode())
        (folder / "logs" / bot / "m0003.txt").write_text("not a log")
    return folder


def test_only_the_owner_reads_what_a_bot_printed(logged: Path) -> None:
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


def test_control_characters_in_a_log_are_visible(logged: Path) -> None:
    with serving(logged, owners=OWNERS) as it:
        answer = it.client.get(f"/bots/1/logs/m0001?key={OWNERS.key('ada')}")
    assert answer.text == "ada in m0001\n<b>\\x1b[31mred\\x00\\u202e\n"
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"


def test_the_log_of_an_unfinished_match_is_hidden(logged: Path) -> None:
    key = OWNERS.key("ada")
    with serving(logged, owners=OWNERS) as it:
        assert "m0011" not in it.text(f"/bots/1/logs?key={key}")
        assert it.client.get(f"/bots/1/logs/m0011?key={key}").status_code == 404


def test_a_log_is_a_regular_file_of_the_run(logged: Path, tmp_path: Path) -> None:
    """The folder may come from someone else, with links to other files of this machine."""
    finished = frozenset({"m0001", "m0004", "m0005"})
    (tmp_path / "m0001.log").write_text("private")
    (logged / "logs" / "ada" / "m0004.log").symlink_to(tmp_path / "m0001.log")
    os.mkfifo(logged / "logs" / "ada" / "m0005.log")
    (logged / "logs" / "cy").symlink_to(tmp_path)
    assert (rooms_with_logs(logged, "ada", finished), rooms_with_logs(logged, "cy", finished)) == (["m0001"], [])
    (logged / "logs").rename(tmp_path / "logs")
    (logged / "logs").symlink_to(tmp_path / "logs")
    assert rooms_with_logs(logged, "ada", finished) == []


def test_a_huge_log_is_not_read_to_its_end(logged: Path) -> None:
    os.truncate(logged / "logs" / "ada" / "m0001.log", 10**12)
    assert read_log(logged, "ada", "m0001").startswith("ada in m0001\n")


def test_without_owner_links_there_are_no_logs(logged: Path) -> None:
    with serving(logged) as it:
        assert list(it.application.bots.links()) == []
        assert it.client.get(f"/bots/1/logs?key={OWNERS.key('ada')}").status_code == 403


def test_a_secret_in_a_file_gives_the_same_links_again(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    first = owner_keys(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert owner_keys(file) == first
    assert owner_keys(None) != owner_keys(None)


def test_a_secret_file_must_be_readable(tmp_path: Path) -> None:
    with pytest.raises(ContestError, match=r": Is a directory: give a file that can be read and created$"):
        owner_keys(tmp_path)


def test_a_name_that_is_not_a_folder_name_has_no_logs(logged: Path) -> None:
    assert rooms_with_logs(logged, "ada", frozenset({"m0001"})) == ["m0001"]
    assert rooms_with_logs(logged, "../logs/ada", frozenset({"m0001"})) == []
