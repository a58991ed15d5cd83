"""Adds a marked version to a student's history: the same files again are the same version."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bourre_referee.evaluation.grade.plan.term_section import TimeSource
from bourre_referee.evaluation.grade.record.marks_record import EarlierMark, Version

_TRUST: dict[TimeSource, int] = {"unknown": 0, "first seen": 0, "course system": 1, "staff": 2}
_NAMED = ("staff", "course system")


def with_version(versions: Sequence[Version], new: Version) -> tuple[Version, ...]:
    """Returns the history with this version. The same files again, without others in between, update their entry.

    So do older files for which staff or the course system now name the time, or the same time again.
    """
    place = _place(versions, new)
    if place is None:
        return (*versions, new)
    return (*versions[:place], _updated(versions[place], new), *versions[place + 1 :])


def is_known(versions: Sequence[Version], digest: str) -> bool:
    """Returns whether these files have a mark, so that another one costs nothing of a day's limit."""
    return any(one.digest == digest and one.items for one in versions)


def marked_on(versions: Sequence[Version], now: datetime) -> int:
    """Returns how many versions were first marked on the day of `now`, in its time zone."""
    moments = [moment.astimezone(now.tzinfo) for one in versions if (moment := one.first_marked)]
    return sum(moment.date() == now.date() for moment in moments)


def _place(versions: Sequence[Version], new: Version) -> int | None:
    """Returns the number of the entry to update."""
    last = len(versions) - 1
    if versions and (new.digest in (versions[last].digest, "") or not (versions[last].digest or versions[last].items)):
        return last
    meant = [
        number
        for number, one in enumerate(versions)
        if one.digest == new.digest and (one.time_from not in _NAMED or one.handed_in == new.handed_in)
    ]
    return meant[-1] if meant and new.time_from in _NAMED else None


def _updated(old: Version, new: Version) -> Version:
    handed_in, time_from = _time(old, new)
    if old.items and not new.items:  # this machine failed: the earlier mark stays
        return old.model_copy(update={"failure": new.failure, "handed_in": handed_in, "time_from": time_from})
    earlier, marked = old.earlier, new.marked
    if (old.items, old.plan) == (new.items, new.plan):
        marked = old.marked
    elif old.items:
        earlier = (*earlier, EarlierMark(marked=old.marked, plan=old.plan, points=old.points, of=old.of))
    told = {"handed_in": handed_in, "time_from": time_from, "marked": marked, "earlier": earlier}
    return new.model_copy(update=told)


def _time(old: Version, new: Version) -> tuple[datetime | None, TimeSource]:
    """Returns the time by the most trusted source. Files that were handed in twice keep the first."""
    more = _TRUST[new.time_from] - _TRUST[old.time_from]
    if more > 0 or (more == 0 and new.time_from == "staff"):
        return new.handed_in, new.time_from
    if more == 0 and new.time_from == "course system" and new.handed_in and old.handed_in:
        return min(new.handed_in, old.handed_in), new.time_from
    return old.handed_in, old.time_from
