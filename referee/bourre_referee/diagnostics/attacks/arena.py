"""The place of all attacks: one referee that plays them in turn, and its state after its first rooms."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from bourre_referee.diagnostics.attacks.attack_referee import Referee
from bourre_referee.diagnostics.attacks.attack_room import honest_room, names, prepare, room, verdict_of
from bourre_referee.diagnostics.attacks.attempt import Attempt
from bourre_referee.diagnostics.attacks.honest_process import HonestProcess
from bourre_referee.model.spec import Isolation

START_SECONDS = 120.0


class Arena:
    """Plays honest rooms first, so that later measurements of memory start from a warmed-up process."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with self._stack as stack:
            place, temporary = (Path(stack.enter_context(TemporaryDirectory(prefix="bourre-"))) for _ in range(2))
            honest_bots = stack.enter_context(HonestProcess())
            self._referee = stack.enter_context(Referee(temporary, honest_bots))
            stack.push(honest_bots.give_up)
            prepare(place, names()[0])
            honest = honest_room(place)
            self.first = self._referee.play(honest, honest, 0, START_SECONDS)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *raised: object) -> None:
        self._stack.__exit__(*raised)  # type: ignore[arg-type]

    def renew(self) -> None:
        """Starts another referee, after the last one died or was given up."""
        self._stack.close()
        self.__enter__()

    def attempt(self, name: str, isolation: Isolation, place: Path, seconds: float) -> Attempt:
        """Plays a hostile bot's room, then an honest one, in this new folder.

        Raises EOFError or OSError if the referee died, and TimeoutError if it is not done after these seconds.
        """
        verdict = verdict_of(name, isolation.level)
        prepare(place, name)
        hostile = room(place, isolation, verdict)
        aftermath = self._referee.play(hostile, honest_room(place), self.first.handles, seconds)
        return Attempt(name, isolation.level, verdict, place, aftermath)
