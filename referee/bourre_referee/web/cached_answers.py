"""Cache answers made from the state of a run, and skip those that the browser already has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock

from fastapi import Request
from starlette.responses import Response

from bourre_referee.web.page_links import ALL, Choice

MOST_BYTES = 16 * 2**20
"""The most bytes of all texts together; pages are small, but the replay of a long match is not."""
HTML = "text/html"


class Answers:
    """Caches the newest texts; thread-safe."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._changing = Lock()
        self._texts: dict[tuple[str, str, Choice], bytes] = {}

    def give(
        self, request: Request, tag: str, make: Callable[[], str], media_type: str = HTML, choice: Choice = ALL
    ) -> Response:
        """Return the answer to the request, in the state of this tag.

        `choice` is the part of the query that matters; other parameters cause no separate entry.
        """
        known = tagged(request, tag)
        if known:
            return known
        key = (tag, request.url.path, choice)
        text = self._texts.get(key)
        if text is None:
            text = make().encode()
            self._keep(key, text)
        return Response(text, 200, tag_headers(tag), media_type)

    def _keep(self, key: tuple[str, str, Choice], text: bytes) -> None:
        with self._changing:
            self._texts[key] = text
            # The oldest entry goes first, which belongs to the older state.
            while sum(map(len, self._texts.values())) > self._most:
                del self._texts[next(iter(self._texts))]


def tagged(request: Request, tag: str) -> Response | None:
    """Return `not modified` if the client already has this state; None: the answer must be made."""
    asked = request.headers.get("if-none-match", "")
    known = {each.strip().removeprefix("W/") for each in asked.split(",")}
    if f'"{tag}"' in known or "*" in known:
        return Response(status_code=304, headers=tag_headers(tag))
    return None


def tag_headers(tag: str) -> Mapping[str, str]:
    """Return the ETag header, a weak one because the answer may be compressed."""
    return {"ETag": f'W/"{tag}"', "Cache-Control": "no-cache"}
