"""What each bot that is named on the command line is called."""

from collections.abc import Sequence
from pathlib import Path


def names(paths: Sequence[str], gap: str = " ") -> list[str]:
    """A name for each bot: its file's, with the class where the path says one, with a number where it is taken."""
    given: list[str] = []
    for path in paths:
        file, _, wanted = path.partition(":")
        first = name = wanted or Path(file).stem.removesuffix("_bot")
        number = 1
        while name in given:
            number += 1
            name = f"{first}{gap}{number}"
        given.append(name)
    return given


def file_names(path: str) -> list[str]:
    """What a bot of this file may be called in a contest: its file's name, with and without `_bot`, or its class's.

    A `bot.py` may have the name of its folder too, as those of `bourre new` do.
    """
    file, _, wanted = path.partition(":")
    stem = Path(file).stem
    folder = [Path(file).absolute().parent.name] if stem == "bot" else []
    return [stem.removesuffix("_bot"), stem, *folder, *([wanted] if wanted else [])]
