"""What a mistake costs at a referee, in words and chips (R8)."""

from __future__ import annotations

from bourre.rules.actions import Choice, Decision, Play, Recall
from bourre.rules.pot import match_due
from bourre.rules.view import View


def cost(said: Choice | Recall | None, view: View) -> str:
    """Describes what an illegal answer to this view leads to; None stands for no readable answer."""
    if view.decision != Decision.PLAY:
        return _before_the_play(said, view)
    if isinstance(said, Play) and said.card in view.hand:
        return _after_renege(view)
    if isinstance(said, Recall):
        return f"the recall changes nothing{_fine(view)}, and the card stands: {price(view)}"
    return f"the lowest legal card is played for it{_fine(view)}: {price(view)}"


def price(view: View) -> str:
    """Describes the price of a renege that stands, or of no card: matching the pot, once a deal (R8.1, R8.5)."""
    if _owes_already(view):
        return "no more chips than are owed already"
    return f"{match_due(view.pot, view.house, bourred=False, reneged=True)} chips and this pot"


def _owes_already(view: View) -> bool:
    """Guesses from its view whether a seat owes already: it is also barred, without owing, if it corrected (R8.2)."""
    if view.correcting:
        return view.correcting.match == 0
    may_correct = view.house.asks_for_correction or view.house.allows_recall
    corrected = may_correct and view.seat in (seat for seat, _ in view.recalled)
    return view.seat in view.barred and not corrected


def _before_the_play(said: Choice | Recall | None, view: View) -> str:
    if view.decision == Decision.NAME_TRUMP:
        return f"its lowest card's suit is trump{_fine(view)}"
    if view.decision == Decision.DRAW or said is not None:
        return f"it stands pat{_fine(view)}"
    return f"it passes{_fine(view)}"


def _after_renege(view: View) -> str:
    """Describes what a renege leads to, by `renege_policy` (R8.4)."""
    corrected = f"it is out of this pot of {view.pot}, and loses its next turn to deal"
    match view.house.renege_policy:
        case "prompt":
            return f"asked once more, it may correct the card: then {corrected}; otherwise {price(view)}"
        case "silent":
            return f"if it recalls the card in time, {corrected}; otherwise {price(view)}"
        case "retract":
            return f"the card is taken back and another asked for; a second such card: {price(view)}"
        case "retract_renege":
            return f"the card is taken back and another asked for: {price(view)}"
    return f"the card stands: {price(view)}"


def _fine(view: View) -> str:
    fine = view.house.fault_fine
    return ", a fault" + (f" that costs {fine} chips" if fine else "")
