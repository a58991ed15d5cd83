"""One bot never paces the others: a slow, a flapping, a challenging and an absent bot cost honest bots little."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from ladder_simulation import Setting, Simulation

from bourre_referee.ladder.host.ladder_file import Quotas
from bourre_referee.ladder.host.pacing import Arrivals
from bourre_referee.ladder.log.events import (
    BotJoined,
    BotLeft,
    ChallengeAsked,
    ChallengesWelcomed,
    Event,
    RoomFinished,
    RoomPaired,
    RoomVoided,
)
from bourre_referee.ladder.matchmaking.next_room import RoomChoice
from bourre_referee.model.listener_spec import AWAY_SECONDS

SECONDS = 1.5
"""How long a usual room lasts: the unit of simulated time."""
UNTIL = 400.0
HONEST = 12
CHALLENGES = Quotas().challenges_per_day
FLAPPING, CHALLENGING, ABSENT = "flapping-1", "challenging-2", "absent-3"


class Beside(Simulation):
    """Twelve honest bots of six owners, a slow one, and three that behave badly in other ways."""

    def let_in(self) -> None:
        """Lets the bad bots in; three honest owners welcome all challenges."""
        self._arrivals, self._asked = Arrivals(), 0
        for bot in (FLAPPING, CHALLENGING, ABSENT):
            self._note(BotJoined(bot, 1, "1", f"owner of {bot}", "class-0"))
        for owner in range(3):
            self._note(ChallengesWelcomed(f"owner {owner}", True))
        self._come(CHALLENGING)
        self._flap()
        self._return()
        self._ask()

    def _come(self, bot: str) -> None:
        """Comes, and is there if the host logs it."""
        now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.now * SECONDS)
        if self._arrivals.admit(bot, now):
            self._arrive(bot)

    def _flap(self) -> None:
        """Comes and goes twice a second."""
        if self.state.bots[FLAPPING].present:
            self._note(BotLeft(FLAPPING))
        else:
            self._come(FLAPPING)
        self._plan(0.25 / SECONDS, self._flap)

    def _return(self) -> None:
        """Comes back as soon as the room that it left is given back."""
        if not self.state.bots[ABSENT].present and self.state.bots[ABSENT].room is None:
            self._come(ABSENT)
        self._plan(0.25 / SECONDS, self._return)

    def _ask(self) -> None:
        """Asks for the same challenge again and again, as often as the quota lets it."""
        owner, others = f"owner of {CHALLENGING}", [f"class-0-bot-{number}" for number in (0, 2, 4)]
        if self._asked < CHALLENGES and not self.state.challenges.excess(owner):
            self._asked += 1
            self._note(ChallengeAsked(owner, (CHALLENGING, *others)))
        self._plan(0.15 / SECONDS, self._ask)

    def _pair_all(self) -> None:
        challenge = self.state.challenges.next(self.state.bots, self.state.lists.values())
        if challenge and self._free["class-0"]:
            room = self._occupy(challenge.line_up, asked_by=challenge.owner)
            self._release(1.0, RoomFinished(room, 1, 1000, (100,) * len(challenge.line_up)))
        super()._pair_all()

    def _begin(self, found: RoomChoice, clock_class: str) -> None:
        """Begins a room; that with a bot which leaves now is given back."""
        if left := tuple(bot for bot in (FLAPPING, ABSENT) if bot in found.line_up):
            room = self._occupy(found.line_up, rated=found.rated)
            for bot in left:
                self._note(BotLeft(bot))
            self._release(AWAY_SECONDS / SECONDS, RoomVoided(room, "left before it began", left))
        else:
            super()._begin(found, clock_class)

    def _occupy(self, line_up: tuple[str, ...], *, rated: bool = False, asked_by: str = "") -> int:
        room = self.state.rooms_paired + 1
        self._note(RoomPaired(room, line_up, rated, asked_by))
        self._free["class-0"] -= 1
        return room

    def _release(self, after: float, ended: Event) -> None:
        def end() -> None:
            self._note(ended)
            self._free["class-0"] += 1

        self._plan(after, end)


def honest_seats(log: list[Event]) -> int:
    """How many seats honest bots had in rated rooms that were finished."""
    rated = {event.room: event.line_up for event in log if isinstance(event, RoomPaired) and event.rated}
    honest = {f"class-0-bot-{number}" for number in range(HONEST)}
    ended = (rated[event.room] for event in log if isinstance(event, RoomFinished) and event.room in rated)
    return sum(bot in honest for line_up in ended for bot in line_up)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 10))])
def test_honest_bots_play_four_fifths_of_what_they_play_alone(seed: int) -> None:
    """In ten simulated minutes, beside a bot that makes a room last 20 times as long, and three others."""
    alone: list[Event] = []
    Simulation(Setting(seats=4, always=HONEST, workers=2, bots_per_owner=2), Random(seed), alone.append).run(UNTIL)
    beside: list[Event] = []
    slow = Setting(seats=4, always=HONEST + 1, slow=1, workers=2, bots_per_owner=2)
    simulation = Beside(slow, Random(seed), beside.append)
    simulation.let_in()
    simulation.run(UNTIL)
    assert honest_seats(beside) >= 0.8 * honest_seats(alone)
