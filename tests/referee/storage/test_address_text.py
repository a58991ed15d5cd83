"""The address of a database: what is one, and that no spelling of it shows its password."""

from __future__ import annotations

from pathlib import Path

import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.database.postgres.database_address import parse_contest, parse_database
from bourre_referee.storage.files.address_text import is_address, without_password
from tests.referee.command import Bourre

READABLE = {
    "postgresql://me:hunter2@host/games": "postgresql://me@host/games",
    "postgres://me:hunter2@host/games": "postgres://me@host/games",
    "postgresql://me:hunter2%40@host:5433/games": "postgresql://me@host:5433/games",
    "postgresql://me:hunter2:more@host/games": "postgresql://me@host/games",
    "postgresql://:hunter2@host/games": "postgresql://@host/games",
    "postgresql://me:hunter2@/games": "postgresql://me@/games",
    "postgresql://me:hunter2@host": "postgresql://me@host",
    "postgresql://me:hunter2@one:5432,two:5433/games": "postgresql://me@one:5432,two:5433/games",
    "postgresql://me:hunter2@[::1]:5432/games": "postgresql://me@[::1]:5432/games",
    "postgresql://me:hunter2@%2Fvar%2Frun/games": "postgresql://me@%2Fvar%2Frun/games",
    "postgresql://me@host/games?password=hunter2": "postgresql://me@host/games?password=***",
    "postgresql://host/games?user=me&password=hunter2": "postgresql://host/games?user=me&password=***",
    "postgresql://me@host/games?sslpassword=hunter2&sslmode=require": (
        "postgresql://me@host/games?sslpassword=***&sslmode=require"
    ),
    "postgresql://me@host/games?PASSWORD=hunter2": "postgresql://me@host/games?PASSWORD=***",
    "postgresql://me@host/games?pass%77ord=hunter2": "postgresql://me@host/games?pass%77ord=***",
    "postgresql://me@host/games?hunter2": "postgresql://me@host/games?***",
    "postgresql:///games?host=/run&password=hunter2": "postgresql:///games?host=/run&password=***",
    "postgresql://me:hunter2@host/games?connect_timeout=3": "postgresql://me@host/games?connect_timeout=3",
}
UNREADABLE = (
    "postgresql+psycopg://me:hunter2@host/games",
    "postgresql+asyncpg://me:hunter2@host/games",
    "POSTGRESQL://me:hunter2@host/games",
    "Postgres://me:hunter2@host/games",
    "postgresql://me:hun#ter2@host/games",
    "postgresql://me:#hunter2@host/games",
    "postgresql://me:hunter2#@host/games",
    "postgresql://me:hunter2@x@host/games",
    "postgresql://me:@hunter2@host/games",
    "postgresql://me:hunter2/x@host/games",
    "postgresql://me:/hunter2@host/games",
    "postgresql://me:hunter2?x@host/games",
    "postgresql://me:?hunter2@host/games",
    "postgresql://me:%zzhunter2@host/games",
    "postgresql://me:hunter2%@host/games",
    "postgresql://me:hunter2%00@host/games",
    "postgresql://me:hunter2 x@host/games",
    "postgresql://me:7hunter2/games",
    "postgresql://me:hunter2\n@host/games",
    " postgresql://me:hunter2@host/games",
    "postgresql:/me:hunter2@host/games",
    "postgresql:me:hunter2@host/games",
    "mysql://me:hunter2@host/games",
    "sqlite:///hunter2",
    "https://me:hunter2@host/games",
    "host=host user=me password=hunter2 dbname=games",
    "dbname=games password=hunter2",
    "password=hunter2",
    "PASSWORD = 'hunter2' host = x",
    "service=hunter2",
    f"postgresql://{'a,' * 5000}hunter2%",
)


@pytest.mark.parametrize(("address", "shown"), READABLE.items())
def test_a_readable_address_loses_its_password_only(address: str, shown: str) -> None:
    assert is_address(address)
    assert str(parse_database(address)) == shown
    assert parse_database(address).url == address
    found = parse_contest(f"{address}#my-contest")
    assert (found.database.url, found.contest, str(found)) == (address, "my-contest", f"{shown}#my-contest")


@pytest.mark.parametrize("address", UNREADABLE)
def test_an_unreadable_address_is_refused_and_never_shown(address: str) -> None:
    assert is_address(address)
    for text in (address, f"{address}#contest"):
        assert "hunter2" not in without_password(text)
        for parse in (parse_database, parse_contest):
            with pytest.raises(ContestError, match="is not the address of a PostgreSQL database") as refused:
                parse(text)
            assert "hunter2" not in str(refused.value)
            assert "%40" in str(refused.value)


@pytest.mark.parametrize("folder", ["runs/demo", ".", "/tmp/a:b", "a=b", "postgres", "my host/run", "run password"])
def test_a_folder_is_not_an_address(folder: str) -> None:
    assert not is_address(folder)


@pytest.mark.parametrize("address", UNREADABLE[::4])
def test_no_command_shows_it(bourre: Bourre, address: str, tmp_path: Path) -> None:
    contest = tmp_path / "contest.toml"
    contest.write_text('[contest]\nname = "x"\n[[bots]]\nname = "a"\ncommand = ["true"]\n', encoding="utf-8")
    commands = (
        ("standings", address),
        ("view", address),
        ("verify", address),
        ("run", str(contest), "--db", address, "--out", str(tmp_path / "out")),
        ("ladder", "init", str(tmp_path / "league"), str(contest), "--db", address),
        ("ladder", "board", address),
    )
    for command in commands:
        done = bourre(*command)
        assert done.code == 2, command
        assert "hunter2" not in done.out + done.err, command
