"""A language model of a contest file, which plays as one entrant or as several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Caps:
    """What the calls of a model, or of all models together, may use in a run. None means no cap."""

    calls: int | None = None
    tokens: int | None = None
    """The most tokens of prompts and answers together."""
    cost_millionths: int | None = None
    """The most money, in millionths of a unit."""


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """A model, its server and its caps. It has the name of the variable with the key, and never the key."""

    name: str
    """Its name in the contest file, which its entrants share."""
    model: str
    """The server's name of the model."""
    base_url: str
    key_variable: str | None
    """The variable of the organiser's environment with the key; None for a server without keys."""
    options: Mapping[str, object] = field(default_factory=dict)
    """More keys for each request, such as a temperature."""
    structured: bool = True
    """Whether its server is asked for JSON with a schema."""
    prompts: str | None = None
    """The folder of its prompts, relative to the contest file's; None means the standard ones."""
    price_in: float = 0.0
    """The price of a million tokens of prompts. It is also the number of millionths for one token."""
    price_out: float = 0.0
    """The price of a million tokens of answers."""
    caps: Caps = Caps()
    voids_trouble: bool = False
    """Whether a match in which its server failed is played again, instead of charging faults."""

    def cost_millionths(self, tokens_in: int, tokens_out: int) -> int:
        """Returns the price of these tokens in millionths of a unit of money."""
        return round(tokens_in * self.price_in + tokens_out * self.price_out)

    @property
    def server_words(self) -> tuple[str, ...]:
        """The words of a command that asks its server directly, outside of a contest."""
        key = ("--key-variable", self.key_variable) if self.key_variable else ()
        return ("--base-url", self.base_url, *key)

    @property
    def most_answer_tokens(self) -> int | None:
        """The limit for an answer that the options set; None if they set none."""
        return most_answer_tokens(self.options)


def most_answer_tokens(options: Mapping[str, object]) -> int | None:
    """Returns the limit for an answer that these options of requests set; None if they set none."""
    found = (options.get(key) for key in ("max_completion_tokens", "max_tokens"))
    return next((most for most in found if isinstance(most, int) and most > 0), None)
