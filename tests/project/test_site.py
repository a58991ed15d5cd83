"""The site of `python3 dev.py site`: the demo is played and exported, and the first page leads to it."""

from __future__ import annotations

from pathlib import Path

import pytest

import dev
from docs.site import conf, demo


def test_the_demo_is_played_and_exported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    commands: list[tuple[str | Path, ...]] = []
    monkeypatch.setattr(demo, "bourre", lambda *words: commands.append(words))
    demo.export_demo(tmp_path / "demo")
    (played, exported) = commands
    assert played[:2] == ("run", dev.ROOT / "examples/contest.toml")
    assert exported == ("export", played[-1], "--format", "site", "--out", tmp_path / "demo")


def test_the_first_page_leads_to_the_demo_where_there_is_one(tmp_path: Path) -> None:
    readme = (dev.ROOT / "README.md").read_text("utf-8")
    assert conf.with_demo(readme, tmp_path) == readme
    (tmp_path / "demo").mkdir()
    assert conf.DEMO in conf.with_demo(readme, tmp_path)
