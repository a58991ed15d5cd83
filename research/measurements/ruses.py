"""Ruses: ways in which a bot might break rules on purpose, each based on an honest bot."""

from __future__ import annotations

from collections.abc import Awaitable

from positions import illegal, is_hopeless, is_renege, leader_takes, pot_is_lost, trump_kept, wins

from bourre.bot import Bot
from bourre.bot_code.decisions import decide_now
from bourre.rules.actions import Action, Decision, Declare, Draw, Fault, HandOver, Missing, Play, Recall, Unasked
from bourre.rules.cards import Card
from bourre.rules.visibility import View


class Policy:
    """An honest bot, asked once for each view, however many ruses are based on it."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._last: tuple[View, Action] | None = None

    def decide(self, view: View) -> Action:
        """Returns its action; an only legal card is played without asking."""
        if view.decision == Decision.PLAY and len(view.legal) == 1:
            return Play(view.legal[0])
        if self._last is None or self._last[0] is not view:
            self._last = view, decide_now(self._bot, view, _no_waiting)
        return self._last[1]


class Ruse:
    """The honest behaviour of the bot, in which each subclass changes one thing."""

    interrupts = False
    """Whether it may act while others are asked."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def answer(self, view: View) -> Action:
        """Returns the action when the seat is asked; HandOver leaves the table."""
        return self.honest(view)

    def recall(self, view: View, action: Action) -> Recall | None:
        """Returns a card to play instead of the one just played, under the silent policy (R8.4)."""
        return None

    def interrupt(self, view: View) -> Unasked | None:
        """Returns an action while another seat is asked, or None."""
        return None

    def honest(self, view: View) -> Action:
        """Returns the action of its bot."""
        return self._policy.decide(view)


def _no_waiting(awaitable: Awaitable[object]) -> object:
    raise TypeError(f"the bots of this measurement decide at once, not {awaitable}")


class Announces(Ruse):
    """Premature: declares before it is asked, in every deal (R4.7)."""

    interrupts = True

    def interrupt(self, view: View) -> Unasked | None:
        return Unasked(Fault.PREMATURE) if view.decision == Decision.DECLARE and self.pays(view) else None

    def pays(self, view: View) -> bool:
        """Whether it announces now; only once a deal, because more changes nothing."""
        return view.plays[view.seat] is None and not any(declared is not None for declared in view.plays)


class AnnouncesThriftily(Announces):
    """Premature, but only while it owes no turn to deal: so it never deals, with as few faults as possible."""

    def pays(self, view: View) -> bool:
        return super().pays(view) and not view.owed_turns[view.seat]


class AnnouncesDiscards(Ruse):
    """Premature: discards before it is asked to draw, in every deal where it can (R4.7)."""

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
    """Recalls only when the pot is lost, so that being barred costs nothing, and while it owes no turn to deal."""

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
        """Returns the illegal card that it plays, or None to play honestly; some subclasses choose more carefully."""
        return min(illegal(view), default=None)


class KeepsTrumps(Reneges):
    """Obliged to trump, it plays its lowest other card and keeps the trump."""

    def choose(self, view: View) -> Card | None:
        return trump_kept(view)


class TakesTricks(Reneges):
    """Wins a trick with an illegal card whenever no legal one does."""

    def choose(self, view: View) -> Card | None:
        if any(wins(view, card) for card in view.legal):
            return None
        return min((card for card in illegal(view) if wins(view, card)), default=None)


class TakesTricksBourred(TakesTricks):
    """Almost certainly bourré, and so about to match the pot, it wins this and later tricks with illegal cards."""

    def choose(self, view: View) -> Card | None:
        if any(wins(view, card) for card in view.legal) or not self.pays(view):
            return None
        return max((card for card in illegal(view) if wins(view, card)), default=None)

    def pays(self, view: View) -> bool:
        """Whether a renege costs little or nothing more."""
        return view.seat in view.barred or is_hopeless(view)


class SpoilsPots(TakesTricksBourred):
    """Likewise, but only if the trick would go to the seat with most tricks, so that others can catch up."""

    def pays(self, view: View) -> bool:
        return super().pays(view) and leader_takes(view)


class RenegesTwice(TakesTricksBourred):
    """Reneges to keep a trump and, once it must match the pot, wins what it can: more reneges cost nothing."""

    def choose(self, view: View) -> Card | None:
        return super().choose(view) if view.seat in view.barred else trump_kept(view)


class RenegesCheaply(TakesTricks):
    """Wins tricks with illegal cards when the pot limit makes matching the pot cost less than half of it (R7.4)."""

    def choose(self, view: View) -> Card | None:
        return super().choose(view) if 2 * view.match < view.pot else None


class IsLate(Ruse):
    """Answers too late when it would pass: the referee passes for it (R8.5)."""

    def answer(self, view: View) -> Action:
        action = self.honest(view)
        return Missing(Fault.LATE) if action == Declare(False) else action


class SaysRubbish(Ruse):
    """Sends an unreadable answer when it would draw nothing: the referee stands pat for it (R8.5)."""

    def answer(self, view: View) -> Action:
        action = self.honest(view)
        return Missing(Fault.UNDECODABLE) if action == Draw() else action


class IsLateWithCards(Ruse):
    """Answers too late whenever it is asked for a card: the referee plays its lowest legal card (R8.5)."""

    def answer(self, view: View) -> Action:
        return Missing(Fault.LATE) if view.decision == Decision.PLAY else self.honest(view)


class IsLateWhenBourred(IsLateWithCards):
    """Answers too late for a card only when it is certain to be bourré, and so to match the pot anyway."""

    def answer(self, view: View) -> Action:
        return super().answer(view) if is_hopeless(view) else self.honest(view)


class Leaves(Ruse):
    """Leaves for good at the first hand that it would pass: the house plays on for it."""

    def answer(self, view: View) -> Action:
        action = self.honest(view)
        return HandOver() if action == Declare(False) else action


class StaysAndPasses(Ruse):
    """The honest twin of Leaves: from that hand on it stays, passes, and plays its lowest legal card."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy)
        self._passes = False

    def answer(self, view: View) -> Action:
        action = self.honest(view)
        self._passes = self._passes or action == Declare(False)
        return _least(view) if self._passes else action


class LeavesBourred(Ruse):
    """Leaves for good in the middle of play, when it is certain to be bourré."""

    def answer(self, view: View) -> Action:
        return HandOver() if view.decision == Decision.PLAY and is_hopeless(view) else self.honest(view)


class StaysBourred(StaysAndPasses):
    """The honest twin of LeavesBourred: from there on it plays its lowest legal card and passes."""

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
    return Missing(Fault.LATE)  # naming trump and the second pass: what R8.5 does is a legal choice
