"""Show owners what their bots printed: anyone with a bot's key may read its logs."""

from __future__ import annotations

import hmac
import os
import stat
from base64 import urlsafe_b64encode
from collections.abc import Container
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.run_layout import Layout
from bourre_referee.storage.untrusted_files import MIB, open_regular
from bourre_referee.text.names import printable

SECRET_BYTES = 32

LOGS = "logs of"

LONGEST_LOG = MIB
"""The most bytes shown; a referee stores at most half of that."""


@dataclass(frozen=True, slots=True)
class OwnerKeys:
    """Makes and checks the keys of the bots."""

    secret: bytes
    purpose: str = LOGS
    """Keys for one purpose are of no use for another."""

    def key(self, bot: str) -> str:
        """Return this bot's key, which cannot be made without the secret."""
        digest = hmac.digest(self.secret, f"{self.purpose} {bot}".encode(), sha256)
        return urlsafe_b64encode(digest).rstrip(b"=").decode()

    def accepts(self, bot: str, key: str) -> bool:
        """Return whether this is the bot's key."""
        return hmac.compare_digest(self.key(bot).encode(), key.encode())


def owner_keys(secret: Path | None, purpose: str = LOGS) -> OwnerKeys:
    """Make keys from the secret in this file, created if missing; without a file, keys end with the server."""
    return OwnerKeys(token_bytes(SECRET_BYTES) if secret is None else _read_or_create_secret(secret), purpose)


def _read_or_create_secret(file: Path) -> bytes:
    try:
        try:
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
                new.write(token_bytes(SECRET_BYTES))
        except FileExistsError:
            pass  # so links from an earlier start stay valid
        secret = file.read_bytes()
    except OSError as error:
        raise ContestError(f"{file}: {error.strerror}: give a file that can be read and created") from error
    if len(secret) < SECRET_BYTES:
        raise ContestError(f"{file}: a secret has {SECRET_BYTES} bytes or more: remove the file to get a new one")
    return secret


def rooms_with_logs(folder: Path | None, bot: str, finished: Container[str]) -> list[str]:
    """List the rooms with a log of this bot; unfinished matches are left out, because their logs could reveal cards."""
    if folder is None or Path(bot).name != bot:
        return []  # a run in a database has no logs here, nor has a bot whose name is no folder name
    logs = Layout(folder).logs
    if logs.is_symlink() or (logs / bot).is_symlink():
        return []  # a link could lead to other logs
    files = (file for file in (logs / bot).glob("*.log") if stat.S_ISREG(file.lstat().st_mode))
    return sorted(file.stem for file in files if file.stem.partition(".")[0] in finished)


def read_log(folder: Path, bot: str, room: str) -> str:
    """Return what the bot printed in one of `rooms_with_logs`, with control characters escaped."""
    with open_regular(Layout(folder).logs / bot / f"{room}.log") as file:
        text = file.read(LONGEST_LOG).decode("utf-8", "replace")
    return "".join(f"{_visible(line)}\n" for line in text.split("\n")).removesuffix("\n")


def _visible(line: str) -> str:
    return "\t".join(map(printable, line.split("\t")))
