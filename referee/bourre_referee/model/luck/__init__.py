"""The luck of the draw, by which results are corrected: pure, and 0 on average whoever plays."""

from bourre_referee.model.luck.drawing import Drawing, Observer
from bourre_referee.model.luck.draws import COEFFICIENT, ORDERS, luck

__all__ = ["COEFFICIENT", "ORDERS", "Drawing", "Observer", "luck"]
