"""Answers made of the state of a run: once for all who ask, and not at all for those who have them already."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock

from fastapi import Request
from starlette.responses import Response

MOST_TEXTS = 200
HTML = "text/html"


class Answers:
    """Keeps the texts that were made last. Used by many threads."""

    def __init__(self, most: int = MOST_TEXTS) -> None:
        self._most = most
        self._changing = Lock()
        self._texts: dict[tuple[str, str], str] = {}

    def give(self, request: Request, tag: str, make: Callable[[], str], media_type: str = HTML) -> Response:
        """What is at the address that was asked for, in the state of this tag."""
        known = tagged(request, tag)
        if known:
            return known
        address = f"{request.url.path}?{request.url.query}"
        text = self._texts.get((tag, address))
        if text is None:
            text = make()
            self._keep((tag, address), text)
        return Response(text, 200, tag_headers(tag), media_type)

    def _keep(self, key: tuple[str, str], text: str) -> None:
        with self._changing:
            self._texts[key] = text
            while len(self._texts) > self._most:  # what was made first goes first, and so the older state
                del self._texts[next(iter(self._texts))]


def tagged(request: Request, tag: str) -> Response | None:
    """The answer to who has what this state shows; None: it must be made."""
    asked = request.headers.get("if-none-match", "")
    known = {each.strip().removeprefix("W/") for each in asked.split(",")}
    if f'"{tag}"' in known or "*" in known:
        return Response(status_code=304, headers=tag_headers(tag))
    return None


def tag_headers(tag: str) -> Mapping[str, str]:
    """By which the answer is known; weak, since it may be compressed."""
    return {"ETag": f'W/"{tag}"', "Cache-Control": "no-cache"}
