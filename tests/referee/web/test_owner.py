"""What a bot printed, shown only to its owner."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.web.owner_access import OwnerKeys
from bourre_referee.web.owner_logs import read_log, rooms_with_logs
from tests.referee.web.serving import OWNERS, cookie, key_of, serving


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
    key, other = key_of("ada"), key_of("bob")
    with serving(logged, owners=OWNERS) as it:
        for wrong in ("", "x", other, key[:-1], "\N{LATIN SMALL LETTER A WITH DIAERESIS}"):
            assert it.client.post("/owner", data={"key": wrong}).status_code == (303 if wrong == other else 403)
        page = it.text("/owner", key=other)
        assert ("<bdi>bob</bdi> printed" in page, "<bdi>ada</bdi> printed" in page) == (True, False)
        assert it.text("/owner/logs/m0001", key=other).startswith("bob in")
        it.client.cookies.clear()
        assert "Log in" in it.text("/owner")
        assert it.client.get("/owner/logs/m0001").status_code == 403
        assert it.client.get(f"/owner/logs/m0001?key={key}").status_code == 403
        listed = it.text("/owner", key=key)
        assert "/owner/logs/m0001" in listed
        assert "m0002.2" in listed
        assert "m0003" not in listed
        assert 'href="/owner"' in it.text("/bots/1")


def test_a_key_is_in_a_cookie_that_no_script_and_no_other_site_can_use_and_in_no_page(logged: Path) -> None:
    key = key_of("ada")
    with serving(logged, owners=OWNERS) as it:
        answer = it.client.post("/owner", data={"key": f" {key} "})
        assert (answer.status_code, answer.headers["location"]) == (303, "/owner")
        held = answer.headers["set-cookie"]
        assert held == f"bourre_owner={key}; HttpOnly; Path=/owner; SameSite=strict"
        for path in ("/owner", "/owner/logs/m0001", "/bots/1"):
            assert key not in it.text(path)
        elsewhere = it.client.post("/owner/leave", headers={"Sec-Fetch-Site": "same-site"})
        assert (elsewhere.status_code, "printed" in it.text("/owner")) == (403, True)
        it.client.post("/owner/leave")
        assert "Log in" in it.text("/owner")


def test_a_renewed_key_stops_the_old_one_at_once_and_nobody_elses(logged: Path, tmp_path: Path) -> None:
    keys = OwnerKeys.of_files(tmp_path / "secret", tmp_path / "renewed")
    old, others = keys.key("ada"), keys.key("bob")
    assert old
    assert others
    with serving(logged, owners=keys) as it:
        new = OwnerKeys.of_files(tmp_path / "secret", tmp_path / "renewed").renew("ada")
        assert "Log in" in it.text("/owner", key=old)
        assert "<bdi>ada</bdi> printed" in it.text("/owner", key=new)
        assert "<bdi>bob</bdi> printed" in it.text("/owner", key=others)
    assert keys.key("ada") is None


def test_control_characters_in_a_log_are_visible(logged: Path) -> None:
    with serving(logged, owners=OWNERS) as it:
        answer = it.client.get("/owner/logs/m0001", headers=cookie(key_of("ada")))
    assert answer.text == "ada in m0001\n<b>\\x1b[31mred\\x00\\u202e\n"
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"


def test_the_log_of_an_unfinished_match_is_hidden(logged: Path) -> None:
    key = key_of("ada")
    with serving(logged, owners=OWNERS) as it:
        assert "m0011" not in it.text("/owner", key=key)
        assert it.client.get("/owner/logs/m0011", headers=cookie(key)).status_code == 404


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


def test_an_owner_alone_is_told_why_a_bot_never_started(logged: Path) -> None:
    with serving(logged, owners=OWNERS) as it:
        assert "never started" not in it.text("/owner", key=key_of("ada"))
        why = b"[bourre] never started: bot.py, line 1: NameError: <b>\x1b[2J; correct it\n"
        (logged / "logs" / "ada" / "m0001.log").write_bytes(why)
        told = "It never started in <bdi>m0001: bot.py, line 1: NameError: &lt;b&gt;\\x1b[2J; correct it</bdi>"
        assert told in it.text("/owner", key=key_of("ada"))
        assert "NameError" not in it.text("/owner", key=key_of("bob"))
        assert "NameError" not in it.text("/bots/1") + it.text("/")


def test_without_owner_keys_there_are_no_logs(logged: Path) -> None:
    with serving(logged) as it:
        for path in ("/owner", "/owner/logs/m0001"):
            assert it.client.get(path, headers=cookie(key_of("ada"))).status_code == 404
        assert "/owner" not in it.text("/bots/1")


def test_a_secret_in_a_file_gives_the_same_keys_again(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    first = OwnerKeys.of_files(file, tmp_path / "renewed").key("ada")
    assert file.stat().st_mode & 0o777 == 0o600
    assert OwnerKeys.of_files(file, tmp_path / "renewed").key("ada") == first
    assert OwnerKeys.of_files(tmp_path / "other", tmp_path / "renewed").key("ada") != first


def test_a_secret_file_must_be_readable(tmp_path: Path) -> None:
    with pytest.raises(ContestError, match=r"Cannot use .* \(Is a directory\)"):
        OwnerKeys.of_files(tmp_path, tmp_path / "renewed")


def test_a_name_that_is_not_a_folder_name_has_no_logs(logged: Path) -> None:
    assert rooms_with_logs(logged, "ada", frozenset({"m0001"})) == ["m0001"]
    assert rooms_with_logs(logged, "../logs/ada", frozenset({"m0001"})) == []
