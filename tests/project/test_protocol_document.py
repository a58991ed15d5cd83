"""docs/protocol.md: the generated parts are up to date, and the rest names only what exists."""

from __future__ import annotations

import json
import re
from dataclasses import fields

import pytest

from bourre.rules import events
from bourre.rules.actions import Fault
from bourre.rules.house import CHOICES
from bourre.v1 import game_pb2, referee_pb2
from docs.made import WrongMarks
from docs.protocol_page.page import PAGE, refresh

TEXT = PAGE.read_text("utf-8")


def test_the_made_parts_are_as_they_would_be_made_now() -> None:
    assert refresh(TEXT) == TEXT, "fix: python3 dev.py generate"


def test_a_lost_mark_is_told() -> None:
    with pytest.raises(WrongMarks, match="needs the marks"):
        refresh(TEXT.replace("<!-- made: transcript -->\n", ""))


def test_every_message_and_field_has_its_line() -> None:
    files = (referee_pb2.DESCRIPTOR, game_pb2.DESCRIPTOR)
    messages = [message for file in files for message in file.message_types_by_name.values()]
    for message in messages:
        (section,) = re.findall(rf"^### {message.name}\n(.*?)(?=^### |^<!--)", TEXT, re.DOTALL | re.MULTILINE)
        rows = re.findall(r"^\| `(\w+)` \|.*\| (.*) \|$", section, re.MULTILINE)
        assert sorted(name for name, _ in rows) == sorted(field.name for field in message.fields)
        assert all(meaning.strip() for _, meaning in rows), f"{message.name} has a field without a comment"


def test_go_and_java_find_their_package() -> None:
    for file in (referee_pb2.DESCRIPTOR, game_pb2.DESCRIPTOR):
        options = file.GetOptions()
        assert (options.go_package, options.java_package) == ("bourre/v1;bourrev1", "bourre.v1")


def test_the_events_are_classes_of_python_with_their_fields() -> None:
    """The pages say so; the classes are found by the names of the wire."""
    for event in game_pb2.Event.DESCRIPTOR.fields:
        known = getattr(events, "".join(word.capitalize() for word in event.name.split("_")))
        assert event.message_type is not None
        assert {field.name for field in event.message_type.fields} <= {field.name for field in fields(known)}


def test_every_fault_decision_and_policy_is_explained() -> None:
    prose = TEXT.partition("## A match, word for word")[0]
    named = set(re.findall(r"^\| `(\w+)` \|", prose, re.MULTILINE))
    decisions = set(game_pb2.Decision.keys()) - {"DECISION_UNSPECIFIED"}
    assert named >= {*Fault, *decisions, *CHOICES["renege_policy"]}


def test_the_id_of_an_early_answer_is_told() -> None:
    (section,) = re.findall(r"^## Tables and ids\n(.*?)^## ", TEXT, re.DOTALL | re.MULTILINE)
    (early,) = [paragraph for paragraph in section.split("\n\n") if "before its ask" in paragraph]
    assert "one more than the id of your last ask" in early
    assert re.findall(r"`(\w+)`", early) == ["premature", "unasked", "late"]


def test_the_transcript_is_json_of_both_and_holds_a_renege() -> None:
    (block,) = re.findall(r"^```json\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    said = re.split(r"^// (bot|referee)\n", block, flags=re.MULTILINE)[1:]
    messages = [(speaker, json.loads(text)) for speaker, text in zip(said[::2], said[1::2], strict=True)]
    asks = [ask for _, message in messages for ask in message.get("asks", [])]
    answers = [answer for _, message in messages for answer in message.get("answers", [])]
    assert [ask["id"] for ask in asks] == [answer["id"] for answer in answers]
    assert [ask for ask in asks if "renege" in ask]
    assert {"hello"} == messages[0][1].keys()
    assert {"goodbye"} == messages[-1][1].keys()
