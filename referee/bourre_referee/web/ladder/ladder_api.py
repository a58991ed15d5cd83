"""The public addresses of a ladder's API, as `/openapi.json` describes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import TypeAdapter
from starlette.responses import Response

from bourre_referee.ladder.matchmaking.waiting_reasons import ExpectedWait, expected_wait, explain
from bourre_referee.web.cached_answers import AnswerCache
from bourre_referee.web.ladder import ladder_documents as documents
from bourre_referee.web.ladder.bot_view import BotDocument, bot_view
from bourre_referee.web.ladder.epoch_views import EpochViews
from bourre_referee.web.ladder.ladder_reader import LadderReader
from bourre_referee.web.ladder.ladder_routes import BotPath, check_joined
from bourre_referee.web.page_links import ALL, MatchChoice

JSON = "application/json"


class LadderApi:
    """Answers with documents made from a ladder."""

    def __init__(self, reader: LadderReader, views: EpochViews) -> None:
        self._answers = AnswerCache()
        self._reader = reader
        self._views = views

    def router(self) -> APIRouter:
        """Returns a router for these addresses."""
        router = APIRouter()
        for path, answer, model in (
            ("/api/board", self.board, documents.BoardDocument),
            ("/api/bots/{bot}", self.bot, BotDocument),
            ("/api/bots/{bot}/meeting/{other}", self.meeting, ExpectedWait),
            ("/api/epochs", self.epochs, documents.EpochsDocument),
            ("/api/log", self.log, documents.LogDocument),
            ("/api/waiting", self.waiting, documents.WaitingDocument),
        ):
            router.add_api_route(path, answer, response_model=model, summary=(answer.__doc__ or "").rstrip("."))
        return router

    def board(self, request: Request) -> Response:
        """The board, and the rooms in play."""
        now = self._reader.board()
        return self._give(request, now.tag, lambda: documents.board_document(now.board))

    def bot(self, request: Request, bot: BotPath) -> Response:
        """A bot: its versions, their last games, head-to-head, and its present place."""
        board = self._reader.board_if_any()
        with self._reader.now() as now:
            check_joined(now.state, bot)
            tag = f"{now.tag}-{board.tag if board else ''}"
            shown = board.board if board else None
            return self._give(request, tag, lambda: bot_view(now, shown, bot), model=BotDocument)

    def meeting(self, request: Request, bot: BotPath, other: BotPath) -> Response:
        """The average number of rooms until two bots meet, or the reason why it is unknown."""
        with self._reader.now() as now:
            for name in (bot, other):
                check_joined(now.state, name)
            return self._give(request, now.tag, lambda: expected_wait(now.state, bot, other))

    def epochs(self, request: Request) -> Response:
        """All epochs, with commitments, digests and revealed seeds."""
        with self._reader.now() as now:
            return self._give(request, now.tag, lambda: documents.EpochsDocument(tuple(self._views.all(now))))

    def log(self, request: Request, page: Annotated[int, Query(ge=1, le=10**9)] = 1) -> Response:
        """The acts of hosts and owners, newest first, a page at a time."""
        with self._reader.now() as now:
            found = documents.log_document(now, page)
            return self._give(request, now.tag, lambda: found, MatchChoice(page=page))

    def waiting(self, request: Request) -> Response:
        """Every bot's place in turn, and the reason why it does not play."""
        with self._reader.now() as now:
            bots = [bot for bot, entrant in now.state.bots.items() if not entrant.retired]
            return self._give(
                request, now.tag, lambda: documents.WaitingDocument({bot: explain(now.state, bot) for bot in bots})
            )

    def _give(
        self, request: Request, tag: str, make: Callable[[], Any], choice: MatchChoice = ALL, model: type | None = None
    ) -> Response:
        def text() -> str:
            document = make()
            return TypeAdapter[Any](model or type(document)).dump_json(document).decode()

        return self._answers.respond(request, tag, text, JSON, choice)
