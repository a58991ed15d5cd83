"""Serves a ladder on a disk that fills up sooner or later: a program for a sandbox whose disk may be filled."""

import json
import sys
from pathlib import Path

from bourre.rules.errors import BourreError
from bourre_referee.ladder.log.events import EpochClosed, RoomFinished
from bourre_referee.verify.ladder_check import verify_epoch
from tests.referee.full_disk import fill
from tests.referee.ladder.host.hosts import SHORT_EPOCHS, count, events, host
from tests.referee.ladder.host.ladder_folders import make_ladder, with_bots


def main(disk: Path, left: int) -> None:
    """Serves until the disk is full, and again once there is room; prints what was said and what was verified."""
    ladder = make_ladder(disk / "place", SHORT_EPOCHS)
    with_bots(ladder, disk, "ada", "bob", "cy")
    said = ""
    ballast = None
    try:
        with host(ladder) as serving:
            serving.steps(1)
            ballast = fill(disk, left)
            serving.steps(200)
    except BourreError as error:
        said = str(error)
    if ballast:
        ballast.unlink()
    with host(ladder) as serving:
        serving.steps(8)
    rooms = [event.room for event in events(ladder) if isinstance(event, RoomFinished)]
    verified = [verify_epoch(ladder.path, epoch, jobs=1).rooms for epoch in range(1, count(ladder, EpochClosed) + 1)]
    print(json.dumps({"said": said, "rooms": rooms, "verified": verified}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
