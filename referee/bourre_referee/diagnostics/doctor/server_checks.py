"""Checks a PostgreSQL database as the place for contests and ladders: `bourre doctor --db`."""

from __future__ import annotations

from collections.abc import Iterator

from bourre_referee.diagnostics.doctor.host_finding import HostFinding, HostReport
from bourre_referee.model.errors import StoreError
from bourre_referee.storage.database.postgres.database_address import parse_database
from bourre_referee.storage.database.postgres.server_facts import ServerFacts, read_facts

_OLDEST = 15
_SPARE = 10
"""The connections of a referee, its pages and its monitor."""
_CLOCKS_S = 2.0
_SLOW_S = 0.02

_TABLES = {
    "current": "there, of this version",
    "older": "there, of an older version: the next run with --db migrates them",
    "none": "none yet: the first run with --db makes them",
}


def examine_database(url: str) -> HostReport:
    """Checks a database. Raises ContestError if `url` is not an address."""
    address = parse_database(url)
    try:
        facts = read_facts(address)
    except StoreError as error:
        return HostReport((HostFinding.failed("connection", str(error), needed=True),), "", f"{address}")
    return HostReport(tuple(_findings(facts)), "", f"{address}")


def _findings(facts: ServerFacts) -> Iterator[HostFinding]:
    shown = f"{facts.answer_s * 1000:.1f} ms for an answer"
    slow = "" if facts.answer_s <= _SLOW_S else "use a server nearer to the referee: each room needs several answers"
    yield HostFinding("connection", not slow, shown, slow)
    version, old = facts.version // 10_000, f"use PostgreSQL {_OLDEST} or newer"
    yield _needed("version", f"PostgreSQL {version}.{facts.version % 10_000}", "" if version >= _OLDEST else old)
    utf8 = "createdb --encoding=UTF8 --template=template0"
    yield _needed("encoding", facts.encoding, "" if facts.encoding == "UTF8" else utf8)
    yield _needed("writing", *_writing(facts))
    yield _needed("session", *_session(facts))
    yield HostFinding("tables", True, _TABLES[facts.tables])
    free = facts.most_connections - facts.connections
    more = "" if free >= _SPARE else "raise max_connections on the server, or stop other programs"
    yield HostFinding("connections", not more, f"{free} of {facts.most_connections} are free", more)
    lossy = "" if facts.durable else "turn on fsync, full_page_writes and synchronous_commit"
    yield HostFinding("durability", facts.durable, "as configured" if lossy else "changes survive a crash", lossy)
    yield _encryption(facts)
    apart = abs(facts.clock_ahead_s)
    clocks = "" if apart <= _CLOCKS_S else "set both clocks by NTP"
    yield HostFinding("clock", not clocks, f"{apart:.1f} s from this machine's", clocks)


def _writing(facts: ServerFacts) -> tuple[str, str]:
    if facts.standby or facts.read_only:
        return "the server takes no changes", "connect to the primary"
    if facts.tables == "none" and not facts.may_create:
        return "this user may not make tables", "GRANT CREATE ON SCHEMA public TO the user"
    if facts.tables != "none" and not facts.may_change:
        return "this user may not change the tables", "connect as the owner of the tables"
    return "allowed", ""


def _session(facts: ServerFacts) -> tuple[str, str]:
    if facts.same_session:
        return "one for each connection", ""
    return "a pooler shares sessions, so a lead cannot be kept", "connect to the server itself"


def _encryption(facts: ServerFacts) -> HostFinding:
    if facts.encrypted or facts.local:
        return HostFinding("encryption", True, "TLS" if facts.encrypted else "not needed on one machine")
    return HostFinding("encryption", False, "seeds travel in plain text", "add ?sslmode=verify-full to the address")


def _needed(check: str, told: str, mend: str) -> HostFinding:
    return HostFinding(check, not mend, told, mend, needed=True)
