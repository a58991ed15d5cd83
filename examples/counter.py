"""Counts the cards: leads cards that nothing unseen can beat, trumps first, and wins as cheaply as it can."""

from bourre import Bot, Card, View, remaining, run

KING = 13


class Counter(Bot):
    def declare(self, view: View) -> bool:
        trumps = [card for card in view.hand if card.suit == view.trump]
        return len(trumps) >= 2 or (len(trumps) == 1 and trumps[0].rank >= KING)

    def draw(self, view: View) -> list[Card]:
        weak = [card for card in view.hand if card.suit != view.trump and card.rank < KING]
        return weak[: view.max_discards]

    def play(self, view: View) -> Card:
        safe = [card for card in view.legal if self.is_safe(card, view)]
        if view.trick:
            return safe[0] if safe else self.cheapest(view)
        return max(safe, key=lambda card: (card.suit == view.trump, card)) if safe else view.legal[-1]

    def is_safe(self, card: Card, view: View) -> bool:
        """Returns whether no card that may still be out beats this one; the turned card always counts as out."""
        turned = [] if view.turned is None or view.turned == view.dead else [view.turned]
        out = [*remaining(view), *turned]
        return not any(other.suit in (card.suit, view.trump) and self.beats(other, card, view) for other in out)

    def beats(self, other: Card, card: Card, view: View) -> bool:
        return other > card if other.suit == card.suit else other.suit == view.trump

    def cheapest(self, view: View) -> Card:
        """Returns the lowest card, and a trump only if nothing else is legal."""
        return min(view.legal, key=lambda card: (card.suit == view.trump, card))


if __name__ == "__main__":
    run(Counter)
