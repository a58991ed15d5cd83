"""The locks hold what pyproject.toml asks for, with hashes, and no address."""

import re
from functools import cache
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import locking
import releasing
import setting_up
from tests.project.installed import EXTRAS, PROJECT, closure

LOCKS = (setting_up.LOCK, setting_up.BUILD_LOCK, releasing.LOCKED_TOOLS)
UNLOCKED = {"peers", "release"}
"""Extras that are for measurements only, and in no lock (research/speed.md), or in a lock of their own."""
LOCKED = {text for extra, texts in EXTRAS.items() if extra not in UNLOCKED for text in texts}

# A lock has lines of these three forms only, which leaves no room for an address of any kind.
PIN = r"(?P<name>[a-z0-9-]+)==(?P<version>[0-9a-z.]+)( ; [\w.'=!<> ]+)? \\"
HASH = r"    --hash=(?P<hash>sha256:[0-9a-f]{64})( \\)?"
NOTE = r"    #( via)?(  )?( [a-z0-9-]+( \(pyproject\.toml\))?)?"
LINE = re.compile(f"{PIN}|{HASH}|{NOTE}")


@cache
def pins(lock: Path) -> dict[str, tuple[str, frozenset[str]]]:
    """Version and hashes of every library in a lock, by name."""
    text = lock.read_text(encoding="utf-8")
    heads = list(re.finditer(PIN, text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return {
        head["name"]: (
            head["version"],
            frozenset(found["hash"] for found in re.finditer(HASH, text[head.end() : end])),
        )
        for head, end in zip(heads, ends, strict=True)
    }


def test_every_line_is_a_pin_a_hash_or_a_note_and_every_pin_has_hashes() -> None:
    for lock in LOCKS:
        assert [line for line in lock.read_text(encoding="utf-8").splitlines() if not LINE.fullmatch(line)] == []
        assert [name for name, (_, hashes) in pins(lock).items() if not hashes] == []


def test_lock_satisfies_pyproject() -> None:
    asked = [Requirement(text) for text in sorted({*PROJECT["dependencies"], *LOCKED})]
    assert [one for one in asked if not is_met(one, pins(setting_up.LOCK))] == [], "fix: python3 dev.py lock"


def is_met(asked: Requirement, locked: dict[str, tuple[str, frozenset[str]]]) -> bool:
    """Whether the lock has a version that fits; for our own extras, whether there are such."""
    name = canonicalize_name(asked.name)
    if name == "bourre":
        return asked.extras <= EXTRAS.keys()
    return name in locked and asked.specifier.contains(locked[name][0])


def test_builders_are_those_of_the_lock() -> None:
    assert pins(setting_up.BUILD_LOCK).items() <= pins(setting_up.LOCK).items()
    assert set(locking.BUILDERS) <= pins(setting_up.BUILD_LOCK).keys()


def test_the_tools_of_a_release_are_locked_in_the_versions_of_everyone() -> None:
    tools, everyone = pins(releasing.LOCKED_TOOLS), pins(setting_up.LOCK)
    asked = [*map(Requirement, EXTRAS["release"]), *map(Requirement, locking.BUILDERS)]
    assert [one for one in asked if not is_met(one, tools)] == [], "fix: python3 dev.py lock"
    assert {name: pin[0] for name, pin in tools.items() if name in everyone and pin[0] != everyone[name][0]} == {}


def test_a_bot_pays_for_grpcio_and_protobuf_only() -> None:
    assert closure(PROJECT["dependencies"]) == {"grpcio", "protobuf", "typing-extensions"}


def test_what_is_installed_first_is_what_the_pages_and_builders_need() -> None:
    first = setting_up.first_packages()
    needed = closure([*PROJECT["dependencies"], "bourre[web]", *setting_up.BUILDERS, "pytest"])
    assert needed == first - {"colorama"}  # only on Windows


def test_the_parts_of_a_release_are_all_that_its_users_install() -> None:
    wanted = [f"bourre[{extra}]" for extra in EXTRAS if extra not in releasing.FOR_CLONES]
    assert closure([*PROJECT["dependencies"], *wanted]) <= setting_up.packages_of(*wanted)
