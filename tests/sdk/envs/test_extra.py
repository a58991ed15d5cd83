"""Without the packages that environments need, importing them says what to install."""

from __future__ import annotations

import importlib
from importlib.machinery import ModuleSpec

import pytest

import bourre_lab.envs


def test_a_bare_install_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> ModuleSpec | None:
        return None

    monkeypatch.setattr("importlib.util.find_spec", nothing)
    with pytest.raises(ImportError, match=r"need Gymnasium\.\nhint: "):
        importlib.reload(bourre_lab.envs)
