"""The boxes of the picture: what is drawn as one, because it is read as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

REFEREE = "bourre_referee"
SDK = "bourre"

BOXES: Mapping[str, tuple[str, ...]] = {
    f"{REFEREE}.cli": ("__main__", "cli"),
    f"{REFEREE}.web": ("web",),
    f"{REFEREE}.grading": ("grading",),
    f"{REFEREE}.conformance": ("conformance",),
    f"{REFEREE}.house, questions, starters": ("house", "questions", "starters", "repro"),
    f"{REFEREE}.summaries": ("summaries",),
    f"{REFEREE}.bench, doctor": ("bench", "doctor"),
    f"{REFEREE}.export, plots": ("export", "plots"),
    f"{REFEREE}.verify": ("verify",),
    f"{REFEREE}.comparing": ("comparing",),
    f"{REFEREE}.running": ("running",),
    f"{REFEREE}.run_folder": ("run_folder",),
    f"{REFEREE}.contest": ("contest",),
    f"{REFEREE}.executors": ("executors", "stop"),
    f"{REFEREE}.playing": ("playing",),
    f"{REFEREE}.launch": ("launch",),
    f"{REFEREE}.store": ("store",),
    f"{REFEREE}.analysis": ("analysis",),
    f"{REFEREE}.standings": ("standings",),
    f"{REFEREE}.ratings": ("ratings",),
    f"{REFEREE}.stats, stopping": ("stats", "student", "stopping"),
    f"{REFEREE}.schedule": ("schedule", "kept_searches"),
    f"{REFEREE}.spec, results, kept": (
        *("spec", "results", "kept", "counting", "duplicate", "luck"),
        *("errors", "atomic", "regular_file", "repeated_key"),
    ),
    f"{REFEREE}.stories": ("stories",),
    f"{REFEREE}.names": ("names", "amounts", "junit", "examples"),
    f"{SDK}.testing": ("testing",),
    f"{SDK}.practice": ("practice",),
    f"{SDK}.client": ("client", "tables", "thinking"),
    f"{SDK}.bot": ("bot", "misnamed", "bot_file", "example_folders", "neighbours", "function_bot", "consult"),
    f"{SDK}.codec": ("codec",),
    f"{SDK}.v1": ("v1",),
    f"{SDK}.messages": ("messages",),
    f"{SDK}.record": ("record", "tally"),
    f"{SDK}.viewline": ("viewline",),
    f"{SDK}.sampling": ("sampling", "reading"),
    f"{SDK}.rules": ("rules",),
}
"""What each box holds, below its package; where two hold a module, the longer name counts."""

_HOLDS = {f"{box.partition('.')[0]}.{held}": box for box, names in BOXES.items() for held in names}


class Homeless(Exception):
    """A module is in no box."""


def box_of(module: str) -> str:
    """The box of a module, by its full name; raises Homeless."""
    for name in _and_above(module):
        if name in _HOLDS:
            return _HOLDS[name]
    raise Homeless(f"{module} is in no box of the picture: give it one in docs/architecture_page/boxes.py")


def _and_above(module: str) -> Iterable[str]:
    parts = module.split(".")
    return (".".join(parts[:length]) for length in range(len(parts), 0, -1))
