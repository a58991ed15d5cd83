"""The section [listen]: only TLS or a word opens a contest to the network, and every problem names the way out."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bourre_referee.contest.certificate_dates import expiry
from bourre_referee.contest.contest_file import load
from bourre_referee.contest.listen import certificate_commands, settings_for_authors, tls_problems, trusted_file
from bourre_referee.model.errors import ContestError
from bourre_referee.model.listener_spec import Listen, TlsFiles
from tests.certificates import Authority
from tests.referee.contests import FILE, write_contest

pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason="there is no openssl: apt-get install openssl")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with certificates: `own`, which vouches for itself, and others, which `authority` signs."""
    folder = tmp_path_factory.mktemp("listen")
    authority = Authority(folder)
    authority.self_signed("own")
    authority.signed("good")
    authority.signed("other")
    authority.signed("old", days=-1)
    authority.signed("named", host="referee.example,DNS:other.example")
    return folder


def listening(folder: Path, section: str) -> Listen:
    """What a contest file with this section says."""
    return load(write_contest(folder, f"{FILE}[listen]\n{section}\n")).listen


GOOD = 'tls_cert = "good.pem"\ntls_key = "good.key"\n'


def test_without_a_section_only_this_machine_can_connect(folder: Path) -> None:
    assert load(write_contest(folder)).listen == Listen("127.0.0.1:0", None)


@pytest.mark.parametrize("address", ["127.0.0.1:7443", "localhost:0", "[::1]:7443"])
def test_loopback_needs_no_tls(folder: Path, address: str) -> None:
    assert listening(folder, f'address = "{address}"') == Listen(address)


def test_a_network_takes_tls_or_a_word(folder: Path) -> None:
    assert listening(folder, 'address = "0.0.0.0:7443"\ninsecure = true') == Listen("0.0.0.0:7443")
    files = TlsFiles(folder / "good.pem", folder / "good.key", folder / "authority.pem")
    found = listening(folder, f'address = "0.0.0.0:7443"\n{GOOD}client_ca = "authority.pem"')
    assert found == Listen("0.0.0.0:7443", files)


PEM = "it and tls_key must be a PEM certificate and its PEM key, without a passphrase"


@pytest.mark.parametrize(
    ("section", "problem"),
    [
        (
            'address = "0.0.0.0:7443"',
            "tls_key, or insecure = true for a network that you trust",
        ),
        ('address = "example.org:7443"', "or insecure = true"),
        ('address = "7443"', "must be host:port, such as 0.0.0.0:7443 or [::]:7443"),
        ('address = "::1:7443"', "must be host:port"),
        ('address = "localhost:70000"', "must be host:port"),
        ('tls_cert = "good.pem"', "tls_key is missing. TLS needs a certificate and its key."),
        ('tls_key = "good.key"', "tls_cert is missing"),
        ('tls_cert = "none.pem"\ntls_key = "good.key"', "No such file or directory.\nhint: use another path"),
        (
            'tls_cert = "good.pem"\ntls_key = "other.key"',
            "tls_cert = 'good.pem': tls_key is another certificate's key.\nhint: use the key",
        ),
        ('tls_cert = "good.key"\ntls_key = "good.key"', PEM),
        ('tls_cert = "old.pem"\ntls_key = "old.key"', "tls_cert = 'old.pem': it expired on 20"),
        (f'{GOOD}client_ca = "good.key"', "it has no certificate.\nhint: use a PEM file"),
        ('client_ca = "authority.pem"', "client_ca needs TLS"),
        (f"{GOOD}insecure = true", "insecure = true contradicts tls_cert.\nhint: remove one of them"),
        ('adress = "localhost:1"', "Did you mean 'address'?"),
    ],
)
def test_each_problem_is_told_with_its_line_and_the_way_out(folder: Path, section: str, problem: str) -> None:
    with pytest.raises(ContestError) as caught:
        listening(folder, section)
    assert problem in str(caught.value)
    assert re.match(r".*/contest\.toml:\d+: \[listen\] ", str(caught.value))


@pytest.mark.parametrize("days", [-1, 30, 20_000, 40_000])
def test_the_end_of_a_certificate_is_read_as_openssl_reads_it(tmp_path: Path, days: int) -> None:
    authority = Authority(tmp_path)
    made = authority.signed("made", days=days)
    assert expiry(made.cert.read_bytes()) == made.end()
    both = made.cert.read_bytes() + authority.ca.read_bytes()
    assert expiry(both) == min(made.end(), authority.own.end())


def told(listen: Listen, bot: str = "ada") -> dict[str, str]:
    """What the author of a bot is told besides its token."""
    return settings_for_authors(listen, listen.address, [bot])[bot]


def test_authors_are_told_what_vouches_for_the_referee(folder: Path) -> None:
    own = Listen("localhost:1", TlsFiles(folder / "own.pem", folder / "own.key"))
    assert told(own) == {"BOURRE_ADDRESS": "localhost:1", "BOURRE_CA": str(folder / "own.pem")}
    unknown = Listen("localhost:1", TlsFiles(folder / "good.pem", folder / "good.key"))
    assert told(unknown)["BOURRE_CA"] == "AUTHORITY-OF-THE-CERTIFICATE.pem"
    assert told(Listen()) == {"BOURRE_ADDRESS": "AS-THE-RUN-SAYS"}


def test_an_authority_that_the_machine_knows_is_called_system(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(folder / "authority.pem"))
    known = Listen("localhost:1", TlsFiles(folder / "good.pem", folder / "good.key"))
    assert told(known)["BOURRE_CA"] == "system"


def test_with_mutual_tls_each_bot_is_told_of_files_of_its_name(folder: Path) -> None:
    mutual = Listen("localhost:1", TlsFiles(folder / "good.pem", folder / "good.key", folder / "authority.pem"))
    assert told(mutual, "bob") == {
        "BOURRE_ADDRESS": "localhost:1",
        "BOURRE_CA": str(folder / "authority.pem"),
        "BOURRE_CERT": "bob.pem",
        "BOURRE_KEY": "bob.key",
    }


def test_the_address_that_authors_dial_is_the_one_in_the_certificate(folder: Path) -> None:
    assert not told(Listen("0.0.0.0:1"))["BOURRE_ADDRESS"].startswith("0")
    named = Listen("0.0.0.0:1", TlsFiles(folder / "named.pem", folder / "named.key"))
    assert told(named)["BOURRE_ADDRESS"] == "referee.example:1"


def test_the_commands_for_a_bots_certificate_make_one_that_names_it(folder: Path, tmp_path: Path) -> None:
    for command in certificate_commands(folder / "authority.pem", "ada"):
        subprocess.run(
            command.replace("ITS-KEY.pem", str(folder / "authority.key")), shell=True, check=True, cwd=tmp_path
        )
    made = TlsFiles(tmp_path / "ada.pem", tmp_path / "ada.key", folder / "authority.pem")
    assert not list(tls_problems(made))
    assert trusted_file(made) == str(folder / "authority.pem")
