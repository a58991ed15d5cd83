"""Plays bots against each other in one process: `print(practice([Tight, Loose, Mine], deals=500, seed=7))`."""

from bourre.practice.mistake import MisnamedMethod, PracticeError
from bourre.practice.practice_duplicate import practice_duplicate
from bourre.practice.result import BotResult, PracticeMatch, PracticeNote, PracticeResult
from bourre.practice.session import practice

__all__ = [
    "BotResult",
    "MisnamedMethod",
    "PracticeError",
    "PracticeMatch",
    "PracticeNote",
    "PracticeResult",
    "practice",
    "practice_duplicate",
]
