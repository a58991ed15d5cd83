"""The luck of the draw, by which results are corrected; it is pure and averages 0 whichever bots play."""

from bourre_referee.model.luck.draw_luck import COEFFICIENT, ORDERS, luck
from bourre_referee.model.luck.draw_observer import Drawing, DrawObserver

__all__ = ["COEFFICIENT", "ORDERS", "DrawObserver", "Drawing", "luck"]
