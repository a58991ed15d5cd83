"""Tokens: shown once, stored as hashes, renewed and revoked, and never lost to a second writer."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest

from bourre_referee.model.door_spec import hash_token
from bourre_referee.model.errors import ContestError
from bourre_referee.runner.invitations import invite, renew_token, revoke_token
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


def test_who_joins_later_gets_a_token_too(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    invite(BOTS, path)
    tokens = invite((*BOTS, "cy"), path)
    assert (tokens["ada"], bool(tokens["cy"])) == ("", True)


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
    with pytest.raises(ContestError, match=r"tokens\.json: .*restore a copy, or remove it and invite every bot again"):
        invite(BOTS, path)
