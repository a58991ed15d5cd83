"""The keys of owners: made from one secret, renewed one by one, and checked."""

from __future__ import annotations

import hmac
import os
from base64 import urlsafe_b64encode
from collections.abc import Callable, Collection, Mapping
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from typing import Annotated
from urllib.parse import parse_qs

from anyio import to_thread
from fastapi import Cookie, Request
from starlette.responses import RedirectResponse, Response

from bourre_referee.model.errors import ContestError
from bourre_referee.model.listener_spec import hash_token
from bourre_referee.storage.run.tokens import TokenFile, Tokens
from bourre_referee.web.app_shell import Answer
from bourre_referee.web.page_lookup import RefusedRequest

SECRET_BYTES = 32

PRINTED = "logs of"
"""The purpose of keys for the output of bots."""


class OwnerKeys:
    """The keys of the owners in one place. They are valid as long as its secret and its file of renewed keys."""

    def __init__(self, secret: bytes, renewed: TokenFile, purpose: str = PRINTED) -> None:
        """`renewed` holds hashes of renewed keys. Keys for one purpose are invalid for another."""
        self._secret = secret
        self._renewed = renewed
        self._purpose = purpose

    @classmethod
    def of_files(cls, secret: Path, renewed: Path, purpose: str = PRINTED) -> OwnerKeys:
        """Reads the secret from its file, which is created if it is missing. Raises ContestError if that fails."""
        without_copy = f"remove it with {secret.name} and give every owner a new key"
        return cls(_read_or_create_secret(secret), TokenFile(renewed, without_copy), purpose)

    def key(self, owner: str) -> str | None:
        """Returns an owner's first key. None once it was renewed, because only a hash of the new one is stored."""
        return None if owner in self._renewed.read().bots else self._first(owner)

    def renew(self, owner: str) -> str:
        """Renews an owner's key and returns it. The old key becomes invalid."""
        with self._renewed.change() as change:
            return change.renew(owner)

    def owner(self, owners: Collection[str], key: str) -> str:
        """Returns the owner of this key. Raises RefusedRequest if there is none."""
        renewed = self._renewed.read()
        found = [owner for owner in owners if self._accepts(renewed, owner, key)]  # all, so that time reveals nothing
        if not found:
            raise RefusedRequest(403, "only the owner may do this", "ask the host for your key")
        return found[0]

    def _first(self, owner: str) -> str:
        digest = hmac.digest(self._secret, f"{self._purpose} {owner}".encode(), sha256)
        return urlsafe_b64encode(digest).rstrip(b"=").decode()

    def _accepts(self, renewed: Tokens, owner: str, key: str) -> bool:
        if stored := renewed.bots.get(owner):
            return hmac.compare_digest(stored, hash_token(key))
        return hmac.compare_digest(self._first(owner).encode(), key.encode())


def _read_or_create_secret(file: Path) -> bytes:
    try:
        try:
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
                new.write(token_bytes(SECRET_BYTES))
        except FileExistsError:
            pass  # so keys from an earlier start stay valid
        secret = file.read_bytes()
    except OSError as error:
        raise ContestError(f"Cannot use {file} ({error.strerror}).\nhint: set its permissions") from error
    if len(secret) < SECRET_BYTES:
        raise ContestError(f"{file} has less than {SECRET_BYTES} bytes.\nhint: remove it to get a new secret")
    return secret


PRIVATE = {"Cache-Control": "no-store"}

LONGEST_FORM = 10_000
"""The most bytes of a form."""

COOKIE = "bourre_owner"
KeyCookie = Annotated[str, Cookie(alias=COOKIE)]


def session_forms(check: Callable[[str], object]) -> dict[str, Answer]:
    """Returns the forms to log in and out by their addresses. `check` raises RefusedRequest for an invalid key."""

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

    return {"/owner": log_in, "/owner/leave": log_out}


def back_to_owner() -> Response:
    """Returns the answer to a form, which leads to the owner's page."""
    return RedirectResponse("/owner", 303, PRIVATE)


async def read_form(request: Request) -> Mapping[str, str]:
    """Returns the fields of a form. Refuses one that another site sent, even from another port of this host."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        raise RefusedRequest(403, "another site sent this form", "use the forms of your own page")
    body = await read_body(request, LONGEST_FORM)
    return {name: values[-1] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}


async def read_body(request: Request, longest: int) -> bytes:
    """Returns the body of a request. Raises RefusedRequest as soon as it is longer than `longest` bytes."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > longest:
            raise RefusedRequest(413, f"this is longer than {longest:,} bytes", "send less")
    return bytes(body)
