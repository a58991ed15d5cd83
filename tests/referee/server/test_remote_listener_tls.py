"""The certificates of a listener and of its bots: which names they need, and how changed files are loaded."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from bourre import codec
from bourre.bot import Bot
from bourre.connection.channel import Tls, open_channel
from bourre.connection.client import ClientRefused, play
from bourre.messages import Hello
from bourre.v1.referee_pb2_grpc import RefereeStub
from bourre_referee.model.errors import ContestError
from bourre_referee.model.listener_spec import Listen, ListenerSpec, Pems, TlsFiles, hash_token
from bourre_referee.model.spec import Clock
from bourre_referee.runner.remote_worker import CertificateFiles
from bourre_referee.server.remote_listener import RemoteListener
from tests.certificates import Authority, Certificate

pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason="there is no openssl: apt-get install openssl")
BOTS = ("ada", "bob")


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@dataclass
class Shown:
    """What the listener shows, as a test changes it."""

    pems: Pems

    def __call__(self) -> Pems:
        return self.pems


def pems_of(certificate: Certificate, client_ca: Path | None = None) -> Pems:
    return Pems(
        certificate.cert.read_bytes(), certificate.key.read_bytes(), client_ca.read_bytes() if client_ca else None
    )


def bots_tls(ca: Path, own: Certificate | None = None) -> Tls:
    """What a bot brings that trusts this authority."""
    return Tls(ca.read_bytes(), own.cert.read_bytes() if own else None, own.key.read_bytes() if own else None)


@asynccontextmanager
async def opened(shown: Shown | None) -> AsyncIterator[str]:
    """A listener for ada and bob, whose tokens are their names; gives its address. It has TLS if it shows something."""
    spec = ListenerSpec("contest", BOTS, Clock(), Listen("localhost:0"), Path())
    listener = RemoteListener(spec, lambda _bot, _here: None, lambda: None, shown)
    listener.use_tokens({bot: hash_token(bot) for bot in BOTS}, {})
    async with listener.open() as port:
        yield f"localhost:{port}"


async def said(address: str, token: str, tls: Tls) -> str:
    """The referee's first words to a bot with this token: whom it welcomes, or why it refuses."""
    async with open_channel(address, tls) as channel:
        call = RefereeStub(channel).Play()
        await call.write(codec.hello_to_wire(Hello(token)))
        message = await call.read()
        bundle = codec.bundle_from_wire(message, {})
        call.cancel()
    return f"welcome {bundle.welcome.bot}" if bundle.welcome else bundle.refusal


REFUSED = "this token needs a certificate with {} as its common name or an alternative name"


@pytest.mark.parametrize(
    ("common", "alternative", "token", "answer"),
    [
        ("ada", "localhost", "ada", "welcome ada"),
        ("team", "ada", "ada", "welcome ada"),
        ("team", "bob,DNS:ada", "ada", "welcome ada"),
        ("bob", "localhost", "ada", REFUSED.format("ada")),
        ("Ada", "*.ada,DNS:ada.example", "ada", REFUSED.format("ada")),
        ("ada", "localhost", "wrong", "unknown token: use BOURRE_TOKEN as the organiser"),
    ],
)  # fmt: skip
async def test_with_mutual_tls_a_token_takes_a_certificate_that_names_its_bot(
    common: str, alternative: str, token: str, answer: str, authority: Authority
) -> None:
    async with opened(Shown(pems_of(authority.signed("listener"), authority.ca))) as address:
        found = await said(address, token, bots_tls(authority.ca, authority.signed(common, alternative)))
    assert found.startswith(answer)


async def test_without_mutual_tls_the_token_is_enough(authority: Authority) -> None:
    async with opened(Shown(pems_of(authority.signed("listener")))) as address:
        found = await said(address, "ada", bots_tls(authority.ca, authority.signed("bob")))
    assert found == "welcome ada"


