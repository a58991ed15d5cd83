"""Copies: bots that decide alike are found, whatever their text, and bots that differ in a decision are not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from bourre.bot import Bot
from bourre.bot_code.bot_file import load
from bourre.practice import practice, practice_duplicate
from bourre.record import RecordedAsk, asks, read
from bourre.rules.actions import Fault
from bourre.rules.house import HouseRules
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.evaluation.check.check_room import CheckedRoom
from bourre_referee.evaluation.check.examine_bot import Subject
from bourre_referee.evaluation.check.trial_matches import TESTED_BOT, trial_matches
from bourre_referee.evaluation.copies import identical_play
from bourre_referee.evaluation.copies.identical_play import (
    DEFAULTS,
    FEW,
    TERMS,
    VIEWS,
    Alike,
    BotPlay,
    KnownBot,
    copies_in_class,
    copies_report,
    copies_summary,
    find_alike,
    fixed_deal_play,
    known_bots,
    play_fixed_deals,
    unchanged_play,
)
from bourre_referee.evaluation.grade.plan.grading_plan import SUBMISSION
from bourre_referee.model.spec import BotEntry, Isolation
from bourre_referee.storage.run.run import Run
from tests.referee.evaluation.test_check_verdicts import ENDED, outcome

BOT = """\
from bourre import Bot, Card, View


class Mine(Bot):
    def declare(self, view: View) -> bool:
        trumps = [card for card in view.hand if card.suit == view.trump]
        return len(trumps) >= 2 or any(card.rank > 12 for card in trumps)

    def play(self, view: View) -> Card:
        return view.legal[-1]
"""
RENAMED = (
    BOT.replace("Mine", "Yours")
    .replace("trumps", "good")
    .replace("    ", "\t")
    .replace("len(good) >= 2", "len(good) > 1")
)
EDITED = BOT.replace("card.rank > 12", "card.rank > 13")
OWN_DICE = BOT.replace("view.legal[-1]", "__import__('random').SystemRandom().choice(view.legal)")
REMEMBERS = BOT.replace("    def play", "    asked = 0\n\n    def play").replace(
    "        return view.legal[-1]", "        self.asked += 1\n        return view.legal[self.asked % 2 - 1]"
)
DEALS = 150


def bot_of(text: str, folder: Path, name: str) -> type[Bot]:
    (folder / f"{name}.py").write_text(text)
    return load(str(folder / f"{name}.py"))


def play_of(name: str, bot: type[Bot]) -> BotPlay:
    """How it plays the same deals as every other, against the same two bots."""
    played = practice({TESTED_BOT: bot, "tight": "tight", "random": "random"}, DEALS, 3, strict=False).matches
    return fixed_deal_play(name, [match.record for match in played])


def plays(folder: Path, **texts: str) -> list[BotPlay]:
    return [play_of(name, bot_of(text, folder, name)) for name, text in texts.items()]


def found(played: Sequence[BotPlay], known: Sequence[KnownBot] = ()) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [(group.bots, group.known) for group in find_alike(played, known)]


def test_a_renamed_and_rewritten_copy_is_found_and_an_edited_one_is_not(tmp_path: Path) -> None:
    assert found(plays(tmp_path, ann=BOT, bob=EDITED, cleo=RENAMED)) == [(("ann", "cleo"), ())]


def test_a_bot_with_dice_of_its_own_is_like_no_other(tmp_path: Path) -> None:
    assert found(plays(tmp_path, ann=OWN_DICE, bob=OWN_DICE)) == []


def test_every_match_of_a_quiz_meets_a_bot_of_its_own(tmp_path: Path) -> None:
    bot = bot_of(REMEMBERS, tmp_path, "mine")
    matches = practice({"tight": "tight", TESTED_BOT: bot}, 11, 3, matches=2).matches
    records = [match.record for match in matches]
    played = fixed_deal_play("ann", records)
    assert played.digest == fixed_deal_play("bob", records).digest != fixed_deal_play("bob", records[::-1]).digest
    assert found([played], [KnownBot("remembers", bot)]) == [(("ann",), ("remembers",))]


def test_a_quiz_has_the_same_matches_as_ever_and_records_if_it_was_played_to_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the matches change, what was asked earlier is no longer compared."""
    specs = [trial.spec(TERMS.seed) for trial in trial_matches(TERMS)]
    terms = [(spec.match, spec.line_up, spec.deals, spec.seed.hex()) for spec in specs]
    assert sha256(repr(terms).encode()).hexdigest()[:16] == "c51dac12adf94419"
    assert {spec.house for spec in specs} == {HouseRules.preset("limit")}
    to_the_end = replace(ENDED, outcomes=(outcome("m1", "a"), outcome("m2", "b")))
    asked: list[object] = []

    def answering(played: CheckedRoom) -> SimpleNamespace:
        def play(*terms: object) -> CheckedRoom:
            asked.append(terms)
            return played

        return SimpleNamespace(play=play)

    for played in (to_the_end, replace(to_the_end, hello=None), replace(to_the_end, gone=Fault.LATE)):
        rooms = answering(played)
        monkeypatch.setattr(identical_play, "TrialRooms", lambda *_, rooms=rooms: rooms)
        subject = Subject(BotEntry(TESTED_BOT, ("python", "bot.py"), tmp_path), "ann", (), Isolation())
        assert play_fixed_deals(subject, tmp_path) == (("a", "b") if played is to_the_end else None)
    assert asked == [("quiz", trial_matches(TERMS), 16)] * 3


