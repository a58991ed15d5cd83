"""Finds house rules that are playable but probably unintended, such as keys without effect."""

from __future__ import annotations

from collections.abc import Iterator

from bourre.rules.house import RANGES, SEVEN_PLAYER_SEATS, HouseRules


def lint(house: HouseRules, seats: int | None = None) -> tuple[str, ...]:
    """Returns a warning for each probably unintended key, with the reason, the rule and a fix.

    Without the number of seats, skips the checks that need it. Unplayable rules never get here, because making them
    raises InvalidHouse.
    """
    return (
        *_about_antes(house),
        *_about_the_pot(house, seats),
        *_about_drawing(house, seats),
        *_about_play(house),
        *_about_reneges(house),
    )


def _about_antes(house: HouseRules) -> Iterator[str]:
    if house.ante == 0:
        if house.second_ante == 0:
            yield "ante = 0 with second_ante = 0: no chips ever enter the pot (R2.1).\nhint: set ante = 1"
        if house.dealer_antes_all:
            yield "dealer_antes_all = true with ante = 0: the dealer pays nothing (R2.3).\nhint: set ante = 1"
        if house.ante_when == "pot_empty":
            yield "ante_when = 'pot_empty' with ante = 0: no ante is ever paid (R2.5).\nhint: set ante = 1"
        return
    if house.dealer_antes_all and not house.fault_fine:
        reason = "a bot that forfeits its deals avoids everyone's antes, so a fault can pay off"
        fine = min(10 * house.ante, RANGES["fault_fine"][1])
        yield f"dealer_antes_all = true with fault_fine = 0: {reason} (R8.6).\nhint: set fault_fine = {fine}"
    exemptions = [key for key in ("exempt_bourre", "exempt_tied") if getattr(house, key)]
    if house.second_ante and exemptions:
        hint = ", ".join(f"{key} = false" for key in exemptions)
        reason = "with a second ante, every seat pays the first one"
        yield f"second_ante = {house.second_ante} with {' and '.join(exemptions)}: {reason} (R2.2).\nhint: set {hint}"


def _about_the_pot(house: HouseRules, seats: int | None) -> Iterator[str]:
    if house.pot_limit is not None and seats is not None and house.ante_when == "always":
        antes = house.ante * seats
        if house.pot_limit < antes:
            reason = f"less than the {antes} chips of {seats} antes, so the pot grows from deal to deal"
            yield f"pot_limit = {house.pot_limit}: {reason} (R7.4).\nhint: set pot_limit = {antes} or more"
    if house.second_pass and not house.second_ante:
        reason = "staying after the draw costs nothing"
        yield f"second_pass = true with second_ante = 0: {reason} (R4.9).\nhint: set second_ante = 1"


def _about_drawing(house: HouseRules, seats: int | None) -> Iterator[str]:
    limit = house.seven_player_limit
    if limit is not None and house.max_discards <= limit:
        reason = f"max_discards = {house.max_discards} allows no more anyway"
        yield f"seven_player_limit = {limit}: {reason} (R4.3).\nhint: set seven_player_limit = 'none'"
    elif limit is not None and seats is not None and seats < SEVEN_PLAYER_SEATS:
        reason = f"it applies to {SEVEN_PLAYER_SEATS} seats or more, and this table has {seats}"
        yield f"seven_player_limit = {limit}: {reason} (R4.3).\nhint: set seven_player_limit = 'none'"
    if house.trump_card == "separate_dealer_option" and house.max_discards == 0:
        reason = "a dealer who may not discard can never take the turned card"
        hint = "max_discards = 1 or more, or trump_card = 'separate_dead'"
        yield f"trump_card = 'separate_dealer_option' with max_discards = 0: {reason} (R3.2).\nhint: set {hint}"


def _about_play(house: HouseRules) -> Iterator[str]:
    if house.must_overtrump and not house.must_beat and house.must_trump != "never":
        reason = "it has no effect without must_beat, so any trump will do"
        hint = "must_beat = true, or must_overtrump = false"
        yield f"must_overtrump = true with must_beat = false: {reason} (R5.4).\nhint: set {hint}"
    if house.lead_honour_when != "every" and house.lead_honour == "none":
        reason = "no honour has to be led at all"
        yield f"lead_honour_when = '{house.lead_honour_when}': {reason} (R5.6).\nhint: set lead_honour = 'any'"
    if not house.cinch_adjacent and not house.cinch:
        yield "cinch_adjacent = false with cinch = false: there is no cinch (R6.3).\nhint: set cinch = true"


def _about_reneges(house: HouseRules) -> Iterator[str]:
    if house.renege_policy != "retract":
        return
    keys = [f"renege_multiple = {house.renege_multiple}"] if house.renege_multiple > 1 else []
    keys += [f"renege_pot = '{house.renege_pot}'"] if house.renege_pot != "carry" else []
    for key in keys:
        reason = "taking a card back costs nothing, unlike a second illegal card or none at all"
        yield f"{key} with renege_policy = 'retract': {reason} (R8.4).\nhint: set renege_policy = 'retract_renege'"
