"""House rules: every key of docs/rules.md with its default, and the presets."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from bourre.rules.cards import SUIT_CARDS, Card, Suit
from bourre.rules.errors import InvalidHouse, unknown

ACE: Final = 14
MIN_SEATS, MAX_SEATS = 2, 8  # R1.1
ORDERS: Final = [
    [(*range(dealer + 1, seats), *range(dealer + 1)) for dealer in range(seats)] for seats in range(MAX_SEATS + 1)
]
"""The seats from the dealer's left, by the number of seats and the dealer."""
SEVEN_PLAYER_SEATS = 7
"""The least number of seats at which `seven_player_limit` applies (R4.3)."""

CHOICES: dict[str, tuple[str, ...]] = {
    "first_dealer": ("seeded", "low_card", "high_card"),
    "ante_when": ("always", "pot_empty"),
    "trump_card": ("dealer_fifth", "separate_dead", "separate_dealer_option", "separate_returned", "dealer_chooses"),
    "declare_mode": ("turn", "separate", "simultaneous"),
    "recycle": ("together", "folded_first"),
    "must_hold": ("none", "trump_or_club"),
    "must_trump": ("always", "if_can_win", "never"),
    "lead_honour": ("none", "any", "highest"),
    "lead_honour_when": ("every", "first"),
    "tie": ("carry", "divide"),
    "renege_policy": ("prompt", "silent", "retract", "retract_renege", "strict"),
    "renege_pot": ("carry", "next_best"),
}
"""The words of every key that has words as values. The first word is the default."""

RANGES: dict[str, tuple[int, int]] = {
    "ante": (0, 1_000_000),
    "second_ante": (0, 1_000_000),
    "cards": (4, 5),
    "max_discards": (0, 5),
    "seven_player_limit": (3, 3),
    "pot_limit": (1, 1_000_000_000),
    "renege_multiple": (1, 100),
    "fault_fine": (0, 1_000_000),
}
"""The least and the greatest value of every key with numbers."""

