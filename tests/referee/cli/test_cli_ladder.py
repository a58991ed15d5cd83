"""`bourre ladder`: what its host types, and what it is told."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import make_archive

import pytest

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import BotArrived, EpochOpened, RoomFinished, RoomPaired
from bourre_referee.model.listener_spec import hash_token
from bourre_referee.storage.run.tokens import TokenFile
from tests.referee.command import Ended, called
from tests.referee.ladder.host.ladder_folders import FILE, STAFF, append, state_of, write_file


class Host:
    """A host who types commands about one ladder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ladder = LadderFolder(folder)

    def types(self, command: str, *words: str, code: int = 0) -> Ended:
        """Runs `bourre ladder COMMAND DIR WORDS`, which is to end with this code."""
        ended = called("ladder", command, self.folder, *words)
        assert ended.code == code, ended.err
        return ended


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """The host of a new ladder behind a known address."""
    file = write_file(tmp_path / "host", f'{FILE}[listen]\naddress = "localhost:7443"\n{STAFF}')
    host = Host(tmp_path / "ladder")
    assert host.types("init", str(file)).out == f"{host.folder} is a ladder now, with 1 reference bot\n"
    return host


def test_a_folder_in_use_is_refused(host: Host, tmp_path: Path) -> None:
    ended = host.types("init", str(tmp_path / "host/ladder.toml"), code=2)
    assert "already exists." in ended.err
    assert "--out" not in ended.err


def test_the_author_of_a_remote_bot_is_told_address_and_token_once(host: Host) -> None:
    added = host.types("add", "far", "--remote", "--owner", "Ann", "--version", "0.1")
    bot, _, environment = added.out.strip().partition(": ")
    token = environment.removeprefix("BOURRE_ADDRESS=localhost:7443 BOURRE_TOKEN=")
    assert TokenFile(host.ladder.tokens).read().bots == {bot: hash_token(token)}
    assert "far of Ann has joined as version 1" in added.err
    again = host.types("add", "far", "--remote")
    assert (again.out, "far has a token, which was shown" in again.err) == ("", True)
    assert TokenFile(host.ladder.tokens).read().bots == {bot: hash_token(token)}


def test_a_token_is_renewed_and_revoked(host: Host) -> None:
    host.types("add", "far", "--remote")
    first = TokenFile(host.ladder.tokens).read().bots
    assert host.types("token", "far").out == ""
    assert host.types("token", "far", "--renew").out.startswith("far: BOURRE_ADDRESS=")
    assert TokenFile(host.ladder.tokens).read().bots != first
    assert "Revoked the token of far" in host.types("token", "far", "--revoke").err
    assert TokenFile(host.ladder.tokens).read().bots == {}
    assert "Unknown remote bot 'tight'. Remote bots: far.\n" in host.types("token", "tight", code=2).err
    assert "exclude each other" in host.types("token", "far", "--renew", "--revoke", code=2).err


def test_the_key_of_an_owner_is_told_and_renewed(host: Host) -> None:
    """A renewed key is told once; what stands in the ladder's folder is its hash."""
    told = host.types("add", "far", "--remote", "--owner", "Ann B").err.splitlines()[-1]
    assert "Ann B logs in at /owner on the ladder's pages, with the key " in told
    assert host.types("key", "Ann B").err.strip() == told
    new = host.types("key", "Ann B", "--renew").err.split()[-1]
    assert new not in (told.split()[-1], (host.folder / "owners.json").read_text())
    assert "which was shown once.\nhint: bourre ladder key" in host.types("key", "Ann B").err
    assert "which was shown" in host.types("add", "near", "--remote", "--owner", "Ann B").err
    assert "Unknown owner 'Bob'. Owners: Ann B.\n" in host.types("key", "Bob", code=2).err


def test_a_retired_bot_has_no_token_and_gets_one_when_it_is_back(host: Host) -> None:
    host.types("add", "far", "--remote")
    host.types("retire", "far")
    assert TokenFile(host.ladder.tokens).read().bots == {}
    assert host.types("add", "far", "--remote").out.startswith("far: BOURRE_ADDRESS=")


