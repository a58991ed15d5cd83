"""Encodes the data of a seat's page as JSON: moments, the open question and hints."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict

from bourre.rules.actions import Decision
from bourre.rules.view import View
from bourre.words.table_words import sort_hand
from bourre.words.table_words.picture import Picture, SeatPicture, picture_of
from bourre_seats.question_queue.question import QueuedQuestion
from bourre_seats.seat.ending import Ending
from bourre_seats.seat.guide import Lesson
from bourre_seats.seat.hints import Hint
from bourre_seats.seat.prompts import HOUR, ask_words, hint_lines, warning_words
from bourre_seats.seat.sitting import SeatMoment, Sitting

Json = dict[str, object]


def news_json(sitting: Sitting, after: int) -> bytes:
    """Encodes everything that is new since the moment of this number."""
    question = sitting.question
    return _encode(
        {
            "version": sitting.version,
            "moments": [_moment(moment, sitting.game) for moment in sitting.moments if moment.number > after],
            "question": None if question is None else _question(question, sitting),
            "game": sitting.game,
            "title": sitting.title,
            "kicker": sitting.kicker,
            "offers": sitting.interlude.offers,
            "replays": bool(sitting.interlude.replay),
            "ending": _ending(sitting.interlude.ending),
            "may_take_back": sitting.may_take_back,
            "over": sitting.over,
            "status": sitting.desk.status,
            "names": list(sitting.names),
        }
    )


def hint_json(hint: Hint) -> bytes:
    """Encodes a hint."""
    return _encode({"legal": _texts(hint.legal), "lines": list(hint_lines(hint))})


def error_json(text: str) -> bytes:
    """Encodes the reason of a failed request."""
    return _encode({"error": text})


def _encode(data: Json) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def _ending(ending: Ending | None) -> Json | None:
    return None if ending is None else {"heading": ending.heading, **asdict(ending)}


def _moment(moment: SeatMoment, game: int) -> Json:
    return {
        "number": moment.number,
        "game": game,
        "kind": moment.kind,
        "text": moment.text,
        "lessons": _lessons(moment.lessons),
        "table": _table(moment.picture, moment.you),
        "verdict": None if moment.verdict is None else asdict(moment.verdict),
    }


def _question(question: QueuedQuestion, sitting: Sitting) -> Json:
    view = question.view
    left = sitting.desk.seconds_left(question)
    return {
        "number": question.number,
        "asks": "recall" if question.reneged is not None else str(view.decision),
        "text": ask_words(question),
        "warning": warning_words(question),
        "wrong": "" if view.correcting is None else str(view.correcting.card),
        "exchanges": view.max_discards if _may_exchange(view) else 0,
        "takes": str(view.dead) if view.may_take_turned and _may_exchange(view) else "",
        "seconds": None if left is None or left > HOUR else round(left),
        "lessons": _lessons(sitting.lessons(question)),
        "table": _table(picture_of(view), view.seat),
        "deals": view.deals,
    }


def _may_exchange(view: View) -> bool:
    in_turn = view.decision == Decision.DECLARE and view.house.declares_in_turn
    return in_turn or view.decision == Decision.DRAW


def _table(picture: Picture, you: int) -> Json:
    return {
        "deal": picture.deal,
        "dealer": picture.dealer,
        "you": you,
        "pot": picture.pot,
        "trump": "" if picture.trump is None else str(picture.trump),
        "turned": "" if picture.turned is None else str(picture.turned),
        "seats": [_seat(seat) for seat in picture.seats],
        "hand": _texts(_held(picture, you)),
        "trick": [[played.seat, str(played.card)] for played in picture.trick],
        "winner": picture.winner,
    }


def _held(picture: Picture, you: int) -> Iterable[object]:
    """Returns the person's hand in the order in which people hold it."""
    return sort_hand([card for card in picture.seats[you].hand if card is not None], picture.trump)


def _seat(seat: SeatPicture) -> Json:
    return {
        "state": seat.status,
        "drew": seat.drew,
        "tricks": seat.tricks,
        "chips": seat.chips,
        "barred": seat.barred,
    }


def _lessons(lessons: Iterable[Lesson]) -> list[list[str]]:
    return [[lesson.rule, lesson.text] for lesson in lessons]


def _texts(cards: Iterable[object]) -> list[str]:
    return [str(card) for card in cards]
