"""A submission's own packages: locked, downloaded without running anything, unpacked within limits, and shared."""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from bourre_referee.evaluation.grade.plan.grading_plan import Plan
from bourre_referee.evaluation.packages import environments, wheels
from bourre_referee.evaluation.packages.environments import Environment, Installer
from bourre_referee.evaluation.packages.missing_packages import name_missing_package
from bourre_referee.evaluation.packages.package_lock import BadPackages, read_lock
from bourre_referee.evaluation.packages.packages_section import PackagesSection
from bourre_referee.evaluation.packages.wheel_files import unpack_wheel
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import Level
from tests.referee.plans import PLAN, plan
from tests.referee.tiny_wheels import write_wheel

HASH = "--hash=sha256:" + "0a" * 32
ALLOWED = '\n[packages]\nallow = true\nfolder = "wheels"\n'


def locked(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "requirements.txt").write_text(text, "utf-8")
    return folder


@pytest.fixture
def known(tmp_path: Path) -> Plan:
    (tmp_path / "wheels").mkdir()
    return plan(tmp_path, PLAN + ALLOWED)


def environment_of(known: Plan, submission: Path, cache: Path) -> Environment | None:
    return Installer(known.packages, Level(known.isolation.level), known.folder, cache).install(submission, "python")


def run_in(environment: Path, code: str) -> str:
    command = [str(environment / "bin" / "python"), "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_a_lock_as_tools_write_it_is_read_without_the_packages_of_the_sdk(tmp_path: Path) -> None:
    text = f"""\
# made by uv pip compile
numpy[extra]==2.1.0 \\
    {HASH} \\
    {HASH.replace("0a", "0b")}
    # via -r requirements.in
colorama == 0.4.6 ; sys_platform == "win32" {HASH}  # for Windows
grpcio>=1.80
Typing_Extensions==4.12.0
"""
    numpy, colorama = read_lock(locked(tmp_path / "ada", text), {"grpcio", "typing-extensions"})
    assert (numpy.name, numpy.version, numpy.hashes) == ("numpy", "2.1.0", ("0a" * 32, "0b" * 32))
    assert colorama.line == f'colorama==0.4.6 ; sys_platform == "win32" {HASH}'


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("numpy", "'numpy' has no exact version and hashes"),
        ("numpy==2.*", "no exact version"),
        ("numpy==2.1.0", "has no SHA-256 hashes"),
        (f"numpy==2.1.0 {HASH[:-1]}", "no SHA-256 hashes"),
        ("--index-url=https://evil.example/simple", "options such as '--index-url' are not allowed"),
        ("-r /etc/passwd", "options such as '-r'"),
        ("-e .", "options such as '-e'"),
        (f"numpy @ https://evil.example/numpy.whl {HASH}", "not from the package index"),
        ("git+https://evil.example/numpy", "not from the package index"),
        ("./numpy.whl", "not from the package index"),
        (f"numpy==2.1.0 {HASH} --global-option=x", "options such as '--global-option'"),
        (f"numpy==2.1.0 --config-settings=x {HASH}", "options such as '--config-settings'"),
    ],
)
def test_any_other_line_is_refused_with_its_number_and_the_fix(tmp_path: Path, line: str, why: str) -> None:
    with pytest.raises(BadPackages, match=r"requirements.txt, line 2: .*\nhint: ") as raised:
        read_lock(locked(tmp_path / "ada", f"# mine\n{line}\n"), ())
    assert why in str(raised.value)


