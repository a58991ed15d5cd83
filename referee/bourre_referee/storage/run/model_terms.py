"""What the manifest of a run says about its language models."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from bourre_referee.storage.files.sound_values import BotName, Sha256, Words
from bourre_referee.storage.run.versions import ManifestPart


class ModelTerms(ManifestPart):
    """The language model behind a bot."""

    name: BotName
    """Its name in the contest file, which its repeats share."""
    model: Words
    """The server's name of the model."""
    base_url: Words
    options: dict[str, JsonValue]
    """What each request adds, such as a temperature and a seed."""
    prompts: Sha256
    """The SHA-256 of the texts of its prompts."""
    on_trouble: Literal["void"] | None = None
    """Whether a match is played again in which its server failed; None if faults are charged, and in older folders."""


class ReachedCap(ManifestPart):
    """A cap that stopped a language model."""

    model: BotName
    """The model's name in the contest file."""
    cap: Words
    """The cap, as the contest file writes it."""

    def __str__(self) -> str:
        return f"{self.model} reached {self.cap}, so the stand-in plays on for it, without a fault"
