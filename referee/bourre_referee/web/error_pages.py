"""Report errors: a page for people, a document for programs, never a traceback."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response

from bourre.rules.errors import BourreError
from bourre_referee.web.api.api_models import Problem
from bourre_referee.web.cached_run import NotRevealed
from bourre_referee.web.page_lookup import RefusedRequest
from bourre_referee.web.render import Pages

HINTS = {
    404: "follow the links from the standings; only finished matches are shown",
    405: "use GET, or the method that /openapi.json names",
    500: "try again; the server's operator can find the reason in its output",
    503: "the page returns when the run has been repaired",
}


@dataclass(frozen=True, slots=True)
class ErrorHandlers:
    """Answers requests that fail."""

    pages: Pages

    def register(self, app: FastAPI) -> None:
        """Register the handlers for all errors."""
        app.add_exception_handler(HTTPException, self._answer_http_error)
        app.add_exception_handler(RequestValidationError, self._answer_invalid_request)
        app.add_exception_handler(BourreError, self._answer_unreadable_run)
        app.add_exception_handler(NotRevealed, self._answer_not_revealed)
        app.add_exception_handler(Exception, self._answer_failure)

    async def _answer_http_error(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        what = error.detail if isinstance(error, RefusedRequest) else _phrase(error.status_code)
        hint = error.hint if isinstance(error, RefusedRequest) else HINTS.get(error.status_code, "")
        return self._answer(request, error.status_code, what, hint, error.headers)

    async def _answer_invalid_request(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        return self._answer(request, 400, f"{where}: {first['msg']}", "the addresses are described in /openapi.json")

    async def _answer_unreadable_run(self, request: Request, error: Exception) -> Response:
        return self._answer(request, 503, str(error), HINTS[503], {"Retry-After": "5"})

    async def _answer_not_revealed(self, request: Request, error: Exception) -> Response:
        return self._answer(request, 403, str(error), "its host reveals it when the last match is stored")

    async def _answer_failure(self, request: Request, error: Exception) -> Response:
        return self._answer(request, 500, "the server failed", HINTS[500])

    def _answer(
        self, request: Request, status: int, what: str, hint: str, headers: Mapping[str, str] | None = None
    ) -> Response:
        all_headers = {"Cache-Control": "no-store", **(headers or {})}
        path = request.url.path.removeprefix(request.scope.get("root_path", ""))  # of an epoch, below its ladder
        if path == "/api" or path.startswith("/api/") or path == "/openapi.json":
            problem = Problem(title=_phrase(status), status=status, detail=what, mend=hint)
            return JSONResponse(problem.model_dump(), status, all_headers, "application/problem+json")
        text = what if ":" in what else _capitalize(what)  # a name, of a folder or a parameter, precedes the colon
        return HTMLResponse(self.pages.problem(_phrase(status), f"{text}. {_capitalize(hint)}."), status, all_headers)


def _capitalize(sentence: str) -> str:
    return f"{sentence[:1].upper()}{sentence[1:]}"


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase
