"""Takes a seat for an agent, at a referee or at a practice table in this process."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from threading import Thread
from typing import ClassVar

from bourre.bot import Bot
from bourre.bot_code.bot_file import find, load
from bourre.bot_code.example_folders import shipped_folders
from bourre.connection.channel import Tls
from bourre.connection.client import play
from bourre.practice import PracticeResult, practice
from bourre.rules.cards import Card
from bourre.rules.errors import BourreError
from bourre.rules.events import Event
from bourre.rules.house import HouseRules
from bourre.rules.view import View
from bourre_seats.question_queue.desk import Desk
from bourre_seats.question_queue.desk_bot import DeskBot, bot_for
from bourre_seats.question_queue.question import AnswerError, Reply


class AgentSeating:
    """The agent's present seat."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._game: asyncio.Task[None] | None = None

    def join(self, address: str, token: str, tls: Tls | None = None) -> None:
        """Takes the seat of this token at the referee at this address; raises AnswerError."""
        self._begin(self._play(address, token, tls), f"Connecting to the referee at {address}.")

    def practise(self, against: Sequence[str], deals: int, preset: str, seed: int) -> None:
        """Plays a match here against these examples; raises AnswerError, or InvalidHouse for an unknown preset."""
        house = HouseRules.preset(preset)
        house.check_seats(len(against) + 1)
        status = f"You practise against {', '.join(against)} by the preset {preset}."
        self._begin(self._practise(_examples(against), deals, house, seed), status)

    async def ended(self) -> None:
        """Waits until the game is over."""
        if self._game is not None:
            await asyncio.wait([self._game])

    async def leave(self) -> None:
        """Leaves the table. The referee handles a match that is not over."""
        if self._game is not None:
            self._game.cancel()
            self.desk.end("The agent has left.")
            await asyncio.wait([self._game])

    def _begin(self, game: Coroutine[object, object, str], status: str) -> None:
        if self._game is not None and not self._game.done():
            game.close()
            raise AnswerError(f"You have a seat already. {self.desk.status} Call look.")
        self.desk.begin(status)
        self._game = asyncio.create_task(self._follow(game))

    async def _follow(self, game: Awaitable[str]) -> None:
        """Waits for a game and reports its end."""
        try:
            self.desk.end(await game)
        except BourreError as error:
            self.desk.end(f"The game is over: {error}")
        except Exception as error:
            self.desk.end(f"The game broke off: {type(error).__name__}: {error}")
            raise

    async def _play(self, address: str, token: str, tls: Tls | None) -> str:
        await play(bot_for(self.desk), address, token, tls=tls, watch=self.desk.follow)
        return f"The referee said goodbye. {self.desk.status}"

    async def _practise(self, bots: Mapping[str, type[Bot]], deals: int, house: HouseRules, seed: int) -> str:
        agent = practice_bot_for(self.desk, asyncio.get_running_loop())
        seats = {"you": agent, **bots}
        result = await _in_daemon(lambda: practice(seats, deals=deals, seed=seed, house=house, strict=False))
        chips = ", ".join(f"{row.bot} {row.chips:+d}" for row in result.bots)
        return f"Practice is over. Chips: {chips}."


async def _in_daemon(work: Callable[[], PracticeResult]) -> PracticeResult:
    """Runs this in a thread that does not keep the program alive, unlike the threads of asyncio."""
    done: Future[PracticeResult] = Future()
    done.set_running_or_notify_cancel()  # it cannot be cancelled: the thread always reports its end

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # also the CancelledError of an agent that has left
            done.set_exception(error)

    Thread(target=run, name="bourre practice table", daemon=True).start()
    ended = asyncio.wrap_future(done)
    try:
        return await asyncio.shield(ended)
    finally:
        await asyncio.wait([ended])  # an agent that left: until then, the thread still calls this event loop


def _examples(names: Sequence[str]) -> dict[str, type[Bot]]:
    """Loads these examples by a name for each seat, and no other file; raises AnswerError."""
    seats: dict[str, type[Bot]] = {}
    for name in names:
        if not re.fullmatch("[a-z_]+", name):
            raise AnswerError(f"Unknown example {name!r}. Use tight, random, counter, drawer or monte_carlo.")
        seats[f"{name} {len(seats) + 2}" if name in seats else name] = load(find(name, tuple(shipped_folders())))
    return seats


class PracticeAgent(DeskBot):
    """One match of practice."""

    loop: ClassVar[asyncio.AbstractEventLoop]
    """The event loop of the desk."""

    def _write_down(self, event: Event, words: str) -> None:
        """Writes to the log in the desk's thread, which also reads it."""
        self.loop.call_soon_threadsafe(self._log.hear, event, words)

    async def _reach_desk(self, view: View, reneged: Card | None) -> Reply:
        reply = self.desk.ask(view, self._log, reneged)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(reply, self.loop))


def practice_bot_for(desk: Desk, loop: asyncio.AbstractEventLoop) -> type[PracticeAgent]:
    """Returns a class of bots with answers from this desk. `loop` is the desk's event loop."""
    return type("agent", (PracticeAgent,), {"desk": desk, "loop": loop})
