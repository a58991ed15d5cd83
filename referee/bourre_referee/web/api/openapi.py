"""The addresses of the API, and the OpenAPI document that describes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.responses import HTMLResponse, JSONResponse, Response

from bourre_referee.web.api import api_models as models
from bourre_referee.web.api.api_routes import LINES, Api
from bourre_referee.web.cached_run import CachedRun
from bourre_referee.web.render import Pages

PROBLEM = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Address:
    """An address of the API."""

    path: str
    answer: Callable[..., Response]
    model: type[BaseModel] | None
    """The model of its document. None if it answers with a record."""

    @property
    def operation(self) -> str:
        """Returns its name for programs."""
        return self.answer.__name__

    @property
    def summary(self) -> str:
        """Returns a description of its document."""
        return (self.answer.__doc__ or "").rstrip(".")


def addresses(api: Api) -> tuple[Address, ...]:
    """Lists all addresses."""
    return (
        Address("/api/run", api.run, models.ApiRun),
        Address("/api/standings", api.standings, models.ApiStandings),
        Address("/api/stats", api.stats, models.Stats),
        Address("/api/bots", api.bots, models.Bots),
        Address("/api/bots/{number}", api.bot, models.ApiBot),
        Address("/api/matches", api.matches, models.Matches),
        Address("/api/matches/{match}", api.match, models.ApiMatch),
        Address("/api/matches/{match}/record", api.record, None),
        Address("/api/matches/{match}/deals/{deal}", api.deal, models.ApiDeal),
        Address("/api/voids", api.voids, models.Voids),
    )


def api_router(cached: CachedRun, pages: Pages) -> APIRouter:
    """Returns a router for these addresses, and for their descriptions for people and programs."""
    router = APIRouter()
    for address in addresses(Api(cached)):
        _add_route(router, address)
    routes = [route for route in router.routes if isinstance(route, APIRoute)]
    description = document(routes, pages.links.prefix)
    page = pages.render("api.html", routes=routes)
    router.add_api_route(
        "/openapi.json", lambda: JSONResponse(description), include_in_schema=False, response_model=None
    )
    router.add_api_route("/api", lambda: HTMLResponse(page), include_in_schema=False, response_model=None)
    return router


def _add_route(router: APIRouter, address: Address) -> None:
    router.add_api_route(
        address.path,
        address.answer,
        operation_id=address.operation,
        summary=address.summary,
        response_model=None,
        responses={200: _success(address), 304: {"description": "Not modified: you already have it"}, **_problems()},
    )


def document(routes: Sequence[APIRoute], prefix: str = "") -> dict[str, Any]:
    """Returns the OpenAPI document of addresses that follow this prefix."""
    schema = get_openapi(
        title="A Bourré contest",
        version=version("bourre"),
        summary="Standings, matches and records of one run so far",
        routes=routes,
        servers=[{"url": prefix}] if prefix else None,
    )
    own = schema.get("components", {}).get("schemas", {})
    schema["components"] = {"schemas": {**own, **_schemas()}}
    return schema


def _success(address: Address) -> dict[str, Any]:
    if address.model is None:
        return {"description": address.summary, "content": {LINES: {"schema": {"type": "string"}}}}
    return {"description": address.summary, "content": {"application/json": {"schema": _reference(address.model)}}}


def _problems() -> dict[int | str, dict[str, Any]]:
    content = {PROBLEM: {"schema": _reference(models.Problem)}}
    return {
        "4XX": {"description": "The request cannot be answered", "content": content},
        "5XX": {"description": "The run cannot be read", "content": content},
    }


def _reference(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{model.__name__}"}


def _schemas() -> dict[str, Any]:
    shown = [value for value in vars(models).values() if isinstance(value, type) and issubclass(value, models.ApiPart)]
    _, schema = models_json_schema(
        [(model, "serialization") for model in shown if model is not models.ApiPart],
        ref_template="#/components/schemas/{model}",
    )
    definitions: dict[str, Any] = schema["$defs"]
    return definitions
