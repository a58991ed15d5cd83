"""The information for a waiting bot: its place, the reason, and its expected meetings."""

from __future__ import annotations

from dataclasses import dataclass

from bourre_referee.ladder.log.entrant import LadderEntrant
from bourre_referee.ladder.log.events import LadderOpened
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.log.waiting_list import LEAD, WaitingList
from bourre_referee.ladder.matchmaking.next_room import opened


@dataclass(frozen=True, slots=True)
class QueueStatus:
    """The status of a bot."""

    reason: str
    """Why it does not play now, or the room in which it plays."""
    place: int | None = None
    """Its place in the queue, starting at 1; None if it does not wait."""
    of: int | None = None
    """The number of bots in its clock class that wait for the same kind of room."""


def explain(state: LadderState, bot: str) -> QueueStatus:
    """Returns the status of a bot. Raises KeyError if it never joined."""
    entrant = state.bots[bot]
    if (reason := _stopped(entrant)) is not None:
        return QueueStatus(reason)
    waiting = state.lists[entrant.joined.clock_class]
    if entrant.probation:
        place = list(waiting.probation).index(bot) + 1
        return QueueStatus(_why_no_probation(waiting), place, len(waiting.probation))
    place = [other.bot for other in waiting].index(bot) + 1
    return QueueStatus(_why_no_room(entrant, waiting, opened(state)), place, len(waiting))


def _stopped(entrant: LadderEntrant) -> str | None:
    """Returns why a bot does not wait; None if it does."""
    if entrant.retired:
        return "it has retired"
    if entrant.benched is not None:
        return f"{'it was suspended' if entrant.benched_by == 'ladder' else 'the host suspended it'}: {entrant.benched}"
    if entrant.paused:
        return "the host paused it" if "host" in entrant.paused_by else "its owner paused it"
    if entrant.room is not None:
        return f"it is in room {entrant.room}"
    if not entrant.present:
        return "it plays when the ladder is served" if entrant.joined.hosted else _away(entrant)
    return None


def _away(entrant: LadderEntrant) -> str:
    if entrant.left is not None:
        return f"it left before room {entrant.left} began"
    return "it is not connected, or has come and gone too often"


def _why_no_probation(waiting: WaitingList) -> str:
    return "its probation room begins when a table is free" if waiting.staff else "its probation needs a reference bot"


def _why_no_room(entrant: LadderEntrant, waiting: WaitingList, terms: LadderOpened) -> str:
    if waiting.must_rest(entrant):
        why = "its last room took long" if entrant.left is None else _away(entrant)
        return f"{why}, so the others play first"
    if missing := terms.seats - _seatable(waiting, terms):
        return f"it waits for {missing} more {_bots(missing, terms)}"
    if entrant.turns >= waiting.floor + LEAD and (behind := waiting.stragglers()):
        return f"it has played more than a bot in room {behind[0].room}, which must end first"
    return "it plays when its turn comes and a table is free"


def _seatable(waiting: WaitingList, terms: LadderOpened) -> int:
    """Counts the waiting bots that could sit at one table; at most a table."""
    if not terms.owners_apart:
        return min(len(waiting), terms.seats)
    owners: set[str | int] = set()
    for bot in waiting:
        owners.add(bot.number if bot.joined.staff else bot.joined.owner)
        if len(owners) == terms.seats:
            break
    return len(owners)


def _bots(count: int, terms: LadderOpened) -> str:
    noun = "bot" if count == 1 else "bots"
    other = "another owner" if count == 1 else "other owners"
    return f"{noun} of {other}" if terms.owners_apart else noun


@dataclass(frozen=True, slots=True)
class ExpectedWait:
    """The expected wait until two bots meet."""

    rooms: float | None
    """The rated rooms of their clock class from one meeting to the next; None if unknown."""
    reason: str
    """Why it is unknown; empty if it is known."""


def expected_wait(state: LadderState, bot: str, other: str) -> ExpectedWait:
    """Predicts the wait between meetings, if the active bots stay. Raises KeyError for a bot that never joined.

    From a random moment, the average wait is 0.8 to 0.95 times as many rooms (`research/ladder.md`). Divide it by the
    rooms that the class pairs in an hour to get the time.
    """
    pair = state.bots[bot], state.bots[other]
    reason = _why_never(*pair, opened(state)) or _why_not_now(*pair, state)
    return ExpectedWait(None, reason) if reason else ExpectedWait(_rooms(*pair, state), "")


def _why_never(one: LadderEntrant, other: LadderEntrant, terms: LadderOpened) -> str:
    if one is other:
        return "a bot does not meet itself"
    if one.joined.clock_class != other.joined.clock_class:
        return f"{one.bot} and {other.bot} play in different clock classes"
    staff = one.joined.staff or other.joined.staff
    if terms.owners_apart and not staff and one.joined.owner == other.joined.owner:
        return f"{one.bot} and {other.bot} have the same owner, whose bots do not meet"
    return ""


def _why_not_now(one: LadderEntrant, other: LadderEntrant, state: LadderState) -> str:
    for entrant in (one, other):
        if not entrant.is_active:
            return f"{entrant.bot} is not active"
        if entrant.probation:
            return f"{entrant.bot} has not passed its probation room"
    missing = opened(state).seats - _active(one, state)
    noun = "bot" if missing == 1 else "bots"
    return f"{missing} more {noun} must be active to fill a table" if missing > 0 else ""


def _active(entrant: LadderEntrant, state: LadderState) -> int:
    return state.lists[entrant.joined.clock_class].opponents(entrant, owners_apart=False) + 1


def _rooms(one: LadderEntrant, other: LadderEntrant, state: LadderState) -> float:
    """Returns the rooms between meetings, if rooms seat all bots, and all opponents of each, equally often."""
    terms, waiting = opened(state), state.lists[one.joined.clock_class]
    opponents = sum(waiting.opponents(entrant, terms.owners_apart) for entrant in (one, other)) / 2
    return _active(one, state) * opponents / (terms.seats * (terms.seats - 1))
