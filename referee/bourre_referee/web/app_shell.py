"""The common parts of the applications for a run and a ladder: middleware, static files and error reports.

An error is a page for people and a document for programs, never a traceback.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

from bourre.rules.errors import BourreError
from bourre_referee.web.api.api_models import Problem
from bourre_referee.web.cached_answers import read_static_files
from bourre_referee.web.cached_run import NotRevealed
from bourre_referee.web.http_guard import Guard
from bourre_referee.web.live_updates import LiveUpdates
from bourre_referee.web.page_lookup import RefusedRequest
from bourre_referee.web.render import Pages

Answer = Callable[..., Any]


def page_router(pages: Mapping[str, Answer], forms: Mapping[str, Answer] | None = None) -> APIRouter:
    """Returns a router for these addresses, which the API description leaves out. Forms are sent with POST."""
    router = APIRouter(include_in_schema=False)
    for method, answers in (("GET", pages), ("POST", forms or {})):
        for path, answer in answers.items():
            router.add_api_route(path, answer, methods=[method], response_model=None)
    return router


@dataclass(frozen=True, slots=True)
class Application:
    """The parts that a server needs to run the application."""

    app: Guard
    live: LiveUpdates
    end: Callable[[], None]
    """Disconnects all clients that listen for changes."""


def build_app(
    routers: Iterable[APIRouter],
    pages: Pages,
    live: LiveUpdates,
    lifespan: Callable[[FastAPI], AbstractAsyncContextManager[None]],
    title: str = "",
) -> FastAPI:
    """Builds the application of these routers. With a title, it describes its own API at `/openapi.json`."""
    app = FastAPI(
        title=title,
        openapi_url="/openapi.json" if title else None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        middleware=[Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)],
    )
    shared = page_router({"/live": live.stream, "/static/{name}": read_static_files().answer, "/health": _say_ok})
    for router in (*routers, shared):
        app.include_router(router)
    ErrorHandlers(pages).register(app)
    return app


def _say_ok() -> Response:
    """Answers a probe of the server, without a look at the run."""
    return PlainTextResponse("ok\n", headers={"Cache-Control": "no-store"})


HINTS = {
    404: "follow the links from the standings, which show only finished matches",
    405: "use GET, or the method in /openapi.json",
    500: "try again, or ask the server's operator for the reason in its output",
    503: "the page returns when the run has been repaired",
}


@dataclass(frozen=True, slots=True)
class ErrorHandlers:
    """Answers failed requests."""

    pages: Pages

    def register(self, app: FastAPI) -> None:
        """Registers the handlers for all errors."""
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
        what, _, own_hint = what.partition("\nhint: ")
        what, hint = what.removesuffix("."), own_hint or hint
        all_headers = {"Cache-Control": "no-store", **(headers or {})}
        path = request.url.path.removeprefix(request.scope.get("root_path", ""))  # an epoch lies below its ladder
        if path == "/api" or path.startswith("/api/") or path == "/openapi.json":
            problem = Problem(title=_phrase(status), status=status, detail=what, mend=hint)
            return JSONResponse(problem.model_dump(), status, all_headers, "application/problem+json")
        text = what if ":" in what else _capitalize(what)  # a name, of a folder or a parameter, precedes the colon
        page = self.pages.render("problem.html", heading=_phrase(status), text=f"{text}. {_capitalize(hint)}.")
        return HTMLResponse(page, status, all_headers)


def _capitalize(sentence: str) -> str:
    return f"{sentence[:1].upper()}{sentence[1:]}"


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase
