"""Staff bots: entered from the ladder file, again when it or their files change."""

from pathlib import Path

import pytest

from bourre_referee.ladder.host.joining import Newcomer, add_remote, enter_staff
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import BotRetired
from bourre_referee.model.errors import ContestError
from tests.referee.ladder.host.ladder_folders import FILE, STAFF, append, joined_in, make_ladder, state_of


def enter(ladder: LadderFolder) -> None:
    """Enters the staff as who serves the ladder does."""
    with ladder.open_log().appending() as tail:
        enter_staff(ladder, ladder.settings(), tail)


def test_staff_that_did_not_change_is_entered_once(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    enter(ladder)
    (tight,) = joined_in(ladder)
    assert (tight.name, tight.joined.staff, tight.joined.owner) == ("tight.1", True, "host")
    assert (ladder.files_of("tight", 1) / "bots/tight.py").read_text() == "# tight\n"


def test_a_changed_file_makes_a_new_version(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    (ladder.staff / "bots/tight.py").write_text("# tighter\n")
    enter(ladder)
    assert [bot.name for bot in joined_in(ladder)] == ["tight.1", "tight.2"]
    texts = [(ladder.files_of("tight", number) / "bots/tight.py").read_text() for number in (1, 2)]
    assert texts == ["# tight\n", "# tighter\n"]
    ladder.file.write_text((FILE + STAFF).replace('tight.py"]', 'tight.py", "--bold"]'))
    enter(ladder)
    assert joined_in(ladder)[-1].joined.command == ("python", "bots/tight.py", "--bold")


def test_staff_that_left_the_file_retires_and_may_come_back(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    ladder.file.write_text(FILE)
    enter(ladder)
    assert state_of(ladder).bots["tight"].retired
    enter(ladder)
    ladder.file.write_text(FILE + STAFF)
    enter(ladder)
    assert [(bot.name, bot.retired) for bot in joined_in(ladder)] == [("tight.1", True), ("tight.2", False)]


def test_a_staff_bot_that_its_host_retired_joins_again(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    append(ladder, BotRetired("tight"))
    enter(ladder)
    assert not state_of(ladder).bots["tight"].retired


def test_the_name_of_somebody_elses_bot_is_refused(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path, FILE)
    add_remote(ladder, Newcomer("tight", "Ann"))
    (ladder.staff / "bots").mkdir()
    (ladder.staff / "bots/tight.py").touch()
    ladder.file.write_text(FILE + STAFF)
    with pytest.raises(ContestError, match=r"\[\[staff\]\] tight: a bot of Ann has this name: give yours another"):
        enter(ladder)


def test_a_remote_staff_bot_has_no_files(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path, f'{FILE}[[staff]]\nname = "guide"\nconnect = true\n')
    (guide,) = joined_in(ladder)
    assert (guide.joined.hosted, guide.joined.files) == (False, ())
    assert not ladder.files_of("guide", 1).exists()
    enter(ladder)
    assert len(joined_in(ladder)) == 1
