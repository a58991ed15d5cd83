"""Contests with bots that their authors start: one address, one token for all rooms, over TLS."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_file import load
from bourre_referee.diagnostics.attacks.descendants import children_of
from bourre_referee.model.errors import Interrupted
from bourre_referee.model.listener_spec import Listen, TlsFiles
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.invitations import Invitation, renew_token, revoke_token
from bourre_referee.runner.progress import Progress
from bourre_referee.storage.run.run import Run
from tests.certificates import Authority, Certificate
from tests.end_to_end.remote_bots import RemoteBots

pytestmark = [
    pytest.mark.skipif(not shutil.which("openssl"), reason="there is no openssl: apt-get install openssl"),
    pytest.mark.xdist_group("processes"),
]
NAMES = ("ada", "bob", "cy")
HEAD = """\
[contest]
name = "remote"
seed = 7
[table]
seats = 3
deals = 4
[schedule]
rounds = 1
[clock]
start_ms = 60000
decision_ms = 60000
connect_ms = {connect_ms}
[isolation]
level = "none"
"""
LOCAL = 'command = ["python", "bot.py"]'
REMOTE = "connect = true"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


def contest_of(folder: Path, remote: str, connect_ms: int = 60_000) -> Contest:
    """Three matches of these bots; the remote ones are named in one string."""
    (folder / "bot.py").write_text('from bourre import Bot, run\nif __name__ == "__main__":\n    run(Bot)\n')
    bots = "".join(f'[[bots]]\nname = "{name}"\n{REMOTE if name in remote.split() else LOCAL}\n' for name in NAMES)
    (folder / "contest.toml").write_text(HEAD.format(connect_ms=connect_ms) + bots)
    return load(folder / "contest.toml")


def with_tls(contest: Contest, authority: Authority, *, mutual: bool = False, into: Path | None = None) -> Contest:
    """The same contest behind a certificate for localhost, whose files are copied into a folder if one is given."""
    made = authority.signed("referee")
    if into:
        made = copy(made, into)
    tls = TlsFiles(made.cert, made.key, authority.ca if mutual else None)
    return replace(contest, listen=Listen("localhost:0", tls))


def copy(certificate: Certificate, folder: Path) -> Certificate:
    """Writes a certificate over the one in this folder."""
    return Certificate(
        Path(shutil.copy(certificate.cert, folder / "cert.pem")), Path(shutil.copy(certificate.key, folder / "key.pem"))
    )


def played(
    contest: Contest,
    folder: Path,
    bots: RemoteBots,
    environment: dict[str, str] | None = None,
    watch: Callable[[Progress], None] = lambda _: None,
) -> Run:
    """Plays a contest with these bots, each started as soon as it is invited."""

    def start(progress: Progress) -> None:
        for invitation in progress.invitations:
            bots.start(invitation.bot, {**invitation.variables, **(environment or {})})
        watch(progress)

    return run(contest, folder, jobs=1, watch=start)


@pytest.fixture(scope="module")
def digest(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of the contest if the referee starts every bot."""
    folder = tmp_path_factory.mktemp("local")
    with RemoteBots() as bots:
        found = played(contest_of(folder, ""), folder / "run", bots).manifest.digest
    assert found is not None
    return found


def faults(folder: Run) -> dict[str, int]:
    """How many faults each bot has."""
    found = dict.fromkeys(NAMES, 0)
    for result in folder.results():
        for seat in result.seats:
            found[seat.bot] += seat.faults
    return found


@pytest.mark.parametrize("remote", ["ada", pytest.param(" ".join(NAMES), marks=pytest.mark.long)], ids=["mixed", "all"])
def test_remote_bots_over_tls_play_as_local_ones_do(
    remote: str, digest: str, authority: Authority, tmp_path: Path
) -> None:
    contest = with_tls(contest_of(tmp_path, remote), authority)
    with RemoteBots() as bots:
        folder = played(contest, tmp_path / "run", bots, {"BOURRE_CA": str(authority.ca)})
        assert bots.ends() == dict.fromkeys(remote.split(), "")
    assert folder.manifest.digest == digest


@pytest.mark.long
def test_with_mutual_tls_a_bot_shows_a_certificate_too(digest: str, authority: Authority, tmp_path: Path) -> None:
    contest = with_tls(contest_of(tmp_path, "ada"), authority, mutual=True)
    told: list[tuple[str, tuple[str, ...]]] = []

    def watch(progress: Progress) -> None:
        if progress.presence and progress.presence.change:
            told.append((progress.presence.change, progress.presence.missing))

    own = authority.signed("ada")
    with RemoteBots() as bots:
        files = {"BOURRE_CA": str(authority.ca), "BOURRE_CERT": str(own.cert), "BOURRE_KEY": str(own.key)}
        folder = played(contest, tmp_path / "run", bots, files, watch)
    assert folder.manifest.digest == digest
    assert told == [("ada connected", ())]


