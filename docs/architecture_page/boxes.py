"""The boxes of the picture, each for modules that belong together."""

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
    f"{REFEREE}.ladder": ("ladder",),
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
    f"{SDK}.mcp": ("mcp",),
    f"{SDK}.seat": ("seat",),
    f"{SDK}.desk": ("desk",),
    f"{SDK}.testing": ("testing",),
    f"{SDK}.envs": ("envs",),
    f"{SDK}.models": ("models",),
    f"{SDK}.practice": ("practice",),
    f"{SDK}.client": (
        "client",
        "bot_tables",
        "answer_tasks",
        "channel",
        "error_report",
        "local_server",
        "log_line",
        "pauses",
    ),
    f"{SDK}.bot": (
        "bot",
        "bot_file",
        "decisions",
        "did_you_mean",
        "example_folders",
        "function_bot",
        "import_isolation",
        "lookalike_methods",
        "printed_error",
        "source_place",
        "random_seed",
        "standard_streams",
        "start_diagnosis",
        "start_mends",
    ),
    f"{SDK}.codec": ("codec",),
    f"{SDK}.v1": ("v1",),
    f"{SDK}.messages": ("messages", "remarks"),
    f"{SDK}.record": ("record", "counters"),
    f"{SDK}.view_notation": ("view_notation",),
    f"{SDK}.review": ("review",),
    f"{SDK}.champion": ("champion",),
    f"{SDK}.lockstep": ("lockstep",),
    f"{SDK}.sampling": ("sampling", "view_reading"),
    f"{SDK}.rules": ("rules", "card_pictures", "card_table", "house_words", "table_words"),
}
"""The modules in each box; if two boxes match a module, the longer name wins."""

_HOLDS = {f"{box.partition('.')[0]}.{held}": box for box, names in BOXES.items() for held in names}


class UnassignedModule(Exception):
    """A module is in no box."""


def box_of(module: str) -> str:
    """Return the box of a module, given its full name; raises UnassignedModule."""
    for name in _and_above(module):
        if name in _HOLDS:
            return _HOLDS[name]
    raise UnassignedModule(f"{module} is in no box of the picture: give it one in docs/architecture_page/boxes.py")


def _and_above(module: str) -> Iterable[str]:
    parts = module.split(".")
    return (".".join(parts[:length]) for length in range(len(parts), 0, -1))
