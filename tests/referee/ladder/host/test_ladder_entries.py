"""How rooms start the bots of a ladder: from their own copies, staff with the settings of the ladder file."""

import sys
from pathlib import Path

from bourre_referee.contest.contest import Entrant
from bourre_referee.ladder.host.joining import Newcomer, add_hosted, add_remote
from bourre_referee.ladder.host.ladder_entries import anchors_of, bot_spec, contest_entrant
from bourre_referee.model.spec import Entry, OwnIsolation
from bourre_referee.ratings.belief import Rating
from tests.referee.ladder.host.ladder_folders import FILE, STAFF, make_ladder, state_of

OWN = 'environment = ["TOKEN"]\n[staff.isolation]\nmemory_mib = 1024\n'


def test_each_version_starts_in_its_own_folder(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    (tmp_path / "mine/lib").mkdir(parents=True)
    (tmp_path / "mine/bot.py").touch()
    (tmp_path / "mine/lib/a.py").touch()
    add_hosted(ladder, Newcomer("alice"), ["python", "bot.py"], ["bot.py", "lib"], tmp_path / "mine")
    add_remote(ladder, Newcomer("far"))
    state, settings = state_of(ladder), ladder.settings()
    assert contest_entrant(state.bots["alice"], settings) == Entrant("alice.1", ("python", "bot.py"), ("bot.py", "lib"))
    assert ladder.site.entry(bot_spec(state.bots["alice"], settings)) == Entry(
        "alice.1", (sys.executable, "bot.py"), ladder.bots / "alice/1", ("bot.py", "lib")
    )
    assert ladder.site.entry(bot_spec(state.bots["far"], settings)) == Entry("far.1", None, ladder.bots / "far/1")


def test_staff_has_the_permissions_of_the_file_and_its_rating(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path, FILE + STAFF + OWN)
    state, settings = state_of(ladder), ladder.settings()
    assert contest_entrant(state.bots["tight"], settings) == Entrant(
        "tight.1",
        ("python", "bots/tight.py"),
        ("bots",),
        isolation=OwnIsolation(memory_mib=1024),
        environment=("TOKEN",),
    )
    assert anchors_of(state, settings) == {"tight.1": Rating(25, 1.5)}
