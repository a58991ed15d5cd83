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
from bourre_referee.web.page_lookup import Refused
from bourre_referee.web.render import Pages

MENDS = {
    404: "follow the links from the standings; only finished matches are shown",
    405: "use GET: nothing can be changed here",
    500: "try again; the server's operator finds the reason in its output",
    503: "the page comes back when the run is repaired",
}


@dataclass(frozen=True, slots=True)
class Teller:
    """Answers for the application when something goes wrong."""

    pages: Pages

    def listen(self, app: FastAPI) -> None:
        """Register the handlers of all errors."""
        app.add_exception_handler(HTTPException, self._refused)
        app.add_exception_handler(RequestValidationError, self._not_understood)
        app.add_exception_handler(BourreError, self._unreadable)
        app.add_exception_handler(Exception, self._failed)

    async def _refused(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        what = error.detail if isinstance(error, Refused) else _words(error.status_code)
        mend = error.mend if isinstance(error, Refused) else MENDS.get(error.status_code, "")
        return self._answer(request, error.status_code, what, mend, error.headers)

    async def _not_understood(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        return self._answer(request, 400, f"{where}: {first['msg']}", "the addresses are described in /openapi.json")

    async def _unreadable(self, request: Request, error: Exception) -> Response:
        return self._answer(request, 503, str(error), MENDS[503], {"Retry-After": "5"})

    async def _failed(self, request: Request, error: Exception) -> Response:
        return self._answer(request, 500, "the server failed", MENDS[500])

    def _answer(
        self, request: Request, status: int, what: str, mend: str, headers: Mapping[str, str] | None = None
    ) -> Response:
        known = {"Cache-Control": "no-store", **(headers or {})}
        path = request.url.path
        if path == "/api" or path.startswith("/api/") or path == "/openapi.json":
            problem = Problem(title=_words(status), status=status, detail=what, mend=mend)
            return JSONResponse(problem.model_dump(), status, known, "application/problem+json")
        said = what if ":" in what else _begun(what)  # before a colon is a name, of a folder or in a query
        return HTMLResponse(self.pages.problem(_words(status), f"{said}. {_begun(mend)}."), status, known)


def _begun(sentence: str) -> str:
    return f"{sentence[:1].upper()}{sentence[1:]}"


def _words(status: int) -> str:
    return HTTPStatus(status).phrase