@pytest.mark.long
def test_a_listener_that_is_killed_opens_again_and_the_bots_come_back(digest: str, tmp_path: Path) -> None:
    killed: list[int] = []
    notices: list[str] = []

    def kill_once(progress: Progress) -> None:
        notices.extend(progress.notices)
        if progress.done and not killed:
            (listener,) = {*children_of(os.getpid())} - before
            os.kill(listener, signal.SIGKILL)
            killed.append(listener)

    with RemoteBots() as bots:
        before = {*children_of(os.getpid())}
        folder = played(contest_of(tmp_path, " ".join(NAMES)), tmp_path / "run", bots, watch=kill_once)
        assert bots.ends() == dict.fromkeys(NAMES, "")
    assert folder.manifest.digest == digest
    assert any("the listener process was killed by SIGKILL" in notice for notice in notices)


REVOKED = "The referee refused: the token of ada was revoked: ask the organiser for a new one"


def test_a_bot_whose_token_is_revoked_amid_the_contest_is_told_and_then_absent(tmp_path: Path) -> None:
    ends: list[tuple[str, str]] = []

    def revoke_once(progress: Progress) -> None:
        if progress.presence and progress.presence.here and not ends:
            assert revoke_token("ada", tmp_path / "run" / "tokens.json")
            ends.append(bots.next_end())

    with RemoteBots() as bots:
        folder = played(contest_of(tmp_path, "ada", connect_ms=2_000), tmp_path / "run", bots, watch=revoke_once)
    assert ends == [("ada", REVOKED)]
    assert faults(folder)["ada"] > 0


@pytest.mark.long
def test_a_bot_with_a_renewed_token_takes_its_seat_again(digest: str, tmp_path: Path) -> None:
    settings: dict[str, str] = {}

    def renew_once(progress: Progress) -> None:
        for invitation in progress.invitations:
            settings.update(invitation.settings)
        if progress.done == 1 and progress.latest:
            token = renew_token("ada", tmp_path / "run" / "tokens.json")
            bots.start("ada again", {**settings, "BOURRE_TOKEN": token})
            assert bots.next_end() == ("ada", REVOKED)

    with RemoteBots() as bots:
        folder = played(contest_of(tmp_path, " ".join(NAMES)), tmp_path / "run", bots, watch=renew_once)
        assert bots.ends() == {"ada again": "", "bob": "", "cy": ""}
    assert folder.manifest.digest == digest


def test_bots_wait_out_an_interruption_and_find_the_referee_again(digest: str, tmp_path: Path) -> None:
    contest = contest_of(tmp_path, " ".join(NAMES))

    def interrupt(progress: Progress) -> None:
        if progress.latest:
            raise KeyboardInterrupt

    with RemoteBots() as bots:
        with pytest.raises(Interrupted):
            played(contest, tmp_path / "run", bots, watch=interrupt)
        folder = run(contest, tmp_path / "run", jobs=1)
        assert bots.ends() == dict.fromkeys(NAMES, "")
    assert folder.manifest.digest == digest


@pytest.mark.long
def test_a_certificate_that_is_renewed_amid_the_contest_is_shown_to_who_comes_next(
    digest: str, authority: Authority, tmp_path: Path
) -> None:
    contest = with_tls(contest_of(tmp_path, "ada bob"), authority, into=tmp_path)
    other = Authority(tmp_path / "other")
    invited: dict[str, Invitation] = {}
    told: list[str] = []

    def watch(progress: Progress) -> None:
        invited.update((invitation.bot, invitation) for invitation in progress.invitations)
        if progress.invitations:
            bots.start("ada", {**invited["ada"].variables, "BOURRE_CA": str(authority.ca)})
        told.append(progress.presence.change if progress.presence else "")
        if told[-1] == "ada connected":
            copy(other.signed("referee"), tmp_path)
        if told[-1].endswith("new connections get the new certificate"):
            bots.start("bob", {**invited["bob"].variables, "BOURRE_CA": str(other.ca)})

    with RemoteBots() as bots:
        folder = run(contest, tmp_path / "run", jobs=1, watch=watch)
        assert bots.ends() == {"ada": "", "bob": ""}
    assert folder.manifest.digest == digest
