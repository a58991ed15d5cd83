"""Explains failed comparisons of cards and views: shows cards as texts, and only the fields that differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TypeGuard

from bourre.rules.cards import Card, show
from bourre.rules.view import View
from bourre.words.view_notation import view_text


def explain(op: str, left: object, right: object) -> list[str] | None:
    """Returns lines that explain why `left op right` is false; None if pytest explains it well enough."""
    if isinstance(left, View) and isinstance(right, View) and op == "==":
        return list(_views(left, right))
    if isinstance(left, Card) and op in ("in", "not in") and _are_cards(right):
        return [f"{left} {op} {show(right)}"]
    if isinstance(left, Card) and isinstance(right, Card):
        return [f"{left} {op} {right}"]
    if op == "==" and _are_cards(left) and _are_cards(right):
        return list(_hands(left, right))
    return None


def _are_cards(value: object) -> TypeGuard[Sequence[Card]]:
    return isinstance(value, list | tuple) and any(True for _ in value) and all(isinstance(one, Card) for one in value)


def _views(left: View, right: View) -> Iterator[str]:
    yield "two views that differ"
    for field in fields(View):
        one, other = getattr(left, field.name), getattr(right, field.name)
        if one != other:
            yield f"{field.name}: {_format_value(one)} != {_format_value(other)}"
    yield f'left:  view("{view_text(left)}")'
    yield f'right: view("{view_text(right)}")'


def _format_value(value: object) -> str:
    return show(value) if _are_cards(value) else str(value)


def _hands(left: Sequence[Card], right: Sequence[Card]) -> Iterator[str]:
    yield f"{show(left)} == {show(right)}"
    if type(left) is not type(right):
        yield f"one is a {type(left).__name__}, the other a {type(right).__name__}"
    if more := [card for card in left if card not in right]:
        yield f"only on the left: {show(more)}"
    if more := [card for card in right if card not in left]:
        yield f"only on the right: {show(more)}"
    if sorted(left) == sorted(right) and list(left) != list(right):
        yield "the same cards in another order"