MAY_BE_NONE = ("seven_player_limit", "pot_limit")


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The house rules of one table. Every field is a key of docs/rules.md. The defaults are the preset `pagat`."""

    first_dealer: str | int = "seeded"  # R1.3
    ante: int = 1  # R2.1
    second_ante: int = 0  # R2.4
    dealer_antes_all: bool = False  # R2.3
    ante_when: str = "always"  # R2.5
    exempt_bourre: bool = True  # R2.2
    exempt_tied: bool = True  # R2.2
    cards: int = 5  # R3.1
    trump_card: str = "dealer_fifth"  # R3.2
    declare_mode: str = "turn"  # R4.1
    max_discards: int = 5  # R4.3
    seven_player_limit: int | None = None  # R4.3
    recycle: str = "together"  # R4.4
    must_hold: str = "none"  # R4.6
    second_pass: bool = False  # R4.9, preset indiana
    must_beat: bool = True  # R5.3
    must_overtrump: bool = True  # R5.4
    must_trump: str = "always"  # R5.4
    lead_honour: str = "none"  # R5.6
    lead_honour_when: str = "every"  # R5.6
    cinch: bool = True  # R6
    cinch_adjacent: bool = True  # R6.3
    tie: str = "carry"  # R7.2
    pot_limit: int | None = None  # R7.4
    renege_multiple: int = 1  # R7.4
    renege_policy: str = "prompt"  # R8.4
    renege_pot: str = "carry"  # R8.3
    fault_fine: int = 0  # R8.6

    def __post_init__(self) -> None:
        for field in fields(self):
            _check_value(field.name, getattr(self, field.name), field.default)

    @classmethod
    def preset(cls, name: str = "pagat", /, **keys: object) -> HouseRules:
        """Returns this preset with these keys changed; raises InvalidHouse with the key and the fix."""
        if name not in PRESETS:
            raise InvalidHouse(unknown("preset", name, PRESETS))
        known = [field.name for field in fields(cls)]
        if strange := [key for key in keys if key not in known]:
            raise InvalidHouse(unknown("house rule", strange[0], known))
        values: dict[str, object] = {**PRESETS[name], **keys}
        return cls(**{key: _parse_none(key, value) for key, value in values.items()})  # type: ignore[arg-type]

    def check_seats(self, seats: int) -> None:
        """Raises InvalidHouse if this many seats cannot play by these rules (R1.1)."""
        if not MIN_SEATS <= seats <= MAX_SEATS:
            raise InvalidHouse(f"{seats} seats cannot play Bourré (R1.1).\nhint: use {MIN_SEATS} to {MAX_SEATS} seats")
        if isinstance(self.first_dealer, int) and self.first_dealer >= seats:
            raise InvalidHouse(
                f"first_dealer = {self.first_dealer} is no seat of this table (R1.3).\nhint: use 0 to {seats - 1}"
            )

    @property
    def declares_in_turn(self) -> bool:
        """Whether a seat declares and draws in one turn (R4.1)."""
        return self.declare_mode == "turn"

    @property
    def declares_at_once(self) -> bool:
        """Whether all seats declare at the same time, in secret (R4.1)."""
        return self.declare_mode == "simultaneous"

    @property
    def dealer_names_trump(self) -> bool:
        """Whether no card is turned up, and the dealer names the trump suit (R3.2)."""
        return self.trump_card == "dealer_chooses"

    @property
    def dealer_holds_turned(self) -> bool:
        """Whether the turned card is one of the dealer's hand (R3.1)."""
        return self.trump_card == "dealer_fifth"

    @property
    def dealer_may_take_turned(self) -> bool:
        """Whether the dealer may take the turned card for one of the discards (R3.2)."""
        return self.trump_card == "separate_dealer_option"

    @property
    def returns_turned(self) -> bool:
        """Whether the turned card is shuffled back into the stock (R3.2)."""
        return self.trump_card == "separate_returned"

    @property
    def keeps_turned_apart(self) -> bool:
        """Whether the turned card is neither dealt nor in the stock. The dealer may take it by some rules (R3.2)."""
        return self.trump_card == "separate_dead" or self.dealer_may_take_turned

    @property
    def gathers_passed_first(self) -> bool:
        """Whether passed hands replenish the stock before discards do (R4.4)."""
        return self.recycle == "folded_first"

    @property
    def cost_to_enter(self) -> int:
        """The chips that a seat pays to come in (R2.4)."""
        return self.second_ante

    @property
    def cost_to_stay(self) -> int | None:
        """The chips that a seat pays to stay after the draw; None if seats are not asked (R4.9)."""
        return self.second_ante if self.second_pass else None

    @property
    def spares_bourred(self) -> bool:
        """Whether a seat that goes bourré saves an ante (R2.2) that it would pay before each deal (R2.5)."""
        return self.exempt_bourre and self.ante_when == "always"

    @property
    def asks_for_correction(self) -> bool:
        """Whether a renege is announced at once and may be corrected at a price (R8.2, R8.4)."""
        return self.renege_policy == "prompt"

    @property
    def forgives_reneges(self) -> bool:
        """Whether an illegal card is taken back, and its correction costs nothing (R8.4)."""
        return self.renege_policy == "retract"

    @property
    def allows_recall(self) -> bool:
        """Whether a seat may take a card back before its renege is announced (R8.4)."""
        return self.renege_policy == "silent"

    def obliges_dealer(self, turned: Card | None) -> bool:
        """Returns whether the dealer must play because of this turned card (R4.5)."""
        return self.dealer_holds_turned and turned is not None and turned.rank == ACE

    def needed_to_enter(self, trump: Suit) -> int:
        """Returns the cards of which a seat must hold one to come in, as a set; empty if it need not (R4.6)."""
        return SUIT_CARDS[trump] | SUIT_CARDS[Suit.C] if self.must_hold == "trump_or_club" else 0

    def antes(self, seats: int, pot: int) -> list[int]:
        """Returns each seat's antes before a deal, from the dealer's left, if no seat is exempt (R2.1, R2.3, R2.5)."""
        if pot and self.ante_when == "pot_empty":
            return [0] * seats
        return [0] * (seats - 1) + [seats * self.ante] if self.dealer_antes_all else [self.ante] * seats

    def most_discards(self, seats: int) -> int:
        """Returns the most cards that a seat may discard at a table of this many seats (R4.3)."""
        limit = self.seven_player_limit if seats >= SEVEN_PLAYER_SEATS else None
        most = self.max_discards if limit is None or limit > self.max_discards else limit
        return most if most < self.cards else self.cards

    def limited(self, chips: int) -> int:
        """Returns these chips, at most the pot limit (R7.4)."""
        limit = self.pot_limit
        return chips if limit is None or chips < limit else limit


