"""Ruses: what a bot might do wrong on purpose, each on top of an honest bot."""

from __future__ import annotations

from collections.abc import Awaitable

from positions import illegal, is_hopeless, is_renege, leader_takes, pot_is_lost, trump_kept, wins

from bourre.bot import Bot
from bourre.decisions import decide_now
from bourre.rules.actions import Action, Decision, Declare, Draw, Fault, HandOver, Missing, Play, Recall, Unasked
from bourre.rules.cards import Card
from bourre.rules.visibility import View


class Policy:
    """An honest bot, asked once for each view, however many ruses want to know."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._last: tuple[View, Action] | None = None

    def decide(self, view: View) -> Action:
        """What it does; the only legal card without asking."""
        if view.decision == Decision.PLAY and len(view.legal) == 1:
            return Play(view.legal[0])
        if self._last is None or self._last[0] is not view:
            self._last = view, decide_now(self._bot, view, _no_waiting)
        return self._last[1]


class Ruse:
    """No ruse at all: it does what its bot does. The others change one thing each."""

    interrupts = False
    """Whether it may speak while others are asked."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def answer(self, view: View) -> Action:
        """What the seat says when it is asked; HandOver leaves the table."""
        return self.honest(view)

    def recall(self, view: View, action: Action) -> Recall | None:
        """The card that it plays instead of the one just played, where nobody says a word (R8.4)."""
        return None

    def interrupt(self, view: View) -> Unasked | None:
        """What it says while another seat is asked."""
        return None

    def honest(self, view: View) -> Action:
        """What its bot does."""
        return self._policy.decide(view)


def _no_waiting(awaitable: Awaitable[object]) -> object:
    raise TypeError(f"the bots of this measurement decide at once, not {awaitable}")


class Announces(Ruse):
    """Premature: declares before it is asked, in every deal (R4.7)."""

    interrupts = True

    def interrupt(self, view: View) -> Unasked | None:
        return Unasked(Fault.PREMATURE) if view.decision == Decision.DECLARE and self.pays(view) else None

    def pays(self, view: View) -> bool:
        """Whether it speaks up now; once a deal, for more changes nothing."""
        return view.plays[view.seat] is None and not any(declared is not None for declared in view.plays)


class AnnouncesThriftily(Announces):
    """Premature, but only while it owes no turn to deal: so it never deals, with as few faults as may be."""

    def pays(self, view: View) -> bool:
        return super().pays(view) and not view.owed_turns[view.seat]


class AnnouncesDiscards(Ruse):
    """Premature: says its discards before it is asked to draw, in every deal where it can (R4.7)."""

    interrupts = True

    def interrupt(self, view: View) -> Unasked | None:
        waits = view.plays[view.seat] is not False and view.drawn[view.seat] is None
        return Unasked(Fault.PREMATURE) if view.decision == Decision.DRAW and waits else None


class Recalls(Ruse):
    """Plays an illegal card whenever it holds one and corrects it at once (R8.2)."""

    def answer(self, view: View) -> Action:
        wrong = illegal(view)
        if view.correcting or not wrong or not self.pays(view):
            return self.honest(view)
        return Play(wrong[0])

    def recall(self, view: View, action: Action) -> Recall | None:
        if view.house.renege_policy != "silent" or not is_renege(view, action):
            return None
        card = self.honest(view)
        return Recall(card.card) if isinstance(card, Play) else None

    def pays(self, view: View) -> bool:
        """Whether it reneges now."""
        return True


class RecallsWhenLost(Recalls):
    """Recalls only where the pot is lost, so that being barred costs nothing, and it owes no turn to deal."""

    def pays(self, view: View) -> bool:
        return pot_is_lost(view) and not view.owed_turns[view.seat] and view.seat not in view.barred


class Reneges(Ruse):
    """Plays an illegal card whenever it holds one and lets it stand (R8.1)."""

    def answer(self, view: View) -> Action:
        if view.correcting:
            stands = view.house.renege_policy == "prompt"
            return Play(view.correcting.card) if stands else self.honest(view)
        card = self.choose(view) if view.decision == Decision.PLAY else None
        return self.honest(view) if card is None else Play(card)

    def choose(self, view: View) -> Card | None:
        """The illegal card that it plays, or None to play honestly; some choose more carefully."""
        return min(illegal(view), default=None)


