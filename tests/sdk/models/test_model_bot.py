"""A model's bot: which decisions cost a call, what its answers become, and what it says about them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bourre.notes import Usage
from bourre.practice import practice
from bourre.rules.actions import Declare, Fault, Missing, Play
from bourre.rules.cards import Card, parse_cards
from bourre.testing import view
from bourre_seats.models import ModelSettings
from bourre_seats.models import __main__ as command
from bourre_seats.models.chat import Completion, TryAgain
from bourre_seats.models.settings import SettingsError, find_key
from bourre_seats.models.templates import STANDARD, Templates
from tests.sdk.models.asking import BANK_MS, DECISION_MS, FREE_PLAY, Script, answer_of, scripted


def test_the_decision_its_reason_and_its_cost_are_sent() -> None:
    settings = ModelSettings("m", price_in=2.0, price_out=10.0)
    answer = answer_of(scripted(Script(['{"why": "it wins", "card": "9C"}']), settings), FREE_PLAY)
    assert answer.action == Play(Card("9C"))
    assert answer.note == "it wins"
    assert answer.usage == Usage(tokens_in=100, tokens_out=10, calls=1, cost_millionths=300)


def test_an_illegal_card_is_sent_as_it_is() -> None:
    """The referee judges it: that is what contests among models measure."""
    answer = answer_of(scripted(Script(['{"card": "AS"}'])), FREE_PLAY)
    assert answer.action == Play(Card("AS"))


def test_an_answer_that_is_none_is_asked_for_once_more() -> None:
    script = Script(["Either 9C or 4C.", "The 9C."])
    answer = answer_of(scripted(script), FREE_PLAY)
    assert answer.action == Play(Card("9C"))
    assert answer.usage == Usage(tokens_in=200, tokens_out=20, calls=2)
    assert answer.note == "unparsable: more than one card in 'Either 9C or 4C.'\nThe 9C."
    first, second = script.asked
    assert second[: len(first)] == first
    assert [message.role for message in second[len(first) :]] == ["assistant", "user"]
    assert second[-2].text == "Either 9C or 4C."
    assert "more than one card" in second[-1].text


def test_an_answer_that_the_server_marks_is_none_though_a_card_is_in_it() -> None:
    script = Script([Completion('{"card": "9C"}', flaw="the answer is cut off"), '{"card": "4C"}'])
    answer = answer_of(scripted(script), FREE_PLAY)
    assert (answer.action, answer.note) == (Play(Card("4C")), 'unparsable: the answer is cut off\n{"card": "4C"}')


def test_two_answers_that_are_none_are_a_fault_that_says_so() -> None:
    answer = answer_of(scripted(Script(["hm", "hm"])), FREE_PLAY)
    assert answer.action == Missing(Fault.ERROR)
    assert answer.error == "Unparsable: no card in 'hm'"
    assert answer.usage is not None


def test_no_answer_in_time_is_a_fault_that_says_so() -> None:
    script = Script([TryAgain("the server answered 429")])
    began = script.clock.seconds
    answer = answer_of(scripted(script), FREE_PLAY)
    assert answer.error == "Unavailable: no answer in time: the server answered 429"
    assert script.clock.seconds - began < (DECISION_MS + BANK_MS) / 1000


def test_the_answer_needs_time_to_return() -> None:
    script = Script([Completion("9C")], call_seconds=1e6)
    settings = ModelSettings("slow", call_seconds=1e6)
    answer_of(scripted(script, settings), FREE_PLAY)
    allowed = (DECISION_MS + BANK_MS) / 1000
    assert allowed - 3 < script.limits[0] < allowed - 1.9


def test_a_forced_card_costs_no_call_but_correcting_does() -> None:
    forced = view("play hand='AS KH 2D' trump=S trick='3D' seats=3")
    assert forced.legal == (Card("2D"),)
    script = Script(['{"card": "KH"}'])
    assert answer_of(scripted(script), forced).action == Play(Card("2D"))
    assert script.asked == []
    correcting = view("play hand='AS KH 2D' trump=S trick='3D' seats=3 correcting='AS R5.2 20'")
    assert answer_of(scripted(script), correcting).action == Play(Card("KH"))
    assert "You played AS, which breaks R5.2, follow suit if you can." in script.asked[0][-1].text


DECLARE = "declare hand='AS KH 9C 4C 2D' trump=S seats=3"


def test_declaring_and_drawing_in_turn_are_one_call() -> None:
    script = Script(['{"why": "an ace", "play": true, "discard": ["4C", "2D"]}'])
    answer = answer_of(scripted(script), view(DECLARE))
    assert answer.action == Declare(True, parse_cards("4C 2D"))
    assert len(script.asked) == 1
    assert script.asked[0][1].text.endswith('or {"why": "...", "play": false, "discard": []}.')


@pytest.mark.parametrize("cards", ['["AH"]', '["4C", "4C"]'])
def test_illegal_discards_are_sent_as_they_are(cards: str) -> None:
    answer = answer_of(scripted(Script([f'{{"play": true, "discard": {cards}}}'])), view(DECLARE))
    assert isinstance(answer.action, Declare)
    assert answer.action.discards


def test_passing_needs_no_discards() -> None:
    script = Script(["I pass."])
    assert answer_of(scripted(script), view(DECLARE)).action == Declare(False)
    assert len(script.asked) == 1


@pytest.mark.parametrize(
    "said", ['{"play": true}', '{"play": true, "discard": ["the low ones"]}', "I play, holding AS and KH."]
)
def test_discards_that_are_not_named_are_asked_for(said: str) -> None:
    script = Script([said, '{"discard": ["4C"]}'])
    assert answer_of(scripted(script), view(DECLARE)).action == Declare(True, parse_cards("4C"))
    assert "Which cards do you discard" in script.asked[1][1].text


def test_declaring_and_drawing_can_be_two_calls() -> None:
    script = Script(['{"play": true, "discard": ["2D"]}', '{"discard": ["4C"]}'])
    answer = answer_of(scripted(script, ModelSettings("m", together=False)), view(DECLARE))
    assert answer.action == Declare(True, parse_cards("4C"))
    assert [asked[1].text.count('"discard"') for asked in script.asked] == [0, 1]


def test_who_draws_after_all_have_declared_is_asked_then() -> None:
    """What the others declare is news: discards named before would not be the model's choice."""
    script = Script(['{"play": true, "discard": ["2D"]}'])
    assert answer_of(scripted(script), view(f"{DECLARE} preset=separate_rounds")).action == Declare(True)
    assert '"discard"' not in script.asked[0][1].text


