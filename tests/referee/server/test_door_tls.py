"""The certificates of a door and of its bots: which names they take, and how they are renewed."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bourre import codec
from bourre.bot import Bot
from bourre.connection.channel import Tls, open_channel
from bourre.connection.client import Refused, play
from bourre.messages import Hello
from bourre.v1.referee_pb2_grpc import RefereeStub
from bourre_referee.model.door_spec import DoorSpec, Listen, Pems, hash_token
from bourre_referee.model.spec import Clock
from bourre_referee.server.door import Door
from tests.certificates import Authority, Certificate

pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason="there is no openssl: apt-get install openssl")
BOTS = ("ada", "bob")


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@dataclass
class Shown:
    """What the door shows, as a test changes it."""

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
    """A door for ada and bob, whose tokens are their names; gives its address. It has TLS if it shows something."""
    spec = DoorSpec("contest", BOTS, Clock(), Listen("localhost:0"), Path())
    door = Door(spec, lambda _bot, _here: None, lambda: None, shown)
    door.use_tokens({bot: hash_token(bot) for bot in BOTS}, {})
    async with door.open() as port:
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


REFUSED = "this token takes a certificate that names {}, as its common name or an alternative name"


@pytest.mark.parametrize(
    ("common", "alternative", "token", "answer"),
    [
        ("ada", "localhost", "ada", "welcome ada"),
        ("team", "ada", "ada", "welcome ada"),
        ("team", "bob,DNS:ada", "ada", "welcome ada"),
        ("bob", "localhost", "ada", REFUSED.format("ada")),
        ("Ada", "*.ada,DNS:ada.example", "ada", REFUSED.format("ada")),
        ("ada", "localhost", "wrong", "this token opens no seat here: use BOURRE_TOKEN as the organiser"),
    ],
)  # fmt: skip
def test_with_mutual_tls_a_token_takes_a_certificate_that_names_its_bot(
    common: str, alternative: str, token: str, answer: str, authority: Authority
) -> None:
    async def knock() -> str:
        async with opened(Shown(pems_of(authority.signed("door"), authority.ca))) as address:
            return await said(address, token, bots_tls(authority.ca, authority.signed(common, alternative)))

    assert asyncio.run(knock()).startswith(answer)


def test_without_mutual_tls_the_token_is_enough(authority: Authority) -> None:
    async def knock() -> str:
        async with opened(Shown(pems_of(authority.signed("door")))) as address:
            return await said(address, "ada", bots_tls(authority.ca, authority.signed("bob")))

    assert asyncio.run(knock()) == "welcome ada"


def test_a_renewed_certificate_is_shown_to_who_comes_and_disturbs_nobody(authority: Authority, tmp_path: Path) -> None:
    other = Authority(tmp_path)

    async def renew() -> list[str]:
        shown = Shown(pems_of(authority.signed("door")))
        async with opened(shown) as address, open_channel(address, bots_tls(authority.ca)) as channel:
            call = RefereeStub(channel).Play()
            await call.write(codec.hello_to_wire(Hello("bob")))
            await call.read()
            before = await said(address, "ada", bots_tls(authority.ca))
            shown.pems = pems_of(other.signed("door"))
            after = [await said(address, "ada", bots_tls(other.ca)) for _ in range(2)]
            second = await said(address, "bob", bots_tls(other.ca))
            call.cancel()
            return [before, *after, second]

    *welcomes, still_here = asyncio.run(renew())
    assert welcomes == ["welcome ada"] * 3
    assert still_here == "bob is already connected: a token opens one connection at a time"


def refusal(shown: Shown | None, tls: Tls | None) -> str:
    """What our client says that cannot come."""

    async def knock() -> str:
        async with opened(shown) as address:
            with pytest.raises(Refused) as refused:
                await play(Bot, address, "ada", dial_seconds=5, tls=tls)
            return str(refused.value)

    return asyncio.run(knock())


def test_a_bot_says_in_words_what_is_wrong_with_its_tls(authority: Authority, tmp_path: Path) -> None:
    good = Shown(pems_of(authority.signed("door")))
    trusts = bots_tls(authority.ca)
    strict = Shown(pems_of(authority.signed("door"), authority.ca))
    expired, elsewhere = authority.signed("old", days=-1), authority.signed("elsewhere", host="example.org")
    for shown, tls, words in [
        (Shown(pems_of(expired)), trusts, "its certificate has expired: ask the organiser to renew it"),
        (Shown(pems_of(elsewhere)), trusts, "its certificate is for another name: use the host of the invitation"),
        (good, bots_tls(Authority(tmp_path).ca), "BOURRE_CA does not vouch for its certificate"),
        (good, Tls(b"no PEM"), "gRPC cannot read the certificates"),
        (good, None, "it ends every connection: if it uses TLS, set BOURRE_CA as the invitation says"),
        (None, trusts, "it does not use TLS: unset BOURRE_CA"),
        (strict, trusts, "it may want a certificate: set BOURRE_CERT"),
        (strict, bots_tls(authority.ca, Authority(tmp_path).own), "it may not know the certificate in BOURRE_CERT"),
    ]:
        assert words in refusal(shown, tls), words
