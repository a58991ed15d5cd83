"""A verdict accepts exactly what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

import bourre_referee
from bourre.rules.actions import Fault
from bourre_referee.diagnostics.attacks.verdict import ExpectedOutcome, read_verdict
from bourre_referee.model.results import MatchResult, SeatResult
from bourre_referee.model.spec import Level, MatchOutcome, SeatFault


def outcome(faults: dict[Fault, int], house_deals: int = 0, reneges: int = 0) -> MatchOutcome:
    """A match in which the bot `other` had seat 0, without fault, and `hostile` seat 1."""
    charged = tuple(SeatFault(1, fault, times) for fault, times in faults.items())
    return MatchOutcome(
        MatchResult("m0001", 4, (_seat("other"), _seat("hostile", house_deals, reneges))), charged, None, ()
    )


def _seat(bot: str, house_deals: int = 0, reneges: int = 0) -> SeatResult:
    return SeatResult(bot, 0, 1, 0, 0, reneges, 0, house_deals, ())


LATE, PREMATURE = Fault.LATE, Fault.PREMATURE


@pytest.mark.parametrize(
    ("verdict", "came", "complaint"),
    [
        (ExpectedOutcome(), outcome({}), None),
        (ExpectedOutcome(), outcome({LATE: 1}), "faults 1 late, expected none"),
        (ExpectedOutcome(faults={LATE: 2}), outcome({LATE: 2}), None),
        (ExpectedOutcome(faults={LATE: 2}), outcome({LATE: 3}), "faults 3 late, expected 2 late"),
        (ExpectedOutcome(faults={LATE: 2}), outcome({}), "faults none, expected 2 late"),
        (ExpectedOutcome(at_least={LATE: 2}), outcome({LATE: 3}), None),
        (ExpectedOutcome(at_least={LATE: 2}), outcome({LATE: 1}), "1 times late, expected 2 or more"),
        (ExpectedOutcome(at_least={LATE: 2}), outcome({LATE: 2, PREMATURE: 1}), "faults 1 premature, expected none"),
        (ExpectedOutcome(among=(LATE, PREMATURE)), outcome({PREMATURE: 7}), None),
        (ExpectedOutcome(among=(LATE, PREMATURE)), outcome({}), "faults none, expected some of late, premature"),
        (ExpectedOutcome(house=True), outcome({}, house_deals=1), None),
        (ExpectedOutcome(house=True), outcome({}), "the referee played 0 deals, expected some"),
        (ExpectedOutcome(), outcome({}, house_deals=3), "the referee played 3 deals, expected none"),
        (ExpectedOutcome(reneges=2), outcome({}, reneges=2), None),
        (ExpectedOutcome(reneges=2), outcome({}, reneges=1), "1 reneges, expected 2 or more"),
    ],
)
def test_a_match_is_compared_with_its_verdict(
    verdict: ExpectedOutcome, came: MatchOutcome, complaint: str | None
) -> None:
    assert verdict.complaints(came, "hostile", "") == ([complaint] if complaint else [])


def test_a_log_is_compared_with_its_verdict() -> None:
    verdict = ExpectedOutcome(log_has=("refused",))
    assert verdict.complaints(outcome({}), "hostile", "it was refused") == []
    assert verdict.complaints(outcome({}), "hostile", "FOUND a token") == [
        "the log lacks 'refused'",
        "the log has 'FOUND'",
    ]


def test_a_level_overrides_what_stands_at_the_top(tmp_path: Path) -> None:
    file = tmp_path / "verdict.toml"
    file.write_text("house = true\n[faults]\nlate = 1\n[none]\nhouse = false\n")
    assert read_verdict(file, Level.BWRAP) == ExpectedOutcome(house=True, faults={LATE: 1})
    assert read_verdict(file, Level.NONE) == ExpectedOutcome(house=False, faults={LATE: 1})


def test_a_word_that_means_nothing_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "verdict.toml"
    file.write_text("fault = 1\n")
    with pytest.raises(ValidationError, match="fault"):
        read_verdict(file, Level.NONE)


def test_what_a_peeking_bot_looks_for_is_there() -> None:
    attacks = Path(bourre_referee.__file__).parent / "diagnostics/attacks"
    secrets = re.findall(r'b"(.+?)"', (attacks / "bots/peek_files/bot.py").read_text("utf-8"))[:2]
    places = [(attacks / name).read_text("utf-8") for name in ("attack_room.py", "shared/yardstick.py")]
    assert [secret in text for secret, text in zip(secrets, places, strict=True)] == [True, True]
