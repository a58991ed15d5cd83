"""Whether every row belongs to a seat of its match, and the seats of a match are numbered from 0."""

from __future__ import annotations

from sqlmodel import Session, and_, col, exists, func, or_, select

from bourre_referee.storage.schema import FaultRow, RenegeRow, SeatRow


def strange_seat(session: Session) -> str | None:
    """Where the first row is of a seat that its match does not have; None where there is none."""
    number, seat = col(SeatRow.number), col(SeatRow.seat)
    gaps = or_(func.min(seat) != 0, func.max(seat) != func.count() - 1)
    if numbered := session.exec(select(number, func.count()).group_by(number).having(gaps)).first():
        return f"table seat, number {numbered[0]}: its {numbered[1]} seats are not numbered from 0"
    for row in (RenegeRow, FaultRow):
        at_table = exists().where(and_(number == row.number, seat == row.seat))
        if found := session.exec(select(row.number, row.seat).where(~at_table)).first():
            return f"table {row.__tablename__}, number {found[0]}: there is no seat {found[1]} in that match"
    return None
