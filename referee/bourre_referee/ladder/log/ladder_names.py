"""The names in a ladder's log: of bots, of their versions, and of their owners."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

LONGEST_NAME = 24
"""The most characters of a bot's name. Versions have names such as `alice.2`."""
NAME_CHARACTERS = "A-Z a-z 0-9 _ -"
LONGEST_TEXT = 64
"""The most characters of an owner's name and of a declared version."""
DECLARED = f"write at most {LONGEST_TEXT} printable characters, without spaces at the ends"


def is_bot_name(text: str) -> bool:
    """Whether a bot of a ladder can have this name."""
    return re.fullmatch(rf"[A-Za-z0-9_-]{{1,{LONGEST_NAME}}}", text, re.ASCII) is not None


def is_declared(text: str) -> bool:
    """Whether this is a valid owner or declared version."""
    return text.isprintable() and text.strip() == text and len(text) <= LONGEST_TEXT


def _bot_name(text: str) -> str:
    if is_bot_name(text):
        return text
    raise PydanticCustomError("bot_name", f"write 1 to {LONGEST_NAME} of the characters {NAME_CHARACTERS}")


def _declared(text: str) -> str:
    if is_declared(text):
        return text
    raise PydanticCustomError("declared", DECLARED)


BotName = Annotated[str, AfterValidator(_bot_name)]
Declared = Annotated[str, AfterValidator(_declared)]
