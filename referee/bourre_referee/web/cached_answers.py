"""Answers with an ETag: pages cached for each state of a run, and static files held in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from bourre_referee.web.page_links import ALL, MatchChoice
from bourre_referee.web.viewer import SCRIPT, STYLE

MOST_BYTES = 16 * 2**20
"""The most bytes of all cached texts. Pages are small, but the replay of a long match is not."""
HTML = "text/html"


class AnswerCache:
    """Caches the newest texts. It is thread-safe."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._lock = Lock()
        self._texts: dict[tuple[str, str, MatchChoice], bytes] = {}

    def respond(
        self,
        request: Request,
        tag: str,
        make: Callable[[], str | bytes],
        media_type: str = HTML,
        choice: MatchChoice = ALL,
    ) -> Response:
        """Returns the answer to the request in the state that has this tag.

        `choice` is the part of the query that matters. Other parameters do not create separate entries.
        """
        if unchanged := not_modified(request, tag):
            return unchanged
        key = (tag, request.url.path, choice)
        text = self._texts.get(key)
        if text is None:
            made = make()
            text = made if isinstance(made, bytes) else made.encode()
            self._store(key, text)
        return Response(text, 200, tag_headers(tag), media_type)

    def _store(self, key: tuple[str, str, MatchChoice], text: bytes) -> None:
        with self._lock:
            self._texts[key] = text
            # The oldest entries belong to older states, so they are dropped first.
            while sum(map(len, self._texts.values())) > self._most:
                del self._texts[next(iter(self._texts))]


def not_modified(request: Request, tag: str) -> Response | None:
    """Returns `304 Not Modified` if the client already has this state, otherwise None."""
    header = request.headers.get("if-none-match", "")
    seen = {each.strip().removeprefix("W/") for each in header.split(",")}
    if f'"{tag}"' in seen or "*" in seen:
        return Response(status_code=304, headers=tag_headers(tag))
    return None


def tag_headers(tag: str) -> Mapping[str, str]:
    """Returns the ETag header, a weak one because the answer may be compressed."""
    return {"ETag": f'W/"{tag}"', "Cache-Control": "no-cache"}


STATIC = Path(__file__).parent / "static"

MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".txt": "text/plain"}


@dataclass(frozen=True, slots=True)
class StaticFiles:
    """Answers `/static/...` from memory, so that no address reaches the disk."""

    texts: Mapping[str, bytes]

    async def answer(self, request: Request, name: str) -> Response:
        """Returns the file with this name."""
        if name not in self.texts:
            raise HTTPException(404)
        text = self.texts[name]
        tag = sha256(text).hexdigest()[:16]
        media_type = MEDIA_TYPES[Path(name).suffix]
        return not_modified(request, tag) or Response(text, 200, tag_headers(tag), media_type)


def read_static_files() -> StaticFiles:
    """Reads the files of all pages into memory."""
    texts = {file.name: file.read_bytes() for file in STATIC.iterdir() if file.suffix in MEDIA_TYPES}
    return StaticFiles(texts | {file.name: file.read().encode() for file in (STYLE, SCRIPT)})
