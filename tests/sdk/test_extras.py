"""A hint installs an extra from where the package came, and nothing tells anyone to install a name from an index."""

from __future__ import annotations

import json
import re
import shlex
import sys
from importlib.metadata import PackageNotFoundError

import pytest
from packaging.requirements import Requirement

import dev
from bourre import extras
from bourre.extras import install_command

UNOWNED = re.compile(r"(?:pip\w*|tool) install(?: -\S+)* ['\"]?bourre\b(?! @)")
"""An installation of our name by a package index, on which anyone may take it."""
SHOWN = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "dev.py", "setting_up.py", "docs", "docker", "sdk", "referee")


class Installed:
    """An installed package with these words in its direct_url.json."""

    def __init__(self, told: str | None) -> None:
        self._told = told

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return self._told


CLONE = {"url": "file:///home/ann/my%20clone", "dir_info": {"editable": True}}
WHEEL = {"url": "file:///tmp/bourre-0.3.0-py3-none-any.whl", "archive_info": {"hash": "sha256=0"}}
GIT = {"url": "https://host.example/bourre.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}}


@pytest.mark.parametrize(
    ("origin", "extra", "words"),
    [
        (WHEEL, "web", ["pip", "install", f"bourre[web] @ {WHEEL['url']}"]),
        (WHEEL, "", ["pip", "install", f"bourre @ {WHEEL['url']}"]),
        (GIT, "web", ["pip", "install", "bourre[web] @ git+https://host.example/bourre.git@abc"]),
        ({"url": "file:///src", "dir_info": {}}, "rl", ["pip", "install", "bourre[rl] @ file:///src"]),
        (CLONE, "web", ["pip", "install", "-e", "/home/ann/my clone[web]"]),
        (None, "web", ["pip", "install", ".[web]", "in", "a", "clone"]),
    ],
)
def test_an_extra_is_installed_from_where_the_package_came(
    origin: object, extra: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "distribution", lambda _: Installed(json.dumps(origin) if origin else None))
    assert shlex.split(install_command(extra)) == words
    assert all(Requirement(word).url for word in words if " @ " in word)


def test_in_the_environment_of_a_clone_dev_py_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "distribution", lambda _: Installed(json.dumps(CLONE)))
    monkeypatch.setattr(sys, "prefix", "/home/ann/my clone/.venv")
    assert shlex.split(install_command("web")) == ["python3", "/home/ann/my clone/dev.py", "setup"]


def test_a_copy_without_metadata_is_sent_to_a_clone(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_: str) -> None:
        raise PackageNotFoundError

    monkeypatch.setattr(extras, "distribution", nothing)
    assert install_command("web") == "pip install '.[web]' in a clone"


def test_nothing_says_to_install_a_name_that_nobody_owns() -> None:
    for told in ("pip install bourre", "pip install 'bourre[web]'", 'uv pip install "bourre"'):
        assert UNOWNED.search(told)
    roots = [dev.ROOT / name for name in SHOWN]
    texts = [path for root in roots for path in (root.rglob("*") if root.is_dir() else [root]) if path.is_file()]
    read = {
        path: path.read_text("utf-8", errors="ignore")
        for path in texts
        if not {"node_modules", "__pycache__"} & {*path.parts}
    }
    assert len(read) > 1_000
    assert [
        f"{path}: {line}" for path, text in read.items() for line in text.splitlines() if UNOWNED.search(line)
    ] == []
