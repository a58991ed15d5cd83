"""Bots that are named on the command line: where examples are, and what each bot is called."""

from collections.abc import Iterator, Sequence
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
CHECKOUT = Path(__file__).parents[3]


def examples() -> Iterator[Path]:
    """Where example bots may be: here, in the installed package, in the checkout that this is run from."""
    yield Path("examples")
    yield PACKAGE / "examples"
    if (CHECKOUT / "pyproject.toml").is_file():
        yield CHECKOUT / "examples"


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
