"""Copies: bots that decide alike are found, whatever their text, and bots that differ in a decision are not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from bourre.bot import Bot
from bourre.bot_file import load
from bourre.practice import practice
from bourre.record import RecordedAsk, asks, read
from bourre_referee.evaluation.copies.copies_text import FEW, copies_report, copies_summary
from bourre_referee.evaluation.copies.known_bots import DEFAULTS, known_bots
from bourre_referee.evaluation.copies.same_play import VIEWS, Alike, KnownBot, Play, find_alike

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


def play_of(name: str, bot: type[Bot]) -> Play:
    """How it plays the same deals as every other, against the same two bots."""
    records = [match.record for match in practice({"it": bot, "tight": "tight", "random": "random"}, DEALS, 3).matches]
    parsed = [read(record) for record in records]
    own = [list(asks(record, record.header.bots.index("it"))) for record in parsed]
    return Play(name, sha256("".join(records).encode()).hexdigest(), lambda: iter(own))


def plays(folder: Path, **texts: str) -> list[Play]:
    return [play_of(name, bot_of(text, folder, name)) for name, text in texts.items()]


def found(played: Sequence[Play], known: Sequence[KnownBot] = ()) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [(group.bots, group.known) for group in find_alike(played, known)]


def test_a_renamed_and_rewritten_copy_is_found_and_an_edited_one_is_not(tmp_path: Path) -> None:
    assert found(plays(tmp_path, ann=BOT, bob=EDITED, cleo=RENAMED)) == [(("ann", "cleo"), ())]


def test_a_bot_with_dice_of_its_own_is_like_no_other(tmp_path: Path) -> None:
    assert found(plays(tmp_path, ann=OWN_DICE, bob=OWN_DICE)) == []


def test_copies_of_a_bot_that_remembers_are_found_and_each_match_meets_a_new_one(tmp_path: Path) -> None:
    known = KnownBot("remembers", bot_of(REMEMBERS, tmp_path, "known"))
    assert found(plays(tmp_path, ann=REMEMBERS, bob=BOT), [known]) == [(("ann",), ("remembers",))]


FAST = [known for known in known_bots() if known.name != "monte_carlo"]
"""All but the one that thinks for long, which is one more file in the same folder."""


@pytest.mark.parametrize("known", FAST, ids=lambda known: known.name)
def test_an_unchanged_bot_that_everybody_has_is_named_as_such(known: KnownBot) -> None:
    """The example `lowest` makes every decision as a bot does that overrides nothing."""
    same = (DEFAULTS, "lowest") if known.name in (DEFAULTS, "lowest") else (known.name,)
    assert found([play_of("ann", known.bot)], FAST) == [(("ann",), same)]


def test_nothing_is_said_about_a_bot_that_was_never_asked() -> None:
    nobody = [Play("ann", "same", lambda: iter(())), Play("bob", "same", lambda: iter(()))]
    assert find_alike(nobody, known_bots()) == ()


def test_no_more_is_read_of_a_bot_that_is_like_no_other(tmp_path: Path) -> None:
    (played,) = plays(tmp_path, ann=OWN_DICE)

    def all_then_an_end() -> Iterator[Iterable[RecordedAsk]]:
        yield from played.playings()
        raise AssertionError("read to the end")

    read_on = Play("ann", "hers", all_then_an_end)
    assert find_alike([read_on], known_bots()) == ()
    with pytest.raises(AssertionError, match="read to the end"):
        find_alike([read_on, Play("bob", "hers", all_then_an_end)], known_bots())


def test_no_more_decisions_are_compared_than_promised(tmp_path: Path) -> None:
    (played,) = plays(tmp_path, ann=BOT)
    many = Play("ann", "same", lambda: (playing for _ in range(50) for playing in played.playings()))
    (group,) = find_alike([many, Play("bob", "same", many.playings)], ())
    assert group.decisions == VIEWS


def test_the_report_asks_and_never_judges() -> None:
    groups = (
        Alike(("ann", "bob"), (), VIEWS),
        Alike(("cleo\x1b[2J",), (DEFAULTS,), FEW - 1),
    )
    text = copies_report(groups, 4)
    assert "a question to you, never a verdict" in text
    assert f"ann, bob: alike in the first {VIEWS} decisions\n" in text
    assert (
        f"unchanged from what everybody has ({DEFAULTS}), or like it in the first {FEW - 1} decisions; so few" in text
    )
    assert "\x1b" not in text
    assert copies_summary(groups, "copies.txt").startswith("1 group of submissions decide alike")
    assert copies_summary(groups[1:], "copies.txt") == ""
    assert "None of the 4 bots" in copies_report((), 4)
