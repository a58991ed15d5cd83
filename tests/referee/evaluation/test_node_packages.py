"""A submission's own packages of npm: locked, downloaded in a sandbox, unpacked without a script, shared."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

import pytest

from bourre_referee.evaluation.packages import environments, node_packages
from bourre_referee.evaluation.packages.boxed_download import Printed
from bourre_referee.evaluation.packages.environments import Environment, Installer
from bourre_referee.evaluation.packages.missing_packages import ignored_lock, name_missing_package
from bourre_referee.evaluation.packages.node_packages import unpack_tree
from bourre_referee.evaluation.packages.package_lock import BadPackages
from bourre_referee.evaluation.packages.packages_section import PackagesSection
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import Level
from tests.referee.tiny_node_packages import NPM, locked_by_npm, write_package

HASH = f"sha512-{'A' * 86}=="


def install(place: Path, submission: Path) -> Environment | None:
    """Installs from a folder without a sandbox, which would hide what a script does."""
    asked = PackagesSection(allow=True, folder="archives")
    return Installer(asked, Level.NONE, place, place / "cache").install(submission, "node")


@NPM
def test_packages_of_npm_are_installed_once_and_lie_next_to_the_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    integrity = write_package(tmp_path / "archives", tmp_path / "ran")
    ada = locked_by_npm(tmp_path / "ada", integrity=integrity, hasInstallScript=True)
    made = install(tmp_path, ada)
    assert made is not None
    assert (made.packages, made.venv) == (("lucky@1.0.0",), None)
    command = ["node", "--print", "require('lucky')"]
    assert subprocess.run(command, cwd=ada, capture_output=True, check=True).stdout == b"7\n"
    assert not (tmp_path / "ran").exists(), "no script of a package runs"
    monkeypatch.setattr(environments, "install_node", None)
    assert install(tmp_path, locked_by_npm(tmp_path / "bob", integrity=integrity, hasInstallScript=True)) == made
    assert install(tmp_path, ada) is None, "a bot that brings its packages keeps them"


@NPM
def test_an_archive_with_another_hash_is_not_installed(tmp_path: Path) -> None:
    write_package(tmp_path / "archives", tmp_path / "ran")
    with pytest.raises(BadPackages, match=r"a package of package-lock.json is not in the folder of the plan.\nhint: "):
        install(tmp_path, locked_by_npm(tmp_path / "ada", integrity=HASH))
    assert [*(tmp_path / "cache").iterdir()] == []


@pytest.mark.parametrize(
    ("package", "why"),
    [
        ({}, "has no version with a SHA-512 hash"),
        ({"integrity": "sha1-aaaa"}, "has no version with a SHA-512 hash"),
        ({"integrity": HASH, "version": None}, "has no version"),
        ({"integrity": HASH, "resolved": "https://evil.example/x.tgz"}, "is not from a registry"),
        ({"integrity": HASH, "resolved": "git+ssh://git@evil.example/x.git"}, "is not from"),
        ({"integrity": HASH, "resolved": "file:../../secret.tgz"}, "is not from"),
        ({"integrity": HASH, "link": True}, "is not a package of the registry"),
    ],
)
def test_only_locked_packages_of_the_registry_are_installed(
    tmp_path: Path, package: dict[str, object], why: str
) -> None:
    with pytest.raises(BadPackages, match=r"package-lock.json: 'node_modules/lucky' .*\nhint: ") as raised:
        install(tmp_path, locked_by_npm(tmp_path / "ada", **package))
    assert why in str(raised.value)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"packages": {"": 1}}', '{"packages": 7}', "[" * 100_000])
def test_what_is_no_lock_of_npm_is_the_students_to_fix(tmp_path: Path, text: str) -> None:
    (tmp_path / "package-lock.json").write_text(text)
    with pytest.raises(BadPackages, match=r"its package-lock.json cannot be read.\nhint: "):
        install(tmp_path, tmp_path)


@pytest.mark.parametrize(
    ("printed", "unreachable", "said"),
    [
        ("npm error Array buffer allocation failed\nnpm error A complete log", False, "Array buffer allocation failed"),
        ("npm error code ECONNRESET\nnpm error network", True, "ECONNRESET.\nhint: check the network, and run again"),
        ("", False, "exit code 1.\nhint: run again"),
    ],
)
def test_what_stops_npm_here_is_told_to_the_staff(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: str, unreachable: bool, said: str
) -> None:
    monkeypatch.setattr(node_packages, "download", lambda *_: Printed(1, f"npm warn old\n{printed}", unreachable))
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    write_package(tmp_path / "archives", tmp_path / "ran")
    with pytest.raises(ContestError) as raised:
        install(tmp_path, locked_by_npm(tmp_path / "ada", integrity=HASH))
    assert str(raised.value).startswith(f"The packages cannot be installed by npm: {said}")


def test_an_archive_of_the_sandbox_writes_only_below_its_folder(tmp_path: Path) -> None:
    def archive(name: str, kind: bytes = tarfile.REGTYPE, size: int = 3) -> io.BytesIO:
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as written:
            member = tarfile.TarInfo(name)
            member.type, member.size, member.linkname = kind, size if kind == tarfile.REGTYPE else 0, "/etc/passwd"
            written.addfile(member, io.BytesIO(b"x" * size))
        packed.seek(0)
        return packed

    (tmp_path / "modules").mkdir()
    for name in ("../x", "/x"):
        with pytest.raises(BadPackages, match="not a path inside a folder"):
            unpack_tree(archive(name), tmp_path / "modules", 10)
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE):
        unpack_tree(archive("x", kind), tmp_path / "modules", 10)
    with pytest.raises(BadPackages, match="larger than the plan allows"):
        unpack_tree(archive("x", size=11), tmp_path / "modules", 10)
    assert [*tmp_path.rglob("*")] == [tmp_path / "modules"]


def test_what_node_misses_and_what_is_not_installed_is_told(tmp_path: Path) -> None:
    text = "Error: Cannot find module 'lucky'"
    allowed, refused = (name_missing_package(text, PackagesSection(allow=allow)) for allow in (True, False))
    assert allowed == f"{text}. hint: run `npm install lucky`, and hand in package-lock.json"
    assert "do without lucky, because this assignment installs no packages" in refused
    assert name_missing_package("Cannot find module './mine'", PackagesSection()) == "Cannot find module './mine'"
    locked_by_npm(tmp_path / "ada")
    assert ignored_lock(tmp_path / "ada").startswith("package-lock.json was not installed, because this assignment")
    (tmp_path / "ada" / "node_modules").mkdir()
    assert ignored_lock(tmp_path / "ada") == ""
