"""How a model is asked: which one, where, with which prompts, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bourre.rules.errors import BourreError

KEY_VARIABLE = "OPENAI_API_KEY"
_NO_KEY = "none"
"""What the client sends to a server that asks for no key: it refuses to send nothing."""


class SettingsError(BourreError):
    """A setting cannot be used; the message names it and the fix."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How to ask a model. Raises SettingsError if a number is out of range."""

    model: str
    """Its name at the server."""
    base_url: str | None = None
    """Where the interface begins, such as `http://127.0.0.1:8000/v1`; None means OpenAI's own."""
    key: str = field(default=_NO_KEY, repr=False)
    legal: bool = True
    """Whether the prompt lists the legal cards."""
    together: bool = True
    """Whether one call asks to declare and to draw, where both are one answer (R4.1)."""
    prompts: Path | None = None
    """A folder with prompts of one's own; None means the standard ones."""
    history: int = 3
    """How many earlier deals of the match the prompt describes."""
    structured: bool = True
    """Whether the server is asked to answer in JSON of a given schema."""
    call_seconds: float = 120.0
    """How long one call may take before it is tried again, if the decision has that much time."""
    price_in: float = 0.0
    """The price of a million tokens of the prompt, in any unit of money."""
    price_out: float = 0.0
    """The price of a million tokens of the answer."""
    extra_body: Mapping[str, object] = field(default_factory=dict)
    """What else each request says, such as `{"temperature": 0}`."""

    def __post_init__(self) -> None:
        for name in ("history", "price_in", "price_out"):
            if getattr(self, name) < 0:
                raise SettingsError(f"{name} = {getattr(self, name)}: it must be 0 or more")
        if self.call_seconds <= 0:
            raise SettingsError(f"call_seconds = {self.call_seconds}: it must be more than 0")

    def cost_millionths(self, tokens_in: int, tokens_out: int) -> int:
        """Returns what these tokens cost, in millionths of the unit of money."""
        return round(tokens_in * self.price_in + tokens_out * self.price_out)


def find_key(environment: Mapping[str, str], variable: str, base_url: str | None) -> str:
    """Returns the key in this variable; a server of one's own may need none. Raises SettingsError."""
    key = environment.get(variable, "")
    if not key and base_url is None:
        raise SettingsError(f"{variable} is not set: put the key there, or name another server with --base-url")
    return key or _NO_KEY
