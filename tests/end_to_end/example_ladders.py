"""A ladder of example bots, whose rooms real processes play."""

from __future__ import annotations

from pathlib import Path

from bourre_referee.ladder.host.administration import new_ladder
from bourre_referee.ladder.host.joining import Newcomer, add_hosted
from bourre_referee.ladder.host.ladder_folder import LadderFolder

EXAMPLES = Path(__file__).parents[2] / "examples"
FILE = """
[ladder]
name = "{name}"
[table]
seats = 3
deals = 1
[clock]
start_ms = 60000
decision_ms = 20000
[isolation]
level = "none"
[epoch]
rooms = {rooms}
[[staff]]
name = "tight"
command = ["python", "tight.py"]
rating = [25, 0.5]
"""


def example_ladder(folder: Path, rooms: int, name: str = "class", database: str | None = None) -> LadderFolder:
    """Makes a ladder of three bots, with this many rooms in an epoch, in a folder or in a database."""
    (folder / "ladder.toml").write_text(FILE.format(name=name, rooms=rooms))
    (folder / "tight.py").write_bytes((EXAMPLES / "tight.py").read_bytes())
    ladder = new_ladder(folder / "ladder", folder / "ladder.toml", database=database)
    for bot in ("counter", "loose"):
        add_hosted(ladder, Newcomer(bot), ("python", f"{bot}.py"), (), EXAMPLES)
    return ladder
