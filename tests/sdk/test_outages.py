"""A bot whose referee goes away: how long it dials, what it says, and when it gives up. All in simulated time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import grpc
import grpc.aio
import pytest

from bourre import codec
from bourre.bot import Bot
from bourre.connection import client
from bourre.connection.channel import TlsError
from bourre.connection.client import ClientRefused
from bourre.messages import Bundle, Hello, Welcome
from bourre.v1.referee_pb2 import BotMessage, RefereeMessage
from tests import simulated_time

HOUR = 3600.0
WELCOME = Bundle(welcome=Welcome("alice", "ladder", 1000, 2000, stays=True))
GOODBYE = Bundle(goodbye="the ladder is over")
DOWN = (grpc.StatusCode.UNAVAILABLE, "connection refused")


class Referee:
    """Takes each call as it is at that time: up, with what it sends and after how long the stream ends; or down."""

    def __init__(self, answer: Callable[[float], Stream]) -> None:
        self._answer = answer
        self.calls: list[float] = []
        """When the bot dialled."""

    def __call__(self, *, wait_for_ready: bool) -> Stream:
        now = asyncio.get_running_loop().time()
        self.calls.append(now)
        return self._answer(now)

    async def play(self) -> None:
        """Plays a bot there."""
        method = cast(client.Method, self)
        await client._Connection(method, Hello("token"), Bot, False).play(30.0)


class Stream:
    """One call of Play: these bundles come, then after some seconds the end."""

    def __init__(
        self, *bundles: Bundle, seconds: float = 0.0, ends: tuple[grpc.StatusCode, str] = (grpc.StatusCode.OK, "")
    ) -> None:
        self._bundles = list(bundles)
        self._seconds = seconds
        self._ends = ends
        self._done = False

    async def write(self, message: BotMessage) -> None:
        """Takes what the bot says."""

    async def read(self) -> RefereeMessage | Any:
        """The next message."""
        if self._bundles:
            return codec.bundle_to_wire(self._bundles.pop(0))
        await asyncio.sleep(self._seconds)
        return self._fail()

    def _fail(self) -> Any:
        self._done = True
        if self._ends[0] is grpc.StatusCode.OK:
            return grpc.aio.EOF
        raise grpc.aio.AioRpcError(self._ends[0], grpc.aio.Metadata(), grpc.aio.Metadata(), self._ends[1])

    def done(self) -> bool:
        """Whether it has ended."""
        return self._done

    async def code(self) -> grpc.StatusCode:
        """How it ended."""
        return self._ends[0]

    async def details(self) -> str:
        """The words for that."""
        return self._ends[1]

    def cancel(self) -> None:
        """Hangs up."""


def outage(since: float, until: float, meanwhile: Callable[[], Stream]) -> Callable[[float], Stream]:
    """A ladder that is away for a while, and over soon after."""

    def answer(now: float) -> Stream:
        if now < since:
            return Stream(WELCOME, seconds=since - now, ends=DOWN)
        return meanwhile() if now < until else Stream(WELCOME, GOODBYE)

    return answer


def down() -> Stream:
    return Stream(ends=DOWN)


def refused() -> Stream:
    return Stream(Bundle(refusal="alice is already connected: a token opens one connection at a time"))


@pytest.mark.parametrize(
    "meanwhile",
    [
        down,
        lambda: Stream(seconds=10**9, ends=DOWN),
        lambda: Stream(ends=(grpc.StatusCode.INTERNAL, "a proxy's own words")),
        lambda: Stream(ends=(grpc.StatusCode.UNAVAILABLE, "certificate has expired")),
    ],
    ids=["nobody listens", "nobody answers", "another server answers", "its certificate has expired"],
)
def test_a_bot_of_a_ladder_dials_through_a_day_without_it(meanwhile: Callable[[], Stream]) -> None:
    referee = Referee(outage(100, 24 * HOUR, meanwhile))
    simulated_time.run(referee.play())
    gaps = [later - earlier for earlier, later in zip(referee.calls, referee.calls[1:], strict=False)]
    assert 24 * HOUR <= referee.calls[-1] < 24 * HOUR + 45
    assert max(gaps[1:]) < 45  # seconds; for most of this it may wait for an answer
    assert len(gaps) < 24 * HOUR / 6


def test_a_bot_that_lost_its_ladder_says_so_once(capsys: pytest.CaptureFixture[str]) -> None:
    simulated_time.run(Referee(outage(100, HOUR, down)).play())
    assert capsys.readouterr().err == (
        "bourre: The connection broke (unavailable connection refused). Dialling until the referee is back.\n"
    )


def test_a_bot_says_once_why_it_cannot_reach_its_ladder(capsys: pytest.CaptureFixture[str]) -> None:
    expired = (grpc.StatusCode.UNAVAILABLE, "certificate has expired")
    simulated_time.run(Referee(outage(100, HOUR, lambda: Stream(ends=expired))).play())
    assert capsys.readouterr().err.splitlines()[1:] == [
        "bourre: Still dialling, because the referee cannot be reached: its certificate has expired. "
        "hint: ask the organiser to renew it"
    ]


def test_a_bot_that_never_reached_its_referee_heeds_a_wrong_certificate() -> None:
    referee = Referee(lambda _: Stream(ends=(grpc.StatusCode.UNAVAILABLE, "certificate has expired")))
    with pytest.raises(TlsError):
        simulated_time.run(referee.play())
    assert len(referee.calls) == 1


def test_bots_that_lost_their_ladder_together_come_back_one_by_one() -> None:
    backs = set()
    for _ in range(20):
        referee = Referee(outage(100, HOUR, down))
        simulated_time.run(referee.play())
        backs.add(round(referee.calls[-1], 1))
    assert len(backs) > 5


def test_a_ladder_that_is_often_restarted_finds_its_bots_at_once() -> None:
    """A bot that waits answers nothing; a connection that lasted is enough to begin with short pauses again."""

    def answer(now: float) -> Stream:
        return Stream(WELCOME, seconds=60, ends=DOWN) if now < HOUR else Stream(WELCOME, GOODBYE)

    referee = Referee(answer)
    simulated_time.run(referee.play())
    assert referee.calls == [60.0 * number for number in range(61)]


def test_a_ladder_that_lets_bots_in_and_breaks_is_not_dialled_without_a_pause() -> None:
    def answer(now: float) -> Stream:
        return Stream(WELCOME, ends=DOWN) if now < HOUR else Stream(WELCOME, GOODBYE)

    referee = Referee(answer)
    simulated_time.run(referee.play())
    assert len(referee.calls) < HOUR / 6


def test_who_is_refused_for_long_after_the_connection_broke_gives_up() -> None:
    """Its lost connection may count as open for a minute and the time for a decision (3 s here)."""
    referee = Referee(outage(100, HOUR, refused))
    with pytest.raises(ClientRefused, match="already connected"):
        simulated_time.run(referee.play())
    assert 100 + 63 - 12.8 <= referee.calls[-1] <= 100 + 63


def test_who_is_refused_before_the_ladder_goes_away_asks_again_when_it_is_back() -> None:
    def answer(now: float) -> Stream:
        if now < 100:
            return Stream(WELCOME, seconds=100 - now, ends=DOWN)
        if now < 110:
            return refused()
        return down() if now < HOUR else Stream(WELCOME, GOODBYE)

    referee = Referee(answer)
    simulated_time.run(referee.play())
    assert referee.calls[-1] >= HOUR


def test_who_is_refused_first_or_in_the_middle_gives_up_at_once() -> None:
    first = Referee(lambda _: refused())
    middle = Referee(lambda _: Stream(WELCOME, Bundle(refusal="the token of alice was revoked")))
    for referee in (first, middle):
        with pytest.raises(ClientRefused):
            simulated_time.run(referee.play())
        assert len(referee.calls) == 1


def test_what_the_referee_tells_a_bot_s_author_is_in_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    notice = Bundle(notice="you are 3rd of 12 on the board\n\x1b[2J")
    simulated_time.run(Referee(lambda _: Stream(WELCOME, notice, GOODBYE)).play())
    assert capsys.readouterr().err == "bourre: you are 3rd of 12 on the board  [2J\n"
