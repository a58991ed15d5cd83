"""The games of `bourre play`: one after another, for as long as the person wishes."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from bourre.record import read
from bourre_referee.cli.arguments import SEEDS
from bourre_referee.evaluation.game_ending import ending_of, judge_ending
from bourre_referee.evaluation.person_game import Game, play_game
from bourre_referee.web.viewer.replay_html import render_standalone
from bourre_seats.seat.take_back import TakenBack

if TYPE_CHECKING:
    from bourre.record import Record
    from bourre_referee.model.spec import MatchOutcome
    from bourre_seats.seat.ending import Ending
    from bourre_seats.seat.interlude import Wish
    from bourre_seats.seat.sitting import Sitting

Keep = Callable[[Game, "MatchOutcome"], None]
"""Keeps a finished game."""


async def play_on(game: Game, other_tables: Callable[[], Game], sitting: Sitting, keep: Keep) -> None:
    """Plays this game, then the same cards in this seat or the next, or others, until the person leaves."""
    while True:
        outcome = await _play_out(game, sitting)
        keep(game, outcome)
        wish = await _end(game, outcome, sitting)
        if wish == "leave":
            sitting.finish("Goodbye.")
            return
        if wish == "new":
            game = replace(game, seed=secrets.randbelow(SEEDS))
        if wish == "seat":
            game = game.next_seat
        if wish == "table":
            game = await asyncio.to_thread(other_tables)
        if wish in ("seat", "table"):
            sitting.name("", "", game.line_up)
        sitting.begin_another()


async def _play_out(game: Game, sitting: Sitting) -> MatchOutcome:
    """Plays the game, again from the same seed whenever the person takes an answer back."""
    while True:
        with suppress(TakenBack):
            return await play_game(game, sitting.sit)


async def _end(game: Game, outcome: MatchOutcome, sitting: Sitting) -> Wish:
    """Shows the end of the game, judges it meanwhile, and returns what the person wishes for."""
    record = read(outcome.record)
    replay = await asyncio.to_thread(render_standalone, record)
    ending = ending_of(record, outcome.result, sitting.names, game.seat)
    wishing = asyncio.ensure_future(sitting.interlude.offer(("same", "seat", "new", "table", "leave"), replay, ending))
    judging = asyncio.ensure_future(_judge(ending, record, game.seat, sitting))
    try:
        await asyncio.wait({wishing, judging}, return_when=asyncio.FIRST_COMPLETED)
        if judging.done():
            judging.result()
        return await wishing
    finally:
        wishing.cancel()
        judging.cancel()
        await asyncio.wait({wishing, judging})


async def _judge(ending: Ending, record: Record, seat: int, sitting: Sitting) -> None:
    async for judged in judge_ending(ending, record, seat):
        sitting.interlude.judge(judged)
