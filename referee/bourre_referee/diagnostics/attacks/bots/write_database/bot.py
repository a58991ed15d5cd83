"""Overwrites every database and log of the run that it can find or guess."""

from pathlib import Path

import rogue

GUESSED = [Path("../../run/run.db"), Path("../run.db"), Path("/run/run.db"), Path("/srv/run.db")]


def write() -> None:
    for path in [*GUESSED, *rogue.surroundings()]:
        if path.name == "run.db" and (path.exists() or rogue.in_a_box()):
            try:
                path.write_text("hostile wins")
                print("FOUND", path.name)
            except OSError as error:
                print(error.strerror)
    print("has written")


rogue.attack_and_play(write)
