"""The boxes of the picture: what is drawn as one, because it is read as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

REFEREE = "bourre_referee"
SDK = "bourre"

BOXES: Mapping[str, tuple[str, ...]] = {
    f"{REFEREE}.cli": ("__main__", "cli"),
    f"{REFEREE}.web": ("web",),
    f"{REFEREE}.evaluation": ("evaluation",),
    f"{REFEREE}.diagnostics": ("diagnostics",),
    f"{REFEREE}.verify": ("verify",),
    f"{REFEREE}.export": ("export",),
    f"{REFEREE}.runner": ("runner",),
    f"{REFEREE}.storage": ("storage",),
    f"{REFEREE}.contest": ("contest",),
    f"{REFEREE}.server": ("server",),
    f"{REFEREE}.sandbox": ("sandbox",),
    f"{REFEREE}.statistics": ("statistics",),
    f"{REFEREE}.ratings": ("ratings",),
    f"{REFEREE}.schedule": ("schedule",),
    f"{REFEREE}.model": ("model",),
    f"{REFEREE}.text": ("text",),
    f"{REFEREE}.starters": ("examples", "starters"),
    f"{SDK}.testing": ("testing",),
    f"{SDK}.practice": ("practice",),
    f"{SDK}.client": ("client", "bot_tables", "answer_tasks"),
    f"{SDK}.bot": (
        "bot",
        "bot_file",
        "decisions",
        "example_folders",
        "function_bot",
        "import_isolation",
        "lookalike_methods",
    ),
    f"{SDK}.codec": ("codec",),
    f"{SDK}.v1": ("v1",),
    f"{SDK}.messages": ("messages",),
    f"{SDK}.record": ("record", "counters"),
    f"{SDK}.view_notation": ("view_notation",),
    f"{SDK}.sampling": ("sampling", "view_reading"),
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
