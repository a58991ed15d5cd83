"""How a match is named on the command line."""

MOST_DIGITS = 9


def match_named(word: str) -> str:
    """The id that is meant by `m0001` or `1`; whatever else is written is an id too, of no match."""
    if word.isdecimal() and len(word) <= MOST_DIGITS:
        return f"m{int(word):04d}"
    return word.encode(errors="replace").decode()  # bytes that are no text are no id either
