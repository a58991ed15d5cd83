"""A bot that needs only gRPC and generated code, like the pseudocode in docs/protocol.md; it reports every message."""

from __future__ import annotations

from collections.abc import Callable

import grpc
import grpc.aio

from bourre.v1 import game_pb2 as game
from bourre.v1 import referee_pb2 as wire
from bourre.v1.referee_pb2_grpc import RefereeStub

Tell = Callable[[wire.BotMessage | wire.RefereeMessage], None]


async def play(address: str, token: str, tell: Tell) -> None:
    """Plays from hello to goodbye, and reports every message of either side."""
    async with grpc.aio.insecure_channel(address) as channel:
        call = RefereeStub(channel).Play()
        bot = RawBot()
        said = wire.BotMessage(
            hello=wire.Hello(protocol=1, token=token, client="raw 1", forced_plays=True, events=True)
        )
        while True:
            tell(said)
            await call.write(said)
            heard = await _next_with_asks(call, tell)
            if heard is None:
                return
            said = wire.BotMessage(answers=[bot.answer(ask) for ask in heard.asks])


async def _next_with_asks(call: grpc.aio.StreamStreamCall, tell: Tell) -> wire.RefereeMessage | None:  # type: ignore[type-arg]
    """Returns the next message with asks, or None after the goodbye."""
    while True:
        heard = await call.read()
        if not isinstance(heard, wire.RefereeMessage):
            raise ConnectionError("the stream ended without a goodbye")
        tell(heard)
        if heard.HasField("goodbye"):
            return None
        if heard.asks:
            return heard


class RawBot:
    """A bot that plays with any trump, plays its lowest card, and makes one mistake on purpose."""

    def __init__(self) -> None:
        self._reneged = False

    def answer(self, ask: wire.Ask) -> wire.Answer:
        """Returns the answer to an ask."""
        view, answer = ask.view, wire.Answer(table=ask.table, id=ask.id)
        hand, legal = view.hand.split(), view.legal.split()
        match ask.decision:
            case game.DECISION_DECLARE:
                answer.plays = any(card.endswith(view.trump) for card in hand)
                if answer.plays and ask.view.max_discards:
                    answer.discards = self._weak(view)
            case game.DECISION_DRAW:
                answer.discards = self._weak(view)
            case game.DECISION_PLAY:
                forbidden = [card for card in hand if card not in legal]
                answer.card = forbidden[0] if forbidden and not self._reneged else legal[0]
                self._reneged |= bool(forbidden)
        return answer

    def _weak(self, view: game.View) -> str:
        cards = [card for card in view.legal.split() if not card.endswith(view.trump)]
        return " ".join(cards[: view.max_discards])
