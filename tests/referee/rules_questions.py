"""Questions to the rules in JSON, and their answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from bourre_referee.cli.rules_json import answers, legal, settlement

Answer = dict[str, Any]
Answerer = Callable[[str], dict[str, object]]

LEGAL = '{"hand":"AS KH 2C","trick":"QH","trump":"S","playing":4,"tricks_won":1,"seen":"","dead":"","house":{}}'
SETTLE = '{"pot":7,"tricks":{"B":1,"C":0,"E":3,"G":1},"uncorrected":[],"corrected":[],"house":{"preset":"pagat"}}'


def asked(line: str | bytes, answerer: Answerer) -> Answer:
    """The answer to one line."""
    (answer,) = answers([line.encode() if isinstance(line, str) else line], answerer)
    told = json.loads(answer)
    assert isinstance(told, dict)
    return told


def ask_legal(**keys: object) -> Answer:
    """The answer for this position: four seats, and spades are trumps."""
    return asked(json.dumps({"trump": "S", "playing": 4, **keys}), legal)


def ask_settle(**keys: object) -> Answer:
    """The answer for this deal: E wins a pot of 7, and C goes bourré."""
    return asked(json.dumps({"pot": 7, "tricks": {"B": 1, "C": 0, "E": 3, "G": 1}, **keys}), settlement)