class KeepsTrumps(Reneges):
    """Obliged to trump, it throws its lowest other card away and keeps the trump."""

    def choose(self, view: View) -> Card | None:
        return trump_kept(view)


class TakesTricks(Reneges):
    """Wins a trick with an illegal card whenever no legal one does."""

    def choose(self, view: View) -> Card | None:
        if any(wins(view, card) for card in view.legal):
            return None
        return min((card for card in illegal(view) if wins(view, card)), default=None)


class TakesTricksBourred(TakesTricks):
    """As good as bourré, and so about to pay a match anyway, it wins this trick and later ones with illegal cards."""

    def choose(self, view: View) -> Card | None:
        if any(wins(view, card) for card in view.legal) or not self.pays(view):
            return None
        return max((card for card in illegal(view) if wins(view, card)), default=None)

    def pays(self, view: View) -> bool:
        """Whether a renege costs nothing more, or hardly."""
        return view.seat in view.barred or is_hopeless(view)


class SpoilsPots(TakesTricksBourred):
    """Likewise, but only where the trick would go to a seat that leads, which others may then catch up with."""

    def pays(self, view: View) -> bool:
        return super().pays(view) and leader_takes(view)


class RenegesTwice(TakesTricksBourred):
    """Reneges to keep a trump, and, once it owes a match, wins whatever it can: more reneges cost nothing."""

    def choose(self, view: View) -> Card | None:
        return super().choose(view) if view.seat in view.barred else trump_kept(view)


class RenegesCheaply(TakesTricks):
    """Wins tricks with illegal cards where the pot limit makes the match less than half the pot (R7.4)."""

    def choose(self, view: View) -> Card | None:
        return super().choose(view) if 2 * view.match < view.pot else None


class IsLate(Ruse):
    """Answers too late when it would pass: the referee passes for it (R8.5)."""

    def answer(self, view: View) -> Action:
        action = self.honest(view)
        return Missing(Fault.LATE) if action == Declare(False) else action


class SaysRubbish(Ruse):
    """Answers what nobody can read when it would draw nothing: the referee stands pat for it (R8.5)."""

    def answer(self, view: View) -> Action:
        action = self.honest(view)
        return Missing(Fault.UNDECODABLE) if action == Draw() else action


class IsLateWithCards(Ruse):
    """Answers too late whenever it is asked for a card: the referee plays its lowest legal one (R8.5)."""

    def answer(self, view: View) -> Action:
        return Missing(Fault.LATE) if view.decision == Decision.PLAY else self.honest(view)


class IsLateWhenBourred(IsLateWithCards):
    """Answers too late for a card only when it is sure of going bourré, and so pays a match anyway."""

    def answer(self, view: View) -> Action:
        return super().answer(view) if is_hopeless(view) else self.honest(view)


class Leaves(Ruse):
    """Leaves for good at the first hand with which it would pass: the house plays on for it."""

    def answer(self, view: View) -> Action:
        action = self.honest(view)
        return HandOver() if action == Declare(False) else action


class StaysAndPasses(Ruse):
    """The honest twin of one that leaves: from that hand on it stays, passes, and plays its lowest legal card."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy)
        self._passes = False

    def answer(self, view: View) -> Action:
        action = self.honest(view)
        self._passes = self._passes or action == Declare(False)
        return _least(view) if self._passes else action


class LeavesBourred(Ruse):
    """Leaves for good in the middle of the play, when it is sure of going bourré."""

    def answer(self, view: View) -> Action:
        return HandOver() if view.decision == Decision.PLAY and is_hopeless(view) else self.honest(view)


class StaysBourred(StaysAndPasses):
    """Its honest twin: from there on it plays its lowest legal card and passes."""

    def answer(self, view: View) -> Action:
        self._passes = self._passes or (view.decision == Decision.PLAY and is_hopeless(view))
        return _least(view) if self._passes else self.honest(view)


def _least(view: View) -> Action:
    match view.decision:
        case Decision.DECLARE:
            return Declare(False)
        case Decision.DRAW:
            return Draw()
        case Decision.PLAY:
            return Play(min(view.legal, key=lambda card: (card.rank, card.suit)))
    return Missing(Fault.LATE)  # naming trumps and the second pass: what R8.5 does is a lawful choice
