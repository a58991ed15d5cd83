"""The settings of a model: its server, its prompts and its prices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bourre.rules.errors import BourreError

KEY_VARIABLE = "OPENAI_API_KEY"
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

    def __post_init__(self) -> None:
        for name in ("history", "price_in", "price_out"):
            if getattr(self, name) < 0:
                raise SettingsError(f"{name} = {getattr(self, name)} is not allowed.\nhint: use 0 or more")
        if self.call_seconds <= 0:
            raise SettingsError(f"call_seconds = {self.call_seconds} is not allowed.\nhint: use more than 0")

    def cost_millionths(self, tokens_in: int, tokens_out: int) -> int:
        """Returns the price of these tokens in millionths of the unit of money."""
        return round(tokens_in * self.price_in + tokens_out * self.price_out)


def find_key(environment: Mapping[str, str], variable: str, base_url: str | None) -> str:
    """Returns the key in this variable; raises SettingsError. A server at `base_url` may need none."""
    key = environment.get(variable, "")
    if not key and base_url is None:
        raise SettingsError(f"{variable} is not set.\nhint: set it to the key, or pass another server with --base-url")
    return key or _NO_KEY
