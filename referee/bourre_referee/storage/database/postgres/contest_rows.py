"""The rows for the contests of a database, with a count of each contest's changes."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, delete, update
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import and_, col, select

from bourre_referee.model.errors import ContestError, LeadLost, NoContest
from bourre_referee.storage.database.postgres.database_address import ContestAddress
from bourre_referee.storage.database.run_session import RunSession
from bourre_referee.storage.database.schema import TABLES, ContestRow, LineRow

SHOWN = 10
"""The most names of contests in a message."""


class Lead(NamedTuple):
    """The lead of a contest."""

    contest: int
    leader: int
    """The number of the leader. Each take-over increments it, which invalidates earlier leaders."""
    changes: int
    """The number of transactions that had changed the contest when the lead was taken."""


def enter_contest(connection: Connection, name: str) -> None:
    """Gives the contest of this name a row, if it has none yet."""
    new = insert(ContestRow).values(name=name, commitment="", leader=0, changes=0)
    connection.execute(new.on_conflict_do_nothing(index_elements=[col(ContestRow.name)]))


def check_no_ladder(connection: Connection, address: ContestAddress) -> None:
    """Raises ContestError if a ladder has the name of this contest."""
    lines = select(col(LineRow.place)).join(ContestRow, col(ContestRow.id) == col(LineRow.contest))
    if connection.execute(lines.where(ContestRow.name == address.contest).limit(1)).first():
        raise ContestError(f"{address}: a ladder of the database has this name.\nhint: rename the contest")


def find_contest(connection: Connection, address: ContestAddress) -> int:
    """Returns the id of a contest. Raises ContestError, which lists others, if there is none."""
    found = connection.execute(select(col(ContestRow.id)).where(ContestRow.name == address.contest)).scalar()
    if found is None:
        names = list(connection.execute(select(col(ContestRow.name)).order_by(col(ContestRow.name))).scalars())
        there = f"but {', '.join(names[:SHOWN])}" if names else "and none at all"
        more = f" and {len(names) - SHOWN} others" if len(names) > SHOWN else ""
        raise NoContest(f"{address}: the database has no contest of this name, {there}{more}")
    return int(found)


def take_lead(connection: Connection, contest: int) -> Lead:
    """Increments the number of the contest's leader."""
    raised = update(ContestRow).where(col(ContestRow.id) == contest).values(leader=ContestRow.leader + 1)
    leader, changes = connection.execute(raised.returning(col(ContestRow.leader), col(ContestRow.changes))).one()
    return Lead(contest, leader, changes)


def begin_change(session: RunSession, address: ContestAddress, leader: int) -> int:
    """Begins a transaction of this leader, and returns its number. Raises LeadLost if another has taken over.

    A take-over waits for the end of the transaction, because both change the same row.
    """
    led = and_(col(ContestRow.id) == session.contest, col(ContestRow.leader) == leader)
    changed = update(ContestRow).where(led).values(changes=ContestRow.changes + 1)
    number = session.execute(changed.returning(col(ContestRow.changes))).scalar()
    if number is None:
        raise LeadLost(
            f"{address}: another referee leads this contest now. What this one played since then is not stored, so "
            "you can end it."
        )
    return int(number)


def clear_contest(session: RunSession) -> None:
    """Removes everything of a contest except its name."""
    for table in reversed(TABLES):
        if "contest" in table.columns:
            session.execute(delete(table).where(table.columns["contest"] == session.contest))
    set_commitment(session, "")


def set_commitment(session: RunSession, commitment: str) -> None:
    """Ties the contest to the commitment to its seed; empty before the seed is drawn."""
    session.execute(update(ContestRow).where(col(ContestRow.id) == session.contest).values(commitment=commitment))