def test_nobody_is_asked_for_discards_that_are_not_allowed() -> None:
    script = Script(['{"play": true}'])
    assert answer_of(scripted(script), view(f"{DECLARE} max_discards=0")).action == Declare(True)
    assert len(script.asked) == 1


def test_earlier_deals_are_told() -> None:
    script = Script(['{"play": true, "discard": [], "why": "x"}', "nothing"])
    practice({"model": scripted(script), "tight": "tight"}, deals=6, strict=False)
    told = [asked[1].text for asked in script.asked]
    deals = [int(found[1]) for text in told if (found := re.search(r"^Deal (\d+) of 6", text, re.MULTILINE))]
    assert [text.count("\n- deal ") for text in told] == [min(deal - 1, 3) for deal in deals]
    assert max(deals) > 4
    assert told[-1].startswith("Earlier deals of this match:\n- deal ")
    assert ", alone in, takes the pot of 2 (R4.8)" in told[-1]


def test_prompts_can_be_changed_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "play.txt").write_text("Throw a card. It costs $$1.")
    script = Script(["9C"])
    answer_of(scripted(script, ModelSettings("m", prompts=tmp_path)), FREE_PLAY)
    assert script.asked[0][1].text.endswith("\n\nThrow a card. It costs $1.")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("$hnad", r"table\.txt: Unknown word \$hnad\.\nhint: use one of .*\$hand"),
        ("costs $ 5", r"table\.txt: A \$ stands alone\.\nhint: use \$\$"),
    ],
)
def test_a_prompt_that_cannot_be_filled_in_is_refused(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "table.txt").write_text(text)
    with pytest.raises(SettingsError, match=why):
        Templates(tmp_path)


def test_a_folder_without_prompts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="No prompt, such as"):
        Templates(tmp_path)


def test_every_standard_text_is_used() -> None:
    templates = Templates(None)
    for path in STANDARD.iterdir():
        assert not templates.uses(path.stem, "nothing")


def test_a_server_of_ones_own_needs_no_key() -> None:
    assert find_key({"KEY": "secret"}, "KEY", None) == "secret"
    assert find_key({}, "KEY", "http://127.0.0.1:1/v1")
    with pytest.raises(SettingsError, match="KEY is not set"):
        find_key({}, "KEY", None)


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(SettingsError, match="history"):
        ModelSettings("m", history=-1)
    with pytest.raises(SettingsError, match="call_seconds"):
        ModelSettings("m", call_seconds=0)


def test_every_option_of_the_command_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    played = list[ModelSettings]()
    monkeypatch.setattr(command, "run_model", played.append)
    monkeypatch.setenv("MINE", "sk")
    words = "--model m --base-url http://a/v1 --key-variable MINE --no-legal --no-together --history 5 --prompts here"
    words += " --no-structured --no-trial --call-seconds 7 --price-in 2 --price-out 3 --extra-body"
    for given in ([*words.split(), '{"temperature": 0}'], ["--model", "m", "--key-variable", "MINE"]):
        monkeypatch.setattr("sys.argv", ["models", *given])
        command.main()
    extra = {"temperature": 0}
    said = ModelSettings("m", "http://a/v1", "sk", False, False, Path("here"), 5, False, 7.0, 2.0, 3.0, extra, False)
    assert played == [said, ModelSettings("m", key="sk")]
