"""A frozen draft is what the frozen class itself would have made."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import FrozenInstanceError
from pickle import dumps, loads

import pytest

from bourre.rules.cards import parse_cards
from bourre.rules.draft import draft_class, freeze
from bourre.rules.events import HandDealt


def freeze_hand() -> HandDealt:
    """Make the event of a hand by way of a draft."""
    draft = draft_class(HandDealt)()
    draft.seat = 3
    draft.cards = parse_cards("2C AS")
    return freeze(draft, HandDealt)


def test_a_frozen_draft_equals_what_the_class_makes() -> None:
    made = HandDealt(3, parse_cards("2C AS"))
    assert (freeze_hand(), repr(freeze_hand()), hash(freeze_hand())) == (made, repr(made), hash(made))
    assert loads(dumps(freeze_hand())) == deepcopy(freeze_hand()) == made


def test_a_frozen_draft_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        freeze_hand().seat = 1  # type: ignore[misc]