def check_preset(name: str, seats: int) -> None:
    """Raises InvalidHouse if the preset's game has fewer seats than this."""
    most = PRESET_SEATS.get(name, MAX_SEATS)
    if seats > most:
        hint = f"use {most} seats or fewer, or set its keys on top of 'pagat'"
        raise InvalidHouse(f"Preset {name!r} is for {MIN_SEATS} to {most} seats, not {seats}.\nhint: {hint}")


def _check_value(key: str, value: object, default: object) -> None:
    if value is None and key in MAY_BE_NONE:
        return
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise _not_allowed(key, value, "true or false")
    elif key == "first_dealer" and isinstance(value, int) and not isinstance(value, bool):
        if not 0 <= value < MAX_SEATS:
            raise _not_allowed(key, value, f"a seat from 0 to {MAX_SEATS - 1}")
    elif key in CHOICES:
        if value not in CHOICES[key]:
            or_seat = ", or a seat number" if key == "first_dealer" else ""
            raise _not_allowed(key, value, f"one of {', '.join(map(_format_value, CHOICES[key]))}{or_seat}")
    else:
        least, most = RANGES[key]
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            span = f"{least}" if least == most else f"a whole number from {least} to {most}"
            or_none = " or 'none'" if key in MAY_BE_NONE else ""
            raise _not_allowed(key, value, f"{span}{or_none}")


def _not_allowed(key: str, value: object, allowed: str) -> InvalidHouse:
    return InvalidHouse(f"{key} = {_format_value(value)} is not allowed.\nhint: use {allowed}")


def _parse_none(key: str, value: object) -> object:
    return None if key in MAY_BE_NONE and value == "none" else value


def _format_value(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else repr(value)


PRESETS: dict[str, dict[str, object]] = {
    "pagat": {},
    "limit": {"pot_limit": 20},
    "double_ante": {"second_ante": 1, "exempt_bourre": False, "exempt_tied": False},
    "separate_rounds": {"declare_mode": "separate"},
    "simultaneous": {"declare_mode": "simultaneous"},
    "separate_dead": {"trump_card": "separate_dead"},
    "separate_dealer_option": {"trump_card": "separate_dealer_option"},
    "wikipedia": {
        "declare_mode": "separate",
        "must_trump": "if_can_win",
        "seven_player_limit": 3,
        "recycle": "folded_first",
    },
    "bicycle": {"declare_mode": "separate", "trump_card": "separate_dead", "max_discards": 4, "lead_honour": "any"},
    "nba": {"declare_mode": "separate", "trump_card": "dealer_chooses"},
    "indiana": {
        "cards": 4,
        "trump_card": "separate_dead",
        "second_ante": 1,
        "must_hold": "trump_or_club",
        "declare_mode": "separate",
        "max_discards": 3,
        "second_pass": True,
        "renege_multiple": 2,
    },
    "booray": {
        "cards": 4,
        "trump_card": "separate_dead",
        "declare_mode": "separate",
        "max_discards": 4,
        "must_beat": False,
        "must_trump": "never",
        "cinch": False,
        "ante_when": "pot_empty",
        "exempt_bourre": False,
        "exempt_tied": False,
    },
}
"""The keys that each preset changes from the defaults."""

PRESET_SEATS = {"wikipedia": 7}
"""The most seats of each preset with fewer seats than the others."""
