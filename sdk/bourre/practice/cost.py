"""Describes what a mistake costs at a referee, in words and chips (R8)."""

from __future__ import annotations

from bourre.rules.actions import Choice, Decision, Play, Recall
from bourre.rules.pot import match_due
from bourre.rules.view import View


def cost(said: Choice | Recall | None, view: View) -> str:
    """Describes the cost of an illegal answer to this view; None stands for an unreadable answer."""
    if view.decision != Decision.PLAY:
        return _before_the_play(said, view)
    if isinstance(said, Play) and said.card in view.hand:
        return _after_renege(view)
    if isinstance(said, Recall):
        return f"the recall changes nothing{_fine(view)}, and the card stands. The renege costs {price(view)}"
    return f"the referee plays the lowest legal card{_fine(view)}. That costs {price(view)}"


def price(view: View) -> str:
    """Describes the price of a renege that stands or of no card: matching the pot, once a deal (R8.1, R8.5)."""
    if _owes_already(view):
        return "no more chips than are owed already"
    return f"{match_due(view.pot, view.house, bourred=False, reneged=True)} chips and this pot"


def _owes_already(view: View) -> bool:
    """Guesses from its view whether a seat owes already. One that corrected is barred, but owes nothing (R8.2)."""
    if view.correcting:
        return view.correcting.match == 0
    may_correct = view.house.asks_for_correction or view.house.allows_recall
    corrected = may_correct and view.seat in (seat for seat, _ in view.recalled)
    return view.seat in view.barred and not corrected


def _before_the_play(said: Choice | Recall | None, view: View) -> str:
    stands_pat = view.decision == Decision.DECLARE and said is not None
    return f"{'it stands pat' if stands_pat else default_words(view)}{_fine(view)}"


def default_words(view: View) -> str:
    """Describes what the referee does before the play for a seat without a valid answer (R8.5)."""
    match view.decision:
        case Decision.NAME_TRUMP:
            return "the suit of its lowest card becomes trump"
        case Decision.DRAW:
            return "it stands pat"
    return "it passes"


def _after_renege(view: View) -> str:
    """Describes the cost of a renege by `renege_policy` (R8.4)."""
    corrected = f"costs this pot of {view.pot} and the next turn to deal"
    match view.house.renege_policy:
        case "prompt":
            return f"the referee asks once more. A legal card then {corrected}. Any other answer costs {price(view)}"
        case "silent":
            return f"a recall in time {corrected}. Otherwise the renege costs {price(view)}"
        case "retract":
            return f"the referee takes the card back and asks again. A second such card costs {price(view)}"
        case "retract_renege":
            return f"the referee takes the card back and asks again. The renege costs {price(view)}"
    return f"the card stands. The renege costs {price(view)}"


def _fine(view: View) -> str:
    fine = view.house.fault_fine
    return ", a fault" + (f" that costs {fine} chips" if fine else "")
