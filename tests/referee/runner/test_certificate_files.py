"""The PEM files of a door: read again when they change, and never replaced by what cannot be used."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bourre_referee.model.door_spec import Pems, TlsFiles
from bourre_referee.model.errors import ContestError
from bourre_referee.runner.door_worker import CertificateFiles
from tests.certificates import Authority, Certificate

pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason="there is no openssl: apt-get install openssl")


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


class Folder:
    """The files that a door watches, and what its organiser hears of them."""

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
    said = f"{tmp_path}/cert.pem has changed: the door shows the new certificate to whoever connects"
    assert folder.looks(3) == [said, "", ""]
    assert folder.shows(new)


BEFORE = "; until then the door shows the certificate from before"


def test_files_that_cannot_be_used_are_reported_once_and_change_nothing(authority: Authority, tmp_path: Path) -> None:
    old, new = authority.signed("old"), authority.signed("new")
    folder = Folder(tmp_path, old)
    folder.put_cert(new)
    wrong_key = "tls_key is another certificate's key: give the key that this certificate was made for"
    assert folder.looks(3) == ["", f"{tmp_path}/cert.pem: {wrong_key}{BEFORE}", ""]
    folder.files.key.unlink()
    missing = "No such file or directory: correct the path, or its permissions"
    assert folder.looks(3) == ["", f"{tmp_path}/key.pem: {missing}{BEFORE}", ""]
    folder.put(authority.signed("expired", days=-1))
    assert folder.looks(3) == ["", f"{tmp_path}/cert.pem: it has expired: renew it{BEFORE}", ""]
    assert folder.shows(old)
    folder.put(new)
    assert folder.looks(2)[1].endswith("the door shows the new certificate to whoever connects")
    assert folder.shows(new)


def test_a_file_that_is_only_touched_is_no_news(authority: Authority, tmp_path: Path) -> None:
    folder = Folder(tmp_path, authority.signed("old"))
    folder.put(authority.signed("old2"))
    folder.looks(2)
    folder.files.cert.touch()
    assert folder.looks(3) == [""] * 3


def test_a_door_never_begins_with_files_that_cannot_be_used(authority: Authority, tmp_path: Path) -> None:
    with pytest.raises(ContestError, match=r"cert\.pem: it has expired: renew it"):
        Folder(tmp_path, authority.signed("expired2", days=-1))


def test_the_authority_of_the_bots_is_watched_too(authority: Authority, tmp_path: Path) -> None:
    made, other, ca = authority.signed("referee"), Authority(tmp_path / "other"), tmp_path / "ca.pem"
    ca.write_bytes(authority.ca.read_bytes())
    watch = CertificateFiles(TlsFiles(made.cert, made.key, ca))
    assert watch.shown == Pems(made.cert.read_bytes(), made.key.read_bytes(), authority.ca.read_bytes())
    ca.write_bytes(other.ca.read_bytes())
    assert [bool(watch.look()) for _ in range(3)] == [False, True, False]
    assert watch.shown == Pems(made.cert.read_bytes(), made.key.read_bytes(), other.ca.read_bytes())