async def test_a_renewed_certificate_is_shown_to_who_comes_and_disturbs_nobody(
    authority: Authority, tmp_path: Path
) -> None:
    other = Authority(tmp_path)
    shown = Shown(pems_of(authority.signed("listener")))
    async with opened(shown) as address, open_channel(address, bots_tls(authority.ca)) as channel:
        call = RefereeStub(channel).Play()
        await call.write(codec.hello_to_wire(Hello("bob")))
        await call.read()
        before = await said(address, "ada", bots_tls(authority.ca))
        shown.pems = pems_of(other.signed("listener"))
        after = [await said(address, "ada", bots_tls(other.ca)) for _ in range(2)]
        second = await said(address, "bob", bots_tls(other.ca))
        call.cancel()
        found = [before, *after, second]
    *welcomes, still_here = found
    assert welcomes == ["welcome ada"] * 3
    assert still_here == "bob is already connected: a token opens one connection at a time"


def refusal(shown: Shown | None, tls: Tls | None) -> str:
    """What our client says that cannot come."""

    async def knock() -> str:
        async with opened(shown) as address:
            with pytest.raises(ClientRefused) as refused:
                await play(Bot, address, "ada", dial_seconds=5, tls=tls)
            return str(refused.value)

    return asyncio.run(knock())


def test_a_bot_says_in_words_what_is_wrong_with_its_tls(authority: Authority, tmp_path: Path) -> None:
    good = Shown(pems_of(authority.signed("listener")))
    trusts = bots_tls(authority.ca)
    strict = Shown(pems_of(authority.signed("listener"), authority.ca))
    expired, elsewhere = authority.signed("old", days=-1), authority.signed("elsewhere", host="example.org")
    for shown, tls, words in [
        (Shown(pems_of(expired)), trusts, "its certificate has expired.\nhint: ask the organiser to renew it"),
        (Shown(pems_of(elsewhere)), trusts, "its certificate has another name.\nhint: use the host of the invitation"),
        (good, bots_tls(Authority(tmp_path).ca), "BOURRE_CA does not vouch for its certificate"),
        (good, Tls(b"no PEM"), "a certificate is not PEM"),
        (good, None, "The referee may use TLS.\nhint: set BOURRE_CA"),
        (None, trusts, "it does not use TLS.\nhint: unset BOURRE_CA"),
        (strict, trusts, "The referee may require a certificate.\nhint: set BOURRE_CERT"),
        (
            strict,
            bots_tls(authority.ca, Authority(tmp_path).own),
            "The referee may not know the certificate.\nhint: set BOURRE_CERT",
        ),
    ]:
        assert words in refusal(shown, tls), words


class Folder:
    """The files that a listener watches, and what its organiser hears of them."""

    def __init__(self, folder: Path, first: Certificate) -> None:
        self.files = TlsFiles(folder / "cert.pem", folder / "key.pem")
        self.put(first)
        self.watch = CertificateFiles(self.files)

    def put(self, certificate: Certificate) -> None:
        """Replaces both files."""
        self.put_cert(certificate)
        self.put_key(certificate)

    def put_cert(self, certificate: Certificate) -> None:
        self._replace(certificate.cert, self.files.cert)

    def put_key(self, certificate: Certificate) -> None:
        self._replace(certificate.key, self.files.key)

    def _replace(self, source: Path, target: Path) -> None:
        new = target.with_suffix(".new")
        new.write_bytes(source.read_bytes())
        new.replace(target)

    def shows(self, certificate: Certificate) -> bool:
        return self.watch.shown == Pems(certificate.cert.read_bytes(), certificate.key.read_bytes())

    def looks(self, times: int) -> list[str]:
        """What each look says; an error counts as said."""
        return [self._look() for _ in range(times)]

    def _look(self) -> str:
        try:
            return self.watch.look()
        except ContestError as error:
            return str(error)