def test_a_class_is_compared_in_its_hidden_deals_and_every_seating_meets_a_new_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A submission that was not played is left out; a run without a digest is a group of its own."""
    texts = {"ann": REMEMBERS, "bob": BOT, "cleo": REMEMBERS, "dan": REMEMBERS}
    digests = {"ann": "same", "bob": "other", "cleo": "same", "dan": None}
    records = {
        student: practice_duplicate(
            {"loose": "loose", "random": "random", SUBMISSION: bot_of(text, tmp_path, student)}, 40, seatings, 3
        )
        for student, text in texts.items()
    }

    def opened(folder: Path) -> SimpleNamespace:
        manifest = SimpleNamespace(digest=digests[folder.name])
        return SimpleNamespace(manifest=manifest, matches=lambda: ["m0001"], record=lambda _: records[folder.name])

    monkeypatch.setattr(identical_play, "Run", SimpleNamespace(open=opened))
    known = KnownBot("remembers", bot_of(REMEMBERS, tmp_path, "known"))
    monkeypatch.setattr(identical_play, "known_bots", lambda: (known,))
    alike = copies_in_class({student: Path("runs", student) for student in texts}, SUBMISSION)
    assert [(group.bots, group.known) for group in alike] == [
        (("ann", "cleo"), ("remembers",)),
        (("dan",), ("remembers",)),
    ]
    asked = list(asks(read(records["ann"]), 2))
    assert [group.decisions for group in alike] == [len(asked)] * 2
    assert {ask.seating for ask in asked} == {1, 2, 3}


@pytest.mark.parametrize(("bot", "deals", "like"), [(Bot, 40, DEFAULTS), (Bot, 4, ""), ("loose", 40, "")])
def test_who_changed_nothing_is_told_so_if_there_are_enough_decisions(
    bot: type[Bot] | str, deals: int, like: str
) -> None:
    record = practice_duplicate({"tight": "tight", "random": "random", SUBMISSION: bot}, deals, seatings, 3)
    run = SimpleNamespace(manifest=SimpleNamespace(digest=None), matches=lambda: ["m0001"], record=lambda _: record)
    assert unchanged_play(cast(Run, run), SUBMISSION) == like


FAST = [known for known in known_bots() if known.name != "monte_carlo"]
"""All but the one that thinks for long, which is one more file in the same folder."""


@pytest.mark.parametrize("known", FAST, ids=lambda known: known.name)
def test_an_unchanged_bot_that_everybody_has_is_named_as_such(known: KnownBot) -> None:
    """Two known bots make every decision as a bot does that overrides nothing."""
    alike = (DEFAULTS, "the starter of 2-counting", "lowest")
    same = alike if known.name in alike else (known.name,)
    assert found([play_of("ann", known.bot)], FAST) == [(("ann",), same)]


def test_nothing_is_said_about_a_bot_that_was_never_asked() -> None:
    nobody = [BotPlay("ann", "same", lambda: iter(())), BotPlay("bob", "same", lambda: iter(()))]
    assert find_alike(nobody, known_bots()) == ()


def test_no_more_is_read_of_a_bot_that_is_like_no_other(tmp_path: Path) -> None:
    (played,) = plays(tmp_path, ann=OWN_DICE)

    def all_then_an_end() -> Iterator[Iterable[RecordedAsk]]:
        yield from played.playings()
        raise AssertionError("read to the end")

    read_on = BotPlay("ann", "hers", all_then_an_end)
    assert find_alike([read_on], known_bots()) == ()
    with pytest.raises(AssertionError, match="read to the end"):
        find_alike([read_on, BotPlay("bob", "hers", all_then_an_end)], known_bots())


def test_no_more_decisions_are_compared_than_promised(tmp_path: Path) -> None:
    (played,) = plays(tmp_path, ann=BOT)
    many = BotPlay("ann", "same", lambda: (playing for _ in range(50) for playing in played.playings()))
    (group,) = find_alike([many, BotPlay("bob", "same", many.playings)], ())
    assert group.decisions == VIEWS


def test_the_report_asks_and_never_judges() -> None:
    groups = (
        Alike(("ann", "bob"), (), VIEWS),
        Alike(("cleo\x1b[2J", "dan"), (DEFAULTS,), FEW - 1),
    )
    text = copies_report(groups, 4)
    assert "a question to you, never a verdict" in text
    assert f"ann, bob: alike in the first {VIEWS} decisions\n" in text
    assert (
        f"unchanged from what everybody has ({DEFAULTS}), or like it in the first {FEW - 1} decisions. So few" in text
    )
    assert "\x1b" not in text
    assert copies_summary(groups, "copies.txt").startswith("1 group of submissions decide alike")
    assert copies_summary(groups[1:], "copies.txt") == ""
    assert "None of the 4 bots" in copies_report((), 4)
