"""The addresses of owners who want notices. Only the host sets them, because a server of ours connects to them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files import atomic
from bourre_referee.storage.files.untrusted_files import read

_MAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){0,8}", re.ASCII)
_LONGEST = 2_000


class Contact(BaseModel):
    """Where an owner gets notices."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    webhook: str = ""
    """An address that gets each notice as JSON, by POST; empty for none."""
    internal: bool = False
    """Whether the webhook may be in a private network, such as on this machine."""
    mail: str = ""
    """A mail address; empty for none."""

    def problem(self) -> str:
        """Returns what is wrong with the addresses; empty if nothing is."""
        if self.mail and not _MAIL.fullmatch(self.mail):
            return f"{self.mail!r} is not a mail address"
        return _webhook_problem(self.webhook) if self.webhook else ""


class Contacts(BaseModel):
    """The content of `contacts.json`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    contacts: Literal[1] = 1
    """The version of this format."""
    owners: dict[str, Contact] = {}


def read_contacts(path: Path) -> dict[str, Contact]:
    """Reads the contacts by owner; none without a file. Raises ContestError if the file is damaged."""
    try:
        return Contacts.model_validate_json(read(path)).owners
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ContestError(f"Cannot read {path}: {error.strerror}.\nhint: check its permissions") from error
    except ValidationError as error:
        why = error.errors()[0]["msg"]
        raise ContestError(f"{path}: {why}.\nhint: remove it, and run bourre ladder notify again") from error


def set_contact(path: Path, owner: str, contact: Contact) -> None:
    """Stores where an owner gets notices, readable by the host alone. Raises ContestError for a wrong address."""
    if problem := contact.problem():
        raise ContestError(f"{problem}.\nhint: pass an address such as https://example.org/hook, or ann@example.org")
    others = {name: known for name, known in read_contacts(path).items() if name != owner}
    owners = {**others, owner: contact} if contact.webhook or contact.mail else others
    atomic.write(path, Contacts(owners=owners).model_dump_json(), 0o600)


def _webhook_problem(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, port, user = parts.hostname, parts.port, parts.username
    except ValueError:
        return "the webhook is not an address"
    if parts.scheme not in ("http", "https") or not host or port == 0 or user is not None:
        return "the webhook must be an http or https address without a user"
    return "the webhook has odd characters" if len(url) > _LONGEST or not _is_plain(url) else ""


def _is_plain(url: str) -> bool:
    return url.isascii() and url.isprintable() and " " not in url
