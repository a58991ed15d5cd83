"""The keys of owners: made from one secret, renewed one by one, and whose a key is."""

from __future__ import annotations

import hmac
import os
from base64 import urlsafe_b64encode
from collections.abc import Collection
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes

from bourre_referee.model.door_spec import hash_token
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.tokens import TokenFile, Tokens
from bourre_referee.web.page_lookup import RefusedRequest

SECRET_BYTES = 32

PRINTED = "logs of"
"""The purpose of keys that open what a bot printed."""


class OwnerKeys:
    """The keys of the owners in one place: they are valid as long as its secret and its file of renewed keys are."""

    def __init__(self, secret: bytes, renewed: TokenFile, purpose: str = PRINTED) -> None:
        """`renewed` holds hashes of renewed keys; keys for one purpose are of no use for another."""
        self._secret = secret
        self._renewed = renewed
        self._purpose = purpose

    @classmethod
    def of_files(cls, secret: Path, renewed: Path, purpose: str = PRINTED) -> OwnerKeys:
        """Reads the secret from its file, made if it is missing; raises ContestError if that fails."""
        without_copy = f"remove it with {secret.name} and give every owner a new key"
        return cls(_read_or_create_secret(secret), TokenFile(renewed, without_copy), purpose)

    def key(self, owner: str) -> str | None:
        """Returns an owner's first key; None once it was renewed, because the new one is stored as a hash only."""
        return None if owner in self._renewed.read().bots else self._first(owner)

    def renew(self, owner: str) -> str:
        """Makes an owner a new key and returns it; the one before opens nothing any more."""
        with self._renewed.change() as change:
            return change.renew(owner)

    def owner(self, owners: Collection[str], key: str) -> str:
        """Returns whose key this is; raises RefusedRequest if it is nobody's."""
        renewed = self._renewed.read()
        found = [owner for owner in owners if self._accepts(renewed, owner, key)]  # all, so that time tells nothing
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
        raise ContestError(f"{file}: {error.strerror}: give a file that can be read and created") from error
    if len(secret) < SECRET_BYTES:
        raise ContestError(f"{file}: a secret has {SECRET_BYTES} bytes or more: remove the file to get a new one")
    return secret
