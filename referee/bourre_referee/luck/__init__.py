"""The luck of the cards, by which results are corrected. It is pure, and averages 0 whichever bots play."""

from bourre_referee.luck.bot_style import BotLessons
from bourre_referee.luck.draw_luck import COEFFICIENT, ORDERS, luck
from bourre_referee.luck.lessons_in_order import LessonsInOrder, PlannedMatch, TaughtBoards
from bourre_referee.luck.luck_recorder import Drawing, LuckRecorder, PlayedBoard, PlayedCards
from bourre_referee.luck.schools import SCHOOL_DEALS, Schools
from bourre_referee.luck.style_luck import BASELINE, Baseline, luck_of_match, style_luck

__all__ = [
    "BASELINE",
    "COEFFICIENT",
    "ORDERS",
    "SCHOOL_DEALS",
    "Baseline",
    "BotLessons",
    "Drawing",
    "LessonsInOrder",
    "LuckRecorder",
    "PlannedMatch",
    "PlayedBoard",
    "PlayedCards",
    "Schools",
    "TaughtBoards",
    "luck",
    "luck_of_match",
    "style_luck",
]
