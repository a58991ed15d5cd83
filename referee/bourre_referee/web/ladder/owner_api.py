"""The addresses of a ladder's API for owners, with their key in the Authorization header."""

from __future__ import annotations

from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Header, Path, Query, Request
from pydantic import TypeAdapter, ValidationError
from starlette.responses import JSONResponse, Response

from bourre_referee.ladder.log.ladder_names import LONGEST_TEXT
from bourre_referee.storage.run.bot_zip import LARGEST_ZIP
from bourre_referee.web.ladder.ladder_documents import Done
from bourre_referee.web.ladder.ladder_routes import BotPath
from bourre_referee.web.ladder.owner_acts import OwnerActs
from bourre_referee.web.owner_access import read_body
from bourre_referee.web.page_lookup import RefusedRequest

Bearer = Annotated[str, Header(alias="Authorization", description="`Bearer` and the owner's key")]
ChallengeNumber = Annotated[int, Path(ge=1, le=10**12, description="the number of a challenge")]
LONGEST_LINE_UP = 10_000
_LINE_UP = TypeAdapter(list[str])


class OwnerApi:
    """Does the actions of owners."""

    def __init__(self, acts: OwnerActs) -> None:
        self._acts = acts

    def router(self) -> APIRouter:
        """Returns a router for these addresses."""
        router = APIRouter()
        for path, answer, status in (
            ("/api/bots/{bot}/versions", self.submit, 201),
            ("/api/bots/{bot}/pause", self.pause, 200),
            ("/api/bots/{bot}/resume", self.resume, 200),
            ("/api/challenges", self.challenge, 201),
            ("/api/challenges/welcome", self.welcome, 200),
            ("/api/challenges/ask", self.ask_first, 200),
            ("/api/challenges/{challenge}/accept", self.accept, 200),
            ("/api/challenges/{challenge}/decline", self.decline, 200),
        ):
            summary = (answer.__doc__ or "").rstrip(".")
            router.add_api_route(
                path, answer, methods=["POST"], response_model=Done, status_code=status, summary=summary
            )
        return router

    async def submit(
        self,
        request: Request,
        bot: BotPath,
        authorization: Bearer = "",
        version: Annotated[str | None, Query(max_length=LONGEST_TEXT)] = None,
    ) -> Response:
        """Submits a new version of a hosted bot. The body is a zip of its files, or its only file."""
        owner = await to_thread.run_sync(self._owner, authorization)  # first, so that no stranger sends long bodies
        data = await read_body(request, LARGEST_ZIP)
        joined = await to_thread.run_sync(self._acts.submit, owner, bot, version, data)
        return _done(f"version {joined.number} of {bot} joined", 201)

    def pause(self, bot: BotPath, authorization: Bearer = "") -> Response:
        """Pauses a bot, so that it gets no more rooms."""
        self._acts.pause(self._owner(authorization), bot, paused=True)
        return _done(f"{bot} is paused")

    def resume(self, bot: BotPath, authorization: Bearer = "") -> Response:
        """Ends the pause of a bot."""
        self._acts.pause(self._owner(authorization), bot, paused=False)
        return _done(f"{bot} plays on")

    async def challenge(self, request: Request, authorization: Bearer = "") -> Response:
        """Requests an unrated match. The body is a JSON list of bots, by seat."""
        owner = await to_thread.run_sync(self._owner, authorization)
        try:
            line_up = _LINE_UP.validate_json(await read_body(request, LONGEST_LINE_UP))
        except ValidationError as error:
            raise RefusedRequest(400, "the body is not a list of bots", 'send JSON such as ["ada", "bob"]') from error
        number = await to_thread.run_sync(self._acts.challenge, owner, line_up)
        return _done(f"challenge {number}: {', '.join(line_up)} play once their owners agree and all are free", 201)

    def accept(self, challenge: ChallengeNumber, authorization: Bearer = "") -> Response:
        """Agrees to a challenge of one of your bots."""
        self._acts.answer(self._owner(authorization), challenge, accepted=True)
        return _done(f"you agreed to challenge {challenge}")

    def decline(self, challenge: ChallengeNumber, authorization: Bearer = "") -> Response:
        """Declines a challenge of one of your bots, or withdraws your own."""
        self._acts.answer(self._owner(authorization), challenge, accepted=False)
        return _done(f"challenge {challenge} is off")

    def welcome(self, authorization: Bearer = "") -> Response:
        """Agrees to all challenges of your bots until further notice."""
        self._acts.welcome(self._owner(authorization), welcome=True)
        return _done("you agree to all challenges")

    def ask_first(self, authorization: Bearer = "") -> Response:
        """Asks you for each challenge of your bots again."""
        self._acts.welcome(self._owner(authorization), welcome=False)
        return _done("you are asked for each challenge")

    def _owner(self, authorization: str) -> str:
        scheme, _, key = authorization.partition(" ")
        return self._acts.owner(key.strip() if scheme.lower() == "bearer" else "")


def _done(text: str, status: int = 200) -> Response:
    return JSONResponse({"done": text}, status, {"Cache-Control": "no-store"})