def test_a_new_certificate_is_shown_once_its_files_rest(authority: Authority, tmp_path: Path) -> None:
    old, new = authority.signed("old"), authority.signed("new")
    folder = Folder(tmp_path, old)
    assert folder.looks(2) == ["", ""]
    folder.put_cert(new)
    assert folder.looks(1) == [""]
    folder.put_key(new)
    assert folder.looks(1) == [""]
    assert folder.shows(old)
    said = f"{tmp_path}/cert.pem has changed: new connections get the new certificate"
    assert folder.looks(3) == [said, "", ""]
    assert folder.shows(new)


BEFORE = "\nStill using the previous certificate."


def test_files_that_cannot_be_used_are_reported_once_and_change_nothing(authority: Authority, tmp_path: Path) -> None:
    old, new = authority.signed("old"), authority.signed("new")
    folder = Folder(tmp_path, old)
    folder.put_cert(new)
    wrong_key = "tls_key is another certificate's key.\nhint: use the key of this certificate"
    assert folder.looks(3) == ["", f"{tmp_path}/cert.pem: {wrong_key}{BEFORE}", ""]
    folder.files.key.unlink()
    missing = "No such file or directory.\nhint: use another path, or change its permissions"
    assert folder.looks(3) == ["", f"{tmp_path}/key.pem: {missing}{BEFORE}", ""]
    folder.put(expired := authority.signed("expired", days=-1))
    on = f"{expired.end():%Y-%m-%d %H:%M} UTC"
    assert folder.looks(3) == ["", f"{tmp_path}/cert.pem: it expired on {on}.\nhint: renew it{BEFORE}", ""]
    assert folder.shows(old)
    folder.put(new)
    assert folder.looks(2)[1].endswith("new connections get the new certificate")
    assert folder.shows(new)


def test_the_host_is_warned_before_a_certificate_expires_and_then(authority: Authority, tmp_path: Path) -> None:
    old = authority.signed("old")
    now, folder = old.end() - timedelta(days=15), Folder(tmp_path, old)
    folder.watch = CertificateFiles(folder.files, lambda: now)
    said: dict[float, str] = {}
    for hours in range(-24 * 15, 24, 6):
        now = old.end() + timedelta(hours=hours)
        if text := "".join(folder.looks(2)):
            said[hours / 24] = text.partition("\nhint: ")[0]
    cert, on = folder.files.cert, f"{old.end():%Y-%m-%d %H:%M} UTC"
    soon = f"{cert} expires on {on}: bots cannot connect after that."
    assert said == {-14: soon, -7: soon, -3: soon, -1: soon, 0: f"{cert} expired on {on}: no bot can connect any more."}
    folder.put(authority.signed("new", days=99))
    assert len(set(folder.looks(3))) == 2


def test_a_file_that_is_only_touched_is_no_news(authority: Authority, tmp_path: Path) -> None:
    folder = Folder(tmp_path, authority.signed("old"))
    folder.put(authority.signed("old2"))
    folder.looks(2)
    folder.files.cert.touch()
    assert folder.looks(3) == [""] * 3


def test_a_listener_never_begins_with_files_that_cannot_be_used(authority: Authority, tmp_path: Path) -> None:
    with pytest.raises(ContestError, match=r"cert\.pem: it expired on 20..-..-.. ..:.. UTC\.\nhint: renew it"):
        Folder(tmp_path, authority.signed("expired2", days=-1))


def test_the_authority_of_the_bots_is_watched_too(authority: Authority, tmp_path: Path) -> None:
    made, other, ca = authority.signed("referee"), Authority(tmp_path / "other"), tmp_path / "ca.pem"
    ca.write_bytes(authority.ca.read_bytes())
    watch = CertificateFiles(TlsFiles(made.cert, made.key, ca))
    assert watch.shown == Pems(made.cert.read_bytes(), made.key.read_bytes(), authority.ca.read_bytes())
    ca.write_bytes(other.ca.read_bytes())
    assert [bool(watch.look()) for _ in range(3)] == [False, True, False]
    assert watch.shown == Pems(made.cert.read_bytes(), made.key.read_bytes(), other.ca.read_bytes())
