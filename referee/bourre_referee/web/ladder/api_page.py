"""The page that lists the addresses of a ladder's API, for people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.responses import HTMLResponse, Response

from bourre_referee.web.ladder.ladder_pages import LadderPages


@dataclass(frozen=True, slots=True)
class ApiAddress:
    """An address and what it does."""

    method: str
    path: str
    summary: str


def api_page(pages: LadderPages, routers: list[APIRouter]) -> APIRouter:
    """Returns a router for the page that lists the addresses of these routers."""
    page = pages.api(list(_addresses(routers)))
    router = APIRouter(include_in_schema=False)

    def api() -> Response:
        """Lists the addresses of the API."""
        return HTMLResponse(page)

    router.add_api_route("/api", api, response_model=None)
    return router


def _addresses(routers: list[APIRouter]) -> Iterator[ApiAddress]:
    for router in routers:
        for route in router.routes:
            if isinstance(route, APIRoute):
                yield ApiAddress(" ".join(sorted(route.methods or ())), route.path, route.summary or "")