def test_packages_are_installed_once_for_all_with_the_same_lock(
    known: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = write_wheel(tmp_path / "wheels", "lucky", {"lucky.py": "N = 7", "lucky-1.0.data/scripts/tool": "#!python"})
    ada = environment_of(known, locked(tmp_path / "ada", line), tmp_path / "cache")
    assert ada
    assert ada.venv
    assert run_in(ada.venv, "import lucky, bourre, grpc, google.protobuf; print(lucky.N)") == "7"
    assert ada.packages == ("lucky==1.0",)
    assert not list(ada.venv.rglob("tool"))
    monkeypatch.setattr(environments, "install_wheels", None)
    assert environment_of(known, locked(tmp_path / "bob", f"# bob's\n{line}"), tmp_path / "cache") == ada
    assert environment_of(replace(known, packages=PackagesSection()), tmp_path / "ada", tmp_path / "cache") is None
    assert environment_of(known, locked(tmp_path / "cy", "grpcio\n"), tmp_path / "cache") is None


def test_a_source_package_is_not_installed_and_runs_nothing(known: Plan, tmp_path: Path) -> None:
    source = tmp_path / "wheels" / "lucky-1.0.zip"
    ran = tmp_path / "ran"
    with ZipFile(source, "w") as packed:
        backend = 'requires = []\nbuild-backend = "own"\nbackend-path = ["."]\n'
        packed.writestr("lucky-1.0/pyproject.toml", f"[build-system]\n{backend}")
        packed.writestr("lucky-1.0/own.py", f"open({str(ran)!r}, 'w')")
    line = f"lucky==1.0 --hash=sha256:{sha256(source.read_bytes()).hexdigest()}"
    with pytest.raises(
        BadPackages, match=r"No matching distribution found for lucky==1.0.*\nhint: lock a version that has a wheel"
    ):
        environment_of(known, locked(tmp_path / "ada", line), tmp_path / "cache")
    assert not ran.exists()
    assert [*(tmp_path / "cache").iterdir()] == [], "an installation that failed leaves nothing"


def test_a_wheel_with_another_hash_is_not_installed(known: Plan, tmp_path: Path) -> None:
    line = write_wheel(tmp_path / "wheels", "lucky", {"lucky.py": "N = 7"})
    write_wheel(tmp_path / "wheels", "lucky", {"lucky.py": "N = 8"})
    with pytest.raises(BadPackages, match="does not match its hashes"):
        environment_of(known, locked(tmp_path / "ada", line), tmp_path / "cache")


def test_what_came_from_the_sandbox_is_trusted_by_its_hash_alone(
    known: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = write_wheel(tmp_path / "wheels", "lucky", {"lucky.py": "N = 7"})
    write_wheel(tmp_path / "wheels", "lucky", {"lucky.py": "N = 8"})

    def forged(_asked: object, _level: object, _limits: object, archive: IO[bytes]) -> None:
        with tarfile.open(fileobj=archive, mode="w") as packed:
            packed.add(tmp_path / "wheels")

    monkeypatch.setattr(wheels, "download", forged)
    with pytest.raises(BadPackages, match="does not match its hashes"):
        environment_of(known, locked(tmp_path / "ada", line), tmp_path / "cache")


def test_packages_beyond_the_plan_limit_are_refused(known: Plan, tmp_path: Path) -> None:
    """The zip is small, and neither it nor its files fill the disk."""
    line = write_wheel(tmp_path / "wheels", "bomb", {"bomb.bin": bytes(3 * 2**20)})
    tight = replace(known, packages=PackagesSection(allow=True, folder="wheels", megabytes=2))
    with pytest.raises(BadPackages, match=r"larger than .*\nhint: use fewer"):
        environment_of(tight, locked(tmp_path / "ada", line), tmp_path / "cache")
    noise = write_wheel(
        tmp_path / "wheels", "noise", {"noise.bin": b"".join(sha256(b"%d" % n).digest() for n in range(99999))}
    )
    with pytest.raises(BadPackages, match="larger than 2 MiB"):
        environment_of(tight, locked(tmp_path / "ada", noise), tmp_path / "cache")


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("../../bot.py", "not a path inside a folder"),
        ("/etc/cron.d/x", "not a path inside a folder"),
        ("lucky-1.0.data/purelib/../../../x", "not a path inside a folder"),
        ("bourre/__init__.py", "would replace 'bourre' of the SDK"),
        ("lucky-1.0.data/platlib/grpc/__init__.py", "would replace 'grpc'"),
        ("google/protobuf/message.py", "would replace 'google'"),
        ("google/__init__.py", "would replace 'google'"),
    ],
)
def test_a_wheel_writes_only_its_own_files(tmp_path: Path, path: str, why: str) -> None:
    site = tmp_path / "a" / "b" / "site"
    site.mkdir(parents=True)
    with pytest.raises(BadPackages, match=why):
        unpack_wheel("lucky", wheel_with({path: "x"}), site, 1000)
    assert [*tmp_path.rglob("*")] == [tmp_path / "a", tmp_path / "a" / "b", site]


def wheel_with(files: Mapping[str, str]) -> io.BytesIO:
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
    packed.seek(0)
    return packed


def test_what_is_no_wheel_is_the_students_to_fix(tmp_path: Path) -> None:
    with pytest.raises(BadPackages, match="the package lucky cannot be unpacked"):
        unpack_wheel("lucky", io.BytesIO(b"PK nothing"), tmp_path, 1000)


@pytest.mark.parametrize(
    ("section", "why"),
    [
        ("allow = true", "downloaded only in a sandbox"),
        ('allow = true\nfolder = "nowhere"', r"folder = 'nowhere': no such folder"),
    ],
)
def test_a_machine_that_cannot_install_is_not_the_students_fault(tmp_path: Path, section: str, why: str) -> None:
    known = plan(tmp_path, f"{PLAN}\n[packages]\n{section}\n")
    with pytest.raises(ContestError, match=why):
        environment_of(known, locked(tmp_path / "ada", f"numpy==2.1.0 {HASH}"), tmp_path / "cache")


@pytest.mark.parametrize(
    "index", ["index.example", "ftp://index.example/simple", "https://me:secret@index.example/simple", "https:///"]
)
def test_an_index_is_a_web_address(tmp_path: Path, index: str) -> None:
    with pytest.raises(ContestError, match=r"\[packages\] index = .* must be a web address"):
        plan(tmp_path, f'{PLAN}\n[packages]\nindex = "{index}"\n')


def test_a_missing_package_is_told_with_the_fix_of_the_plan() -> None:
    """The reason comes from the referee's usual hint, or from an error in the middle of a match."""
    usual = "No module named 'numpy'. hint: install the package numpy where bourre is installed, or put numpy.py beside"
    allowed, refused = PackagesSection(allow=True), PackagesSection()
    for text in (f"{usual} the bot", "failed too often: ModuleNotFoundError: No module named 'numpy.linalg'"):
        told = name_missing_package(text, allowed)
        assert "add numpy==VERSION to requirements.in, run `uv pip compile --generate-hashes" in told
        assert "where bourre is installed" not in told
        assert "do without numpy, because this assignment installs no packages" in name_missing_package(text, refused)
    assert name_missing_package("SyntaxError", allowed) == "SyntaxError"
