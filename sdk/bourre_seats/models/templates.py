"""The templates of the prompts: files with `$words`, which users may copy and change."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import Final

from bourre_seats.models.questions import QUESTIONS
from bourre_seats.models.settings import SettingsError

STANDARD: Final = Path(__file__).parent / "prompts"
"""The folder of the standard prompts."""
_VIEW_WORDS: Final = ("cards", "deal", "deals", "dealer", "hand", "match", "notation", "pot", "seat", "seats", "trump")
_WORDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "system": ("rules", "seats"),
        "table": _VIEW_WORDS,
        "history": ("history",),
        "correction": ("card", "match", "rule"),
        "legal": ("legal",),
        "unparsable": ("problem",),
        **dict.fromkeys(QUESTIONS, ("dead", "max_discards", "second_ante")),
    }
)
"""The words of each text, by the name of its file."""


class Templates:
    """The texts of a folder, completed by the standard ones."""

    def __init__(self, folder: Path | None) -> None:
        """Raises SettingsError with the file and the fix if a text cannot be used."""
        if folder is not None and not any((folder / f"{name}.txt").is_file() for name in _WORDS):
            raise SettingsError(f"No prompt, such as table.txt, is in {folder}.\nhint: run with --copy-prompts FOLDER")
        self._texts = {name: _read(name, words, folder) for name, words in _WORDS.items()}

    def fill(self, name: str, values: Mapping[str, object]) -> str:
        """Returns a text with the values of its words."""
        return self._texts[name].substitute(values)

    @property
    def sha256(self) -> str:
        """The SHA-256 of all texts, in hexadecimal."""
        texts = {name: template.template for name, template in self._texts.items()}
        return hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()

    def uses(self, name: str, word: str) -> bool:
        """Returns whether a text uses this word."""
        return word in self._texts[name].get_identifiers()


def _read(name: str, words: tuple[str, ...], folder: Path | None) -> Template:
    path = STANDARD / f"{name}.txt"
    if folder is not None and (folder / path.name).is_file():
        path = folder / path.name
    try:
        text = Template(path.read_text("utf-8-sig").strip())
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"Cannot read {path}: {error}.\nhint: save it as UTF-8") from None
    if not text.is_valid():
        raise SettingsError(f"{path}: A $ stands alone.\nhint: use $$ for a dollar sign")
    if unknown := [word for word in text.get_identifiers() if word not in words]:
        known = " ".join(f"${word}" for word in words)
        raise SettingsError(f"{path}: Unknown word ${unknown[0]}.\nhint: use one of {known}")
    return text
