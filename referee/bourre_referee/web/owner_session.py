"""How owners log in on pages: a form takes their key and a cookie holds it, and no address does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated
from urllib.parse import parse_qs

from anyio import to_thread
from fastapi import APIRouter, Cookie, Request
from starlette.responses import RedirectResponse, Response

from bourre_referee.web.page_lookup import RefusedRequest

PRIVATE = {"Cache-Control": "no-store"}

LONGEST_FORM = 10_000
"""The most bytes of a form."""

COOKIE = "bourre_owner"
KeyCookie = Annotated[str, Cookie(alias=COOKIE)]


def add_session(router: APIRouter, check: Callable[[str], object]) -> None:
    """Adds the addresses to log in and out; `check` raises RefusedRequest if a key is nobody's."""

    async def log_in(request: Request) -> Response:
        key = (await read_form(request)).get("key", "").strip()
        await to_thread.run_sync(check, key)
        answer, secure = back_to_owner(), request.headers.get("X-Forwarded-Proto", request.url.scheme) == "https"
        answer.set_cookie(COOKIE, key, path="/owner", secure=secure, httponly=True, samesite="strict")
        return answer

    async def log_out(request: Request) -> Response:
        await read_form(request)
        answer = back_to_owner()
        answer.delete_cookie(COOKIE, path="/owner")
        return answer

    router.add_api_route("/owner", log_in, methods=["POST"], response_model=None)
    router.add_api_route("/owner/leave", log_out, methods=["POST"], response_model=None)


def back_to_owner() -> Response:
    """Returns the answer to a form: look at your own page."""
    return RedirectResponse("/owner", 303, PRIVATE)


async def read_form(request: Request) -> Mapping[str, str]:
    """Returns the fields of a form; refuses one that another site sent, though it be on this host, at another port."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        raise RefusedRequest(403, "another site sent this form", "use the forms of your own page")
    body = await read_body(request, LONGEST_FORM)
    return {name: values[-1] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}


async def read_body(request: Request, longest: int) -> bytes:
    """Returns the body of a request; raises RefusedRequest as soon as it is longer than so many bytes."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > longest:
            raise RefusedRequest(413, f"this is longer than {longest:,} bytes", "send less")
    return bytes(body)
