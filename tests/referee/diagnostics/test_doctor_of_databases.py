"""`bourre doctor --db`: whether a PostgreSQL database can hold contests, and what to mend."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from bourre_referee.diagnostics.doctor import server_checks
from bourre_referee.storage.database.postgres.database_address import parse_database
from bourre_referee.storage.database.postgres.server_facts import ServerFacts, read_facts
from bourre_referee.storage.run.ladder_database import ladder_in
from tests.postgres_server import PostgresServer
from tests.referee.command import called

GOOD = ServerFacts(
    version=150_004,
    encoding="UTF8",
    read_only=False,
    standby=False,
    durable=True,
    encrypted=False,
    local=True,
    may_create=True,
    most_connections=100,
    connections=5,
    may_change=True,
    clock_ahead_s=0.1,
    answer_s=0.0004,
    same_session=True,
    tables="none",
)


def test_a_new_database_is_read_and_left_as_it_was(postgres: PostgresServer) -> None:
    url = postgres.create_database("examined")
    ended = called("doctor", "--db", url, "--json")
    document = json.loads(ended.out)
    checks = {check["check"]: check for check in document["checks"]}
    assert (ended.code, document["playable"], document["database"]) == (0, True, url)
    assert "none yet" in checks["tables"]["told"]
    assert [name for name, check in checks.items() if not check["ok"]] == ["durability"]  # the tests' server is quick
    assert "fsync" in checks["durability"]["mend"]
    with psycopg.connect(url) as connection:
        assert connection.execute(
            "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
        ).fetchone() == (0,)


def test_a_user_without_rights_and_another_encoding_are_told(postgres: PostgresServer) -> None:
    url = postgres.create_database("narrow", "ENCODING SQL_ASCII LOCALE 'C' TEMPLATE template0")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS reader")
        connection.execute("CREATE ROLE reader LOGIN")
    ended = called("doctor", "--db", url.replace("postgres@", "reader@"))
    assert ended.code == 1
    lines = ended.out.splitlines()
    assert any(line.startswith("MISSING encoding        SQL_ASCII") for line in lines)
    assert any(line.startswith("MISSING writing         this user may not make tables") for line in lines)
    assert lines[-1].endswith("/narrow cannot hold contests: fix the checks marked MISSING")


def test_a_server_that_is_gone_or_an_address_that_is_none_is_told_without_the_password() -> None:
    ended = called("doctor", "--db", "postgresql://me:hunter2@127.0.0.1:1/db")
    assert ended.code == 1
    assert "MISSING connection" in ended.out
    assert "hunter2" not in ended.out + ended.err
    assert called("doctor", "--db", "runs/demo").code == 2
    assert called("doctor", "--db", "postgresql://me@host/db", "--attack").code == 2


@pytest.mark.parametrize(
    ("changed", "check", "told"),
    [
        ({"version": 140_009}, "version", "PostgreSQL 14.9"),
        ({"standby": True}, "writing", "the server takes no changes"),
        ({"tables": "current", "may_change": False}, "writing", "this user may not change the tables"),
        ({"same_session": False}, "session", "a pooler shares sessions, so a lead cannot be kept"),
        ({"connections": 95}, "connections", "5 of 100 are free"),
        ({"local": False}, "encryption", "seeds travel in plain text"),
        ({"clock_ahead_s": -70.0}, "clock", "70.0 s from this machine's"),
        ({"answer_s": 0.05}, "connection", "50.0 ms for an answer"),
    ],
)
def test_each_property_is_judged(
    changed: dict[str, Any], check: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = replace(GOOD, **changed)
    monkeypatch.setattr(server_checks, "read_facts", lambda address: facts)
    report = server_checks.examine_database("postgresql://me@host/db")
    (finding,) = [finding for finding in report.findings if not finding.ok]
    assert (finding.check, finding.told, bool(finding.mend)) == (check, told, True)
    assert report.playable is not finding.needed


def test_the_tables_of_a_ladder_are_found_and_whether_a_user_may_change_them(postgres: PostgresServer) -> None:
    address = parse_database(postgres.create_database("held"))
    ladder_in(address, "class").begin()
    with psycopg.connect(address.url, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS other")
        connection.execute("CREATE ROLE other LOGIN")
        connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO other")
    facts = [read_facts(parse_database(address.url.replace("postgres@", user))) for user in ("postgres@", "other@")]
    assert [(each.tables, each.may_change) for each in facts] == [("current", True), ("current", False)]
