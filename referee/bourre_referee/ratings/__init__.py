"""How good each bot is, by TrueSkill: computed afresh from the results alone."""

from bourre_referee.ratings.batch import rate
from bourre_referee.ratings.belief import Rating, draw_share

__all__ = ["Rating", "draw_share", "rate"]