def test_a_hosted_bot_is_copied_and_the_token_of_its_remote_version_revoked(host: Host, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/bot.py").write_text("# mine\n")
    host.types("add", "mine", "--remote")
    host.types("add", "mine", "--command", "python bot.py", "--from", str(tmp_path / "mine"))
    assert (host.ladder.files_of("mine", 2) / "bot.py").read_text() == "# mine\n"
    assert TokenFile(host.ladder.tokens).read().bots == {}


def test_a_hosted_bot_is_taken_from_a_zip_or_its_only_file(host: Host, tmp_path: Path) -> None:
    (tmp_path / "mybot").mkdir()
    (tmp_path / "mybot/mine.py").write_text("from bourre import Bot, run\nrun(Bot)\n")
    packed = make_archive(str(tmp_path / "packed"), "zip", tmp_path, "mybot")
    for number, source in enumerate([packed, str(tmp_path / "mybot/mine.py")], start=1):
        host.types("add", "mine", "--command", "python bot.py", "--from", source)
        assert [path.name for path in host.ladder.files_of("mine", number).iterdir()] == ["bot.py"]
    words = ("add", "mine", "--command", "python bot.py", "--from", packed)
    assert "hint: remove --files" in host.types(*words, "--files", "bot.py", code=2).err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "Who starts the bot?"),
        (("--remote", "--command", "x"), "Who starts the bot?"),
        (("--remote", "--files", "x"), "--files and --from are for a bot with --command"),
        (("--command", "python 'x"), "No closing quotation"),
        (("--command", ""), "--command is empty"),
        (("--command", "python none.py"), "no file 'none.py' here"),
        (("--remote", "--owner", "host"), "is reserved for the ladder's own bots"),
    ],
)
def test_a_bot_that_cannot_join_is_refused(host: Host, words: tuple[str, ...], message: str) -> None:
    assert message in host.types("add", "bob", *words, code=2).err
    assert [*state_of(host.ladder).bots] == ["tight"]


def test_what_the_host_does_is_seen_in_status_and_log(host: Host) -> None:
    for bot in "abc":
        host.types("add", bot, "--remote", "--owner", f"owner of {bot}")
    host.types("pause", "a")
    host.types("suspend", "b", "--reason", "too many faults")
    host.types("freeze")
    status = host.types("status")
    lines = [" ".join(line.split()) for line in status.out.splitlines()]
    assert lines[0] == "class: season 1, epoch 0, final rounds"
    assert "a.1 1 owner of a remote 0 - the host paused it" in lines
    assert "b.1 1 owner of b remote 0 - the host suspended it: too many faults" in lines
    assert "c.1 1 owner of c remote 0 - it is not connected, or has come and gone too often" in lines
    assert "tight.1 1 host staff 0 - it plays when the ladder is served" in lines
    assert "Nobody serves this ladder now" in status.err
    host.types("resume", "a")
    host.types("reinstate", "b")
    host.types("freeze", "--thaw")
    assert "season 2 begins" in host.types("season").out
    log = host.types("log").out.splitlines()
    assert [line.split(" ", 1)[1] for line in log[-7:]] == [
        "bot paused: bot a, by host",
        "bot benched: bot b, reason too many faults, by host",
        "ladder frozen",
        "bot resumed: bot a, by host",
        "bot reinstated: bot b, by host",
        "ladder thawed",
        "season opened: season 2",
    ]


def test_programs_read_status_and_log_as_json(host: Host) -> None:
    status = json.loads(host.types("status", "--json").out)
    assert (status["season"], status["events"], status["served"]) == (1, 3, False)
    (tight,) = status["bots"]
    assert (tight["name"], tight["kind"], tight["waiting"]["place"]) == ("tight.1", "staff", None)
    assert host.types("log", "--json").out == host.ladder.log.read_text()


def test_a_match_is_taken_back_with_a_reason(host: Host) -> None:
    for bot in "ab":
        host.types("add", bot, "--remote")
    append(host.ladder, EpochOpened(1, "", ""))
    assert "Unknown room 1." in host.types("annul", "1", "--reason", "x", code=2).err
    append(host.ladder, BotArrived("a"), BotArrived("b"), RoomPaired(1, ("a", "b"), rated=True), RoomFinished(1, 1))
    assert (
        host.types("annul", "1", "--reason", "overloaded").out
        == "the match of room 1, in epoch 1, is void: overloaded\n"
    )


def test_a_changed_log_is_refused(host: Host) -> None:
    host.ladder.log.write_text(host.ladder.log.read_text().replace('"seats":3', '"seats":4'))
    assert "ladder.jsonl: line 2 does not follow the line before it" in host.types("status", code=2).err


def test_a_folder_without_a_ladder_is_explained(tmp_path: Path) -> None:
    assert "is not a ladder" in Host(tmp_path).types("pause", "a", code=2).err


def test_the_host_says_where_an_owner_gets_notices(host: Host) -> None:
    host.types("add", "far", "--remote", "--owner", "Ann B")
    assert host.types("notify", "Ann B").err == "bourre: Ann B gets no notices\n"
    set_to = host.types("notify", "Ann B", "--webhook", "https://example.org/x", "--mail", "ann@example.org").err
    assert set_to == "bourre: Ann B gets notices at https://example.org/x and ann@example.org\n"
    assert host.types("notify", "Ann B").err == set_to
    assert host.types("notify", "Ann B", "--off").err.endswith("gets no notices\n")
    assert "Unknown owner 'Bob'. Owners: " in host.types("notify", "Bob", "--mail", "b@example.org", code=2).err
    assert "must be an http or https address" in host.types("notify", "Ann B", "--webhook", "file:///x", code=2).err
    assert "--internal needs --webhook" in host.types("notify", "Ann B", "--internal", code=2).err
    for words in (("--mail-server", "localhost"), ("--mail-server", "h:x", "--mail-from", "a@b")):
        assert "--mail-" in host.types("start", *words, code=2).err
