"""Answers that are known by the state that they show: whoever has the same already is told so, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import Request
from starlette.responses import Response


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
