"""Reads what a client sent, up to a length."""

from __future__ import annotations

from fastapi import Request

from bourre_referee.web.page_lookup import RefusedRequest


async def read_body(request: Request, longest: int) -> bytes:
    """Returns the body of a request; raises RefusedRequest as soon as it is longer than so many bytes."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > longest:
            raise RefusedRequest(413, f"this is longer than {longest:,} bytes", "send less")
    return bytes(body)
