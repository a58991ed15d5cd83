"""Weighs what the pot may bring against what going bourré would cost, and comes in when the odds are right."""

from bourre import Bot, Card, View, run

QUEEN, ACE = 12, 14


class PotAware(Bot):
    def declare(self, view: View) -> bool:
        rivals = sum(plays is not False for plays in view.plays) - 1
        hopes = self.tricks(view)
        chance_to_win = min(0.9, hopes / (1.5 + 0.5 * rivals))
        chance_of_none = max(0.0, 1 - hopes / 1.5)
        prize = view.house.limited(view.pot)
        return chance_to_win * prize > chance_of_none * view.match + 0.1 * prize

    def tricks(self, view: View) -> float:
        """Estimates how many tricks this hand takes after its draw."""
        trumps = [card for card in view.hand if card.suit == view.trump]
        aces = sum(card.rank == ACE and card.suit != view.trump for card in view.hand)
        return sum(0.9 if card.rank >= QUEEN else 0.5 for card in trumps) + 0.4 * aces

    def draw(self, view: View) -> list[Card]:
        weak = [card for card in view.hand if card.suit != view.trump and card.rank < ACE]
        return weak[: view.max_discards]

    def play(self, view: View) -> Card:
        return view.legal[0] if view.trick else view.legal[-1]


if __name__ == "__main__":
    run(PotAware)
