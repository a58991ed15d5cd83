"""The settings of a model: its server, its prompts and its prices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from bourre.rules.errors import BourreError
from bourre_seats.models.misplaced_keys import key_in_address, key_in_fields

KEY_VARIABLE = "OPENAI_API_KEY"
_PLACE = f"put the key into the variable {KEY_VARIABLE}, or into another that --key-variable names"
_ADDRESS = "pass one such as http://127.0.0.1:8000/v1"
_NO_KEY = "none"
"""The key for a server without keys, because the client refuses to send none."""


class SettingsError(BourreError):
    """A setting cannot be used. The message has the setting and the fix."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The settings of a model. Raises SettingsError if a number is out of range."""

    model: str
    """The server's name of the model."""
    base_url: str | None = None
    """The address of the interface, such as `http://127.0.0.1:8000/v1`; None means OpenAI's own."""
    key: str = field(default=_NO_KEY, repr=False)
    legal: bool = True
    """Whether the prompt lists the legal cards."""
    together: bool = True
    """Whether one call asks to declare and to draw, if both are one answer (R4.1)."""
    prompts: Path | None = None
    """A folder with the user's prompts; None means the standard ones."""
    history: int = 3
    """The number of the match's earlier deals in the prompt."""
    structured: bool = True
    """Whether the server is asked for JSON with a schema."""
    call_seconds: float = 120.0
    """The longest call before the next attempt, if the decision has that much time."""
    price_in: float = 0.0
    """The price of a million tokens of the prompt, in any unit of money."""
    price_out: float = 0.0
    """The price of a million tokens of the answer."""
    extra_body: Mapping[str, object] = field(default_factory=dict)
    """More keys for each request, such as `{"temperature": 0}`."""
    trial: bool = True
    """Whether a program makes a trial call before the first card."""

    def __post_init__(self) -> None:
        for name in ("history", "price_in", "price_out"):
            if getattr(self, name) < 0:
                raise SettingsError(f"{name} = {getattr(self, name)} is not allowed.\nhint: use 0 or more")
        if self.call_seconds <= 0:
            raise SettingsError(f"call_seconds = {self.call_seconds} is not allowed.\nhint: use more than 0")
        if self.base_url is not None:
            _check_address(self.base_url)
        if path := key_in_fields(self.extra_body):
            raise SettingsError(f"--extra-body holds a key, in {path!r}: a run records it.\nhint: {_PLACE}")

    def cost_millionths(self, tokens_in: int, tokens_out: int) -> int:
        """Returns the price of these tokens in millionths of the unit of money."""
        return round(tokens_in * self.price_in + tokens_out * self.price_out)


def _check_address(address: str) -> None:
    """Raises SettingsError for an address that holds a key, which no message repeats, or is no address."""
    try:
        found, parts = key_in_address(address), urlsplit(address)
    except ValueError as error:
        raise SettingsError(f"--base-url is no address: {error}.\nhint: {_ADDRESS}") from None
    if found:
        raise SettingsError(f"--base-url holds {found}: a run records it.\nhint: {_PLACE}")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SettingsError(f"--base-url {address!r} is not a web address.\nhint: {_ADDRESS}")


def find_key(environment: Mapping[str, str], variable: str, base_url: str | None) -> str:
    """Returns the key in this variable; raises SettingsError. A server at `base_url` may need none."""
    key = environment.get(variable, "")
    if not key and base_url is None:
        raise SettingsError(f"{variable} is not set.\nhint: set it to the key, or pass another server with --base-url")
    return key or _NO_KEY
