"""Writes a short line for a view, without words that `view` assumes anyway."""

from __future__ import annotations

from collections.abc import Mapping

from bourre.rules.view import View
from bourre.words.view_notation.notation_reader import read_words
from bourre.words.view_notation.notation_words import ViewTextError, Words, join
from bourre.words.view_notation.notation_writer import write_words

ALWAYS_WRITTEN = ("hand", "trump", "trick")
"""Words that stay, because people read them first."""
TRIED_FIRST = ("plays", "tricks", "drawn")
"""Words that are left out first, because they are long and often follow from short ones."""


def view_text(view: View) -> str:
    """Returns a line that `view` reads as this view."""
    words = {word: text for word, text in write_words(view).items() if word != "trump" or view.named is not None}
    for word in (*TRIED_FIRST, *reversed(list(words))):
        if word in ALWAYS_WRITTEN and words[word]:
            continue
        fewer = {key: text for key, text in words.items() if key != word}
        if _reads_as(view, fewer):
            words = fewer
    return join(view.decision, words)


def _reads_as(view: View, words: Mapping[str, str]) -> bool:
    try:
        return read_words(Words(view.decision, words)) == view
    except ViewTextError:
        return False
