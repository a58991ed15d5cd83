"""Bots that join a ladder: names, owners, versions, files and quotas."""

from datetime import timedelta
from pathlib import Path

import pytest

from bourre_referee.ladder.host.joining import Newcomer, add_hosted, add_remote, add_submitted, enter_staff
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import BotJoined, BotRetired
from bourre_referee.model.errors import ContestError
from tests.referee.ladder.host.ladder_folders import FILE, NOW, STAFF, add_bot, append, joined_in, make_ladder, state_of


def test_a_hosted_bot_is_copied_with_the_hashes_of_its_files(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    joined = add_bot(ladder, tmp_path / "alice", Newcomer("alice", "Ann", "0.1"), "# first\n")
    assert (joined.number, joined.version, joined.owner, joined.command) == (1, "0.1", "Ann", ("python", "bot.py"))
    assert [path for path, _ in joined.files] == ["bot.py"]
    assert (ladder.files_of("alice", 1) / "bot.py").read_text() == "# first\n"
    assert joined_in(ladder)[-1].joined == joined


def test_a_bot_of_one_file_may_be_submitted_without_a_zip(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    joined = add_submitted(ladder, Newcomer("alice", by="owner"), ["python", "bot.py"], b"# mine\n", lambda: NOW)
    assert ([path for path, _ in joined.files], joined.by) == (["bot.py"], "owner")
    assert (ladder.files_of("alice", 1) / "bot.py").read_text() == "# mine\n"
    assert sorted(path.name for path in ladder.bots.iterdir()) == ["alice", "tight"]


def test_a_new_version_has_files_of_its_own(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    for text in ("# first\n", "# second\n"):
        add_bot(ladder, tmp_path / "alice", Newcomer("alice"), text)
    texts = [(ladder.files_of("alice", number) / "bot.py").read_text() for number in (1, 2)]
    assert texts == ["# first\n", "# second\n"]
    assert [bot.name for bot in joined_in(ladder)] == ["tight.1", "alice.1", "alice.2"]
    assert sorted(path.name for path in ladder.bots.iterdir()) == ["alice", "tight"]


def test_a_copy_left_by_a_killed_process_is_replaced(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    ladder.files_of("alice", 1).mkdir(parents=True)
    (ladder.files_of("alice", 1) / "stale.py").touch()
    add_bot(ladder, tmp_path / "alice", Newcomer("alice"))
    assert [path.name for path in ladder.files_of("alice", 1).iterdir()] == ["bot.py"]


def test_what_a_killed_process_had_half_added_is_swept_but_not_what_is_being_added(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    left = ladder.bots / ".adding-left" / "files"
    left.mkdir(parents=True)
    with ladder.adding() as files:
        ladder.sweep()
        assert (left.exists(), files.exists()) == (True, True)
    ladder.sweep()
    assert [path.name for path in ladder.bots.iterdir()] == ["tight"]


def test_a_remote_bot_becomes_hosted_as_a_new_version(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    first = add_remote(ladder, Newcomer("alice", "Ann"), lambda: NOW)
    second = add_bot(ladder, tmp_path / "alice", Newcomer("alice"))
    assert (first.hosted, second.hosted, second.owner, second.number) == (False, True, "Ann", 2)


@pytest.mark.parametrize(
    ("newcomer", "message"),
    [
        (Newcomer("a.b"), "'a.b': a bot's name takes 1 to 24 of the characters"),
        (Newcomer("../x"), r"'\.\./x': a bot's name takes"),
        (Newcomer("a" * 25), "a bot's name takes"),
        (Newcomer("-A1"), "-A1: a name that begins with a hyphen looks like an option.\nhint: rename the bot"),
        (Newcomer("ALICE"), "ALICE: its name differs from alice only in case"),
        (Newcomer("alice", "Bob"), "alice: it belongs to Ann.\nhint: rename your bot"),
        (Newcomer("tight"), "tight: the owner 'host' is reserved for the ladder's own bots"),
        (Newcomer("bob", "host"), "the owner 'host' is reserved for the ladder's own bots"),
        (Newcomer("bob", "\x1b[2J"), r"owner '\\x1b\[2J': write at most 64 printable characters"),
        (Newcomer("bob", version="v" * 65), "version 'v+': write at most 64"),
        (Newcomer("bob", version=" 1"), "version ' 1': write at most 64"),
    ],
)
def test_who_may_not_join_is_told_why_and_nothing_is_logged(tmp_path: Path, newcomer: Newcomer, message: str) -> None:
    ladder = make_ladder(tmp_path)
    add_bot(ladder, tmp_path / "alice", Newcomer("alice", "Ann"))
    log, files = ladder.log.read_bytes(), sorted(ladder.bots.rglob("*"))
    with pytest.raises(ContestError, match=message):
        add_bot(ladder, tmp_path / "alice", newcomer)
    assert (ladder.log.read_bytes(), sorted(ladder.bots.rglob("*"))) == (log, files)


def test_a_command_must_find_its_files_among_the_copies(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    (tmp_path / "bot.py").touch()
    (tmp_path / "table.csv").touch()
    with pytest.raises(ContestError, match=r"no file 'bot\.py' here\.\nhint: add all files that its command needs"):
        add_hosted(ladder, Newcomer("alice"), ["python", "bot.py"], ["table.csv"], tmp_path)
    with pytest.raises(ContestError, match=r"alice: no file 'bto\.py' here\.\nhint: use 'bot\.py'"):
        add_hosted(ladder, Newcomer("alice"), ["python", "bto.py"], [], tmp_path)
    with pytest.raises(ContestError, match="alice: its command names no file"):
        add_hosted(ladder, Newcomer("alice"), ["python", "-m", "bot"], [], tmp_path)


def test_without_files_its_own_folder_is_copied_unless_the_ladder_lies_there(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path / "shared")
    joined = []
    for bot in ("alone", "shared"):
        for name in ("bot.py", "table.csv"):
            (tmp_path / bot).mkdir(exist_ok=True)
            (tmp_path / bot / name).touch()
        joined.append(add_hosted(ladder, Newcomer(bot), ["python", "bot.py"], [], tmp_path / bot))
    assert [[path for path, _ in bot.files] for bot in joined] == [["bot.py", "table.csv"], ["bot.py"]]


def test_a_new_version_cannot_choose_a_python_of_the_host(tmp_path: Path) -> None:
    """The host's command stays, but an upload decides which file is there, and what lies around it."""
    ladder, host = make_ladder(tmp_path), tmp_path / "private"
    for python in (host / "bin" / "python3.11", host / "lib" / "python3.11" / "os.py", tmp_path / "up" / "bin" / "run"):
        python.parent.mkdir(parents=True)
        python.touch(0o755)
    command = ["bin/run", "bot.py"]
    (tmp_path / "up" / "bot.py").touch()
    assert add_hosted(ladder, Newcomer("alice"), command, ["."], tmp_path / "up").number == 1
    (tmp_path / "up" / "pyvenv.cfg").write_text(f"home = {host}/bin\n")
    (host / "bin" / "run").symlink_to("python3.11")
    with pytest.raises(ContestError, match=r"alice: 'bin/run' is in an environment, whose pyvenv\.cfg names a Python"):
        add_hosted(ladder, Newcomer("alice"), command, ["."], tmp_path / "up")


def test_quotas_say_no_until_a_bot_retires(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path, f"{FILE}[quotas]\nbots = 3\nbots_per_owner = 2\n{STAFF}")
    for bot, owner in (("a", "Ann"), ("b", "Ann"), ("c", "Cy")):
        with_owner = Newcomer(bot, owner)
        if bot == "c":
            with pytest.raises(ContestError, match="d: Ann has 2 bots, which is the most"):
                add_remote(ladder, Newcomer("d", "Ann"))
        add_remote(ladder, with_owner)
    with pytest.raises(ContestError, match="d: the ladder is full, with 3 bots"):
        add_remote(ladder, Newcomer("d", "Dan"))
    add_remote(ladder, Newcomer("a"))
    append(ladder, BotRetired("b"))
    add_remote(ladder, Newcomer("d", "Dan"))
    with pytest.raises(ContestError, match="b: the ladder is full"):
        add_remote(ladder, Newcomer("b"))


def test_a_bot_has_a_number_of_versions_in_a_day(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path, f"{FILE}[quotas]\nversions_per_day = 2\n")
    for hours in (0, 10):
        add_remote(ladder, Newcomer("a"), lambda hours=hours: NOW + timedelta(hours=hours))  # type: ignore[misc]
    with pytest.raises(ContestError, match="a: it had 2 versions in a day"):
        add_remote(ladder, Newcomer("a"), lambda: NOW + timedelta(hours=23))
    assert add_remote(ladder, Newcomer("b"), lambda: NOW + timedelta(hours=23)).number == 1
    third = add_remote(ladder, Newcomer("a"), lambda: NOW + timedelta(hours=25))
    assert third == BotJoined("a", 3, "3", "a", "default", by="host")


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
    with pytest.raises(ContestError, match=r"\[\[staff\]\] tight: a bot of Ann has this name.\nhint: rename yours"):
        enter(ladder)


def test_a_remote_staff_bot_has_no_files(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path, f'{FILE}[[staff]]\nname = "guide"\nconnect = true\n')
    (guide,) = joined_in(ladder)
    assert (guide.joined.hosted, guide.joined.files) == (False, ())
    assert not ladder.files_of("guide", 1).exists()
    enter(ladder)
    assert len(joined_in(ladder)) == 1
