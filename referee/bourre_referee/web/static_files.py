"""The files that go with the pages, held in memory: few, small, and no path leads from an address to the disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from bourre_referee.web.cached_answers import tag_headers, tagged
from bourre_referee.web.viewer import SCRIPT, STYLE

FOLDER = Path(__file__).parent / "static"

KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".txt": "text/plain"}


@dataclass(frozen=True, slots=True)
class StaticFiles:
    """The address `/static/...`."""

    files: Mapping[str, Path]
    texts: Mapping[str, bytes]

    async def answer(self, request: Request, name: str) -> Response:
        """The file of this name."""
        if name not in self.texts:
            raise HTTPException(404)
        text = self.texts[name]
        tag = sha256(text).hexdigest()[:16]
        made = Response(text, 200, tag_headers(tag), KINDS[self.files[name].suffix])
        return tagged(request, tag) or made


def static_files(files: Iterable[Path] = (*FOLDER.iterdir(), STYLE, SCRIPT)) -> StaticFiles:
    """These files, read once."""
    known = {file.name: file for file in files if file.suffix in KINDS}
    return StaticFiles(known, {name: file.read_bytes() for name, file in known.items()})
