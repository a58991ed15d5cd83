"""A second settlement by R7 and R8, sentence by sentence from docs/rules.md; without any code of the rules."""

from __future__ import annotations

from dataclasses import dataclass, field

from bourre.rules.house import HouseRules


@dataclass
class Reckoning:
    """A deal to be settled, and the result."""

    pot: int
    tricks: dict[str, int]
    uncorrected: list[str]
    corrected: list[str]
    keys: HouseRules
    winner: str | None = None
    tied: set[str] = field(default_factory=set)
    taken: dict[str, int] = field(default_factory=dict)
    paid: dict[str, int] = field(default_factory=dict)
    exempt: set[str] = field(default_factory=set)
    left: int = 0

    def settle(self) -> None:
        """R7.1 to R7.4, R8.1 to R8.3, R2.2."""
        self.find_winner()
        self.left = self.pot
        if self.winner is not None:
            self.give(self.winner, self.at_most_the_limit(self.pot))
        elif self.tied and self.keys.tie == "divide":
            self.divide()
        for seat in self.tricks:
            self.make_pay(seat)
        if self.keys.exempt_tied:
            self.exempt |= self.tied

    def is_barred(self, seat: str) -> bool:
        """R8.1 and R8.2: cannot win the pot."""
        return seat in self.uncorrected or seat in self.corrected

    def find_winner(self) -> None:
        """R7.1, R7.2, R8.3."""
        ranking = sorted(self.tricks, key=lambda seat: -self.tricks[seat])
        if self.keys.renege_pot == "next_best":
            ranking = [seat for seat in ranking if not self.is_barred(seat)]
        if not ranking or self.tricks[ranking[0]] == 0:
            return
        if len(ranking) > 1 and self.tricks[ranking[1]] == self.tricks[ranking[0]]:
            self.tied = {seat for seat in ranking if self.tricks[seat] == self.tricks[ranking[0]]}
        elif not self.is_barred(ranking[0]):
            self.winner = ranking[0]

    def divide(self) -> None:
        """R7.2: one chip each, round after round, while there is enough for all."""
        sharing = [seat for seat in self.tied if not self.is_barred(seat)]
        chips = self.at_most_the_limit(self.pot)
        while sharing and chips >= len(sharing):
            chips -= len(sharing)
            for seat in sharing:
                self.give(seat, 1)

    def make_pay(self, seat: str) -> None:
        """R7.3, R7.4, R8.1: for bourré and renege the larger, once."""
        matches = [0]
        if self.tricks[seat] == 0:
            matches.append(self.at_most_the_limit(self.pot))
        if seat in self.uncorrected:
            matches.append(self.at_most_the_limit(self.pot * self.keys.renege_multiple))
        if max(matches) > 0:
            self.paid[seat] = max(matches)
            if self.keys.exempt_bourre:
                self.exempt.add(seat)

    def give(self, seat: str, chips: int) -> None:
        """From the pot to a seat."""
        self.taken[seat] = self.taken.get(seat, 0) + chips
        self.left -= chips

    def at_most_the_limit(self, chips: int) -> int:
        """R7.4: min(chips, L)."""
        limit = self.keys.pot_limit
        return chips if limit is None or chips < limit else limit
