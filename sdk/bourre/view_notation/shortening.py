"""The shortest line that still gives a view: words that say what `view` would assume are left out."""

from __future__ import annotations

from collections.abc import Mapping

from bourre.rules.visibility import View
from bourre.view_notation.notation_reader import read_words
from bourre.view_notation.notation_words import ViewTextError, Words, joined
from bourre.view_notation.notation_writer import words_of

KEPT = ("hand", "trump", "trick")
"""What a reader looks for first."""
FIRST_OUT = ("plays", "tricks", "drawn")
"""What is long, and follows from short words."""


def view_text(view: View) -> str:
    """The line from which `view` makes this view again."""
    words = {word: text for word, text in words_of(view).items() if word != "trump" or view.named is not None}
    for word in (*FIRST_OUT, *reversed(list(words))):
        if word in KEPT and words[word]:
            continue
        fewer = {key: text for key, text in words.items() if key != word}
        if _gives(view, fewer):
            words = fewer
    return joined(view.decision, words)


def _gives(view: View, words: Mapping[str, str]) -> bool:
    try:
        return read_words(Words(view.decision, words)) == view
    except ViewTextError:
        return False
