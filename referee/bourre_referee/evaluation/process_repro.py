"""Asks a bot that is a command for recorded decisions again, in any language, in its own process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bourre.messages import Answer, Ask, Seating
from bourre.practice.recorded_mistakes import objection_to
from bourre.practice.repro import Repetition, Reproduction
from bourre.record import Header, RecordedAsk
from bourre.rules.actions import Choice, Fault, Missing, Recall
from bourre_referee.evaluation.bot_source import BotCommand, clock_of, entrants_of
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import BotEntry, Isolation, Level, MatchSpec, PlacedRoom
from bourre_referee.runner.interrupt import until_signal
from bourre_referee.server.bot_pool import BotPool
from bourre_referee.storage.run.start_failures import read_start_failure

_ROOM, _TABLE, _DAY = "repro", 1, 24 * 3600.0
_Said = tuple[Choice | Missing, Recall | None]


def reproduce_by_process(
    command: BotCommand, folder: Path, name: str, header: Header, asks: Sequence[RecordedAsk]
) -> tuple[Reproduction, str]:
    """Repeats these questions to this bot in order, as `practice.repro.reproduce` does, and returns its output.

    Raises ContestError if the bot does not start, and KeyboardInterrupt.
    """
    (entrant,) = entrants_of({name: command}, folder)
    entry = entrant.entry(folder)
    with TemporaryDirectory(prefix="bourre-repro-") as place:
        logs = Path(place)
        try:
            said = asyncio.run(until_signal(_ask(_room_of(entry, header, logs), header, asks)))
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None
        except OSError as error:
            raise ContestError(f"Cannot start {command.name}: {error}") from error
        if not said:
            raise ContestError(f"{command.name} never started: {read_start_failure(logs, name, _ROOM)}")
        log = logs / name / f"{_ROOM}.log"
        printed = log.read_text("utf-8", "replace") if log.exists() else ""
    repeated = [_repetition(ask, *answer) for ask, answer in zip(asks, said, strict=True)]
    otherwise = next((one for one in repeated[:-1] if not one.same), None)
    return Reproduction(repeated[-1], otherwise), printed


def _room_of(entry: BotEntry, header: Header, logs: Path) -> PlacedRoom:
    """Returns a room of this bot alone, with a day for each decision and the bot's recorded seed."""
    match = MatchSpec(header.match, header.bots, header.house, header.deals, header.seed)
    return PlacedRoom(
        room=_ROOM,
        entries=(entry,),
        matches=(match,),
        tables=1,
        clock=clock_of(_DAY),
        max_faults=1,
        logs=logs,
        isolation=Isolation(Level.NONE),
    )


def _repetition(ask: RecordedAsk, action: Choice | Missing, recall: Recall | None) -> Repetition:
    _, why = objection_to(action, recall, ask.view)
    if isinstance(action, Missing):
        return Repetition(ask, (), None, why or f"{ask.view.decision} raised an error, which it printed")
    return Repetition(ask, (action,) if recall is None else (action, recall), None, why or "")


async def _ask(spec: PlacedRoom, header: Header, asks: Sequence[RecordedAsk]) -> list[_Said]:
    """Returns the answers to these questions, or none if the bot does not say hello."""
    answers = _BotAnswers()
    pool = BotPool(spec, answers)
    (connection,) = pool.connections.values()
    async with pool.run_bots():
        await pool.assemble()
        if pool.absent:
            return []
        pool.cpu_guard.begin(connection.bot)
        seat = asks[0].view.seat
        connection.seat(Seating(_TABLE, header.match, seat, len(header.bots), header.deals, header.house))
        hears = connection.hello is not None and connection.hello.events
        said = []
        for number, ask in enumerate(asks, start=1):
            left = connection.left(_TABLE)
            events = ask.events if hears else ()
            connection.ask(Ask(_TABLE, number, ask.view, int(left.bank_ms), events, int(left.match_ms)))
            said.append(await answers.next())
        pool.dismiss()
        await pool.exit_status(connection.bot)
    return said


class _BotAnswers:
    """Keeps the answers of the one bot. Once it is gone, all answers are missing (see Listener)."""

    def __init__(self) -> None:
        self._came: asyncio.Queue[_Said] = asyncio.Queue()
        self._gone: Fault | None = None
        self._error: Exception | None = None

    async def next(self) -> _Said:
        """Waits for the next answer. Raises an error of the referee itself."""
        if self._gone and self._came.empty():
            return Missing(self._gone), None
        said = await self._came.get()
        if self._error:
            raise self._error
        return said

    def answered(self, bot: str, table: int, action: Choice | Missing, recall: Recall | None = None) -> None:
        """Keeps an awaited answer."""
        self._came.put_nowait((action, recall))

    def remarked(self, bot: str, answer: Answer) -> None:
        """Ignores notes, because those of the record are shown."""

    def unasked(self, bot: str, answer: Answer) -> None:
        """Ignores an unrequested answer, as a referee does."""

    def late(self, bot: str, ask: Ask, allowed_ms: float) -> None:
        """Does nothing, because the missing answer comes next."""

    def stalled(self, bot: str, table: int) -> None:
        """Ends the wait for a bot that took a whole day."""
        self._leave(Fault.STALLED)

    def overloaded(self, bot: str, starved_ms: float, allowed_ms: float) -> None:
        """Ends the wait, as for any late answer."""
        self._leave(Fault.LATE)

    def lost(self, bot: str) -> None:
        """Ends the wait for a bot that is gone."""
        self._leave(Fault.CRASHED)

    def cut_off(self, bot: str) -> None:
        """Ends the wait for a bot that sends far too many answers."""
        self._leave(Fault.OVER_LIMIT)

    def failed(self, error: Exception) -> None:
        """Keeps an error of the referee itself."""
        self._error = error
        self._leave(Fault.ERROR)

    def _leave(self, fault: Fault) -> None:
        self._gone = self._gone or fault
        self._came.put_nowait((Missing(fault), None))
