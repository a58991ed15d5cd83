"""The tokens of remote bots. Each is shown once and stored as a hash. It can be renewed and revoked."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from bourre_referee.model.errors import ContestError
from bourre_referee.model.listener_spec import hash_token
from bourre_referee.storage.files import atomic
from bourre_referee.storage.files.file_lock import take_turns
from bourre_referee.storage.files.file_stamp import Stamp, stamp_of
from bourre_referee.storage.files.untrusted_files import read

_OWNER_ONLY = 0o600


class Tokens(BaseModel):
    """The content of `tokens.json`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tokens: Literal[1] = 1
    """The version of this format."""
    bots: dict[str, str] = {}
    """The SHA-256 of each bot's token, in hexadecimal."""
    revoked: dict[str, str] = {}
    """The bots of former token hashes."""

    def missing(self, bots: Iterable[str]) -> tuple[str, ...]:
        """Returns the bots among these that never had a token."""
        return tuple(bot for bot in bots if bot not in self.bots and bot not in self.revoked.values())

    def without(self, bot: str) -> Tokens:
        """Returns these tokens, with the bot's token revoked."""
        if bot not in self.bots:
            return self
        others = {name: known for name, known in self.bots.items() if name != bot}
        return Tokens(bots=others, revoked={**self.revoked, self.bots[bot]: bot})

    def with_new(self, bot: str) -> tuple[Tokens, str]:
        """Returns these tokens with a new one for the bot, and the new token itself, which is not stored."""
        token = secrets.token_hex(32)
        others = self.without(bot)
        return Tokens(bots={**others.bots, bot: hash_token(token)}, revoked=others.revoked), token


class TokenFile:
    """The file `tokens.json` of a run folder, which only its owner can read."""

    def __init__(self, path: Path, without_copy: str = "remove it and run bourre tokens again") -> None:
        """`without_copy` says what to do with a damaged file of which there is no copy."""
        self._path = path
        self._without_copy = without_copy
        self._seen: Stamp | Literal["never read"] | None = "never read"

    def read(self) -> Tokens:
        """Reads the tokens; none if the file is missing. Raises ContestError if it is damaged."""
        try:
            return Tokens.model_validate_json(read(self._path))
        except FileNotFoundError:
            return Tokens()
        except OSError as error:
            raise ContestError(f"Cannot read {self._path}: {error.strerror}.\nhint: check its permissions") from error
        except ValidationError as error:
            why = error.errors()[0]["msg"]
            raise ContestError(
                f"{self._path}: {why}.\nhint: restore it from a backup, or {self._without_copy}"
            ) from error

    def read_if_changed(self) -> Tokens | None:
        """Reads the tokens if the file is not the one that was read last; raises ContestError if it is damaged."""
        now = stamp_of(self._path)
        if now == self._seen:
            return None
        self._seen = now
        return self.read()

    @contextmanager
    def change(self) -> Iterator[TokenChange]:
        """Reads the tokens to change them, and writes them at the end; other processes that change them wait."""
        with take_turns(self._path):
            change = TokenChange(self.read())
            yield change
            atomic.write(self._path, f"{change.tokens.model_dump_json(indent=2)}\n", _OWNER_ONLY)


class TokenChange:
    """The tokens while they are changed."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens

    def renew(self, bot: str) -> str:
        """Makes the bot a new token and returns it; an earlier one opens nothing any more."""
        self.tokens, token = self.tokens.with_new(bot)
        return token

    def revoke(self, bot: str) -> bool:
        """Revokes the bot's token; returns whether it had one."""
        had, self.tokens = bot in self.tokens.bots, self.tokens.without(bot)
        return had
