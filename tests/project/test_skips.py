"""A skipped test fails a strict run, except where it needs containers, and that is told apart."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from tests.conftest import UNTESTED, pytest_terminal_summary, skips


class Terminal:
    """Takes what the summary says."""

    def __init__(self, *reasons: str) -> None:
        reports = [SimpleNamespace(nodeid="a_test", longrepr=("file", 1, f"Skipped: {reason}")) for reason in reasons]
        self.stats = {"skipped": reports}
        self.said: list[str] = []

    def section(self, title: str) -> None:
        self.said.append(title)

    def write_line(self, text: str) -> None:
        self.said.append(text)


def config_of(terminal: Terminal, config: pytest.Config) -> pytest.Config:
    """The configuration of a run with this terminal."""
    plugins = SimpleNamespace(getplugin=lambda _: terminal)
    return cast(
        pytest.Config,
        SimpleNamespace(pluginmanager=plugins, getoption=lambda _: True, rootpath=config.rootpath),
    )


def test_containers_that_cannot_run_are_told_once_and_fail_nothing(pytestconfig: pytest.Config) -> None:
    terminal = Terminal(f"{UNTESTED}no engine", f"{UNTESTED}no engine")
    config = config_of(terminal, pytestconfig)
    assert skips(config) == []
    pytest_terminal_summary(config)
    assert terminal.said[:2] == ["NOT TESTED", f"Skipped: {UNTESTED}no engine"]
    assert not any("which fails" in line for line in terminal.said)


def test_any_other_skip_fails_a_strict_run(pytestconfig: pytest.Config) -> None:
    terminal = Terminal("there is no node here", f"{UNTESTED}no engine")
    config = config_of(terminal, pytestconfig)
    assert skips(config) == ["a_test: Skipped: there is no node here"]
    pytest_terminal_summary(config)
    assert "skipped, which fails" in terminal.said
