"""Finds house rules that are playable but probably unintended: keys without effect, or at odds with each other."""

from __future__ import annotations

from collections.abc import Iterator

from bourre.rules.house import RANGES, SEVEN_PLAYER_SEATS, HouseRules


def lint(house: HouseRules, seats: int | None = None) -> tuple[str, ...]:
    """Returns a warning for each probably unintended key, with the reason, a fix and the rule.

    Without the number of seats, checks that depend on it are skipped. Unplayable rules never get here: making them
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
            yield "ante = 0 with second_ante = 0: no chips ever enter the pot; write ante = 1 (R2.1)"
        if house.dealer_antes_all:
            yield "dealer_antes_all = true with ante = 0: the dealer pays nothing; write ante = 1 (R2.3)"
        if house.ante_when == "pot_empty":
            yield "ante_when = 'pot_empty' with ante = 0: no ante is ever paid; write ante = 1 (R2.5)"
        return
    if house.dealer_antes_all and not house.fault_fine:
        reason = "a bot that forfeits its deals avoids everyone's antes, so a fault can pay off"
        fine = min(10 * house.ante, RANGES["fault_fine"][1])
        yield f"dealer_antes_all = true with fault_fine = 0: {reason}; write fault_fine = {fine} (R8.6)"
    exemptions = [key for key in ("exempt_bourre", "exempt_tied") if getattr(house, key)]
    if house.second_ante and exemptions:
        hint = ", ".join(f"{key} = false" for key in exemptions)
        reason = "with a second ante, every seat pays the first one"
        yield f"second_ante = {house.second_ante} with {' and '.join(exemptions)}: {reason}; write {hint} (R2.2)"


def _about_the_pot(house: HouseRules, seats: int | None) -> Iterator[str]:
    if house.pot_limit is not None and seats is not None and house.ante_when == "always":
        antes = house.ante * seats
        if house.pot_limit < antes:
            reason = f"less than the {antes} chips of {seats} antes, so the pot grows from deal to deal"
            yield f"pot_limit = {house.pot_limit}: {reason}; write {antes} or more (R7.4)"
    if house.second_pass and not house.second_ante:
        reason = "staying after the draw costs nothing"
        yield f"second_pass = true with second_ante = 0: {reason}; write second_ante = 1 (R4.9)"


def _about_drawing(house: HouseRules, seats: int | None) -> Iterator[str]:
    limit = house.seven_player_limit
    if limit is not None and house.max_discards <= limit:
        reason = f"max_discards = {house.max_discards} allows no more anyway"
        yield f"seven_player_limit = {limit}: {reason}; write seven_player_limit = 'none' (R4.3)"
    elif limit is not None and seats is not None and seats < SEVEN_PLAYER_SEATS:
        reason = f"it applies to {SEVEN_PLAYER_SEATS} seats or more, and this table has {seats}"
        yield f"seven_player_limit = {limit}: {reason}; write seven_player_limit = 'none' (R4.3)"
    if house.trump_card == "separate_dealer_option" and house.max_discards == 0:
        reason = "a dealer who may not discard can never take the turned card"
        hint = "write max_discards = 1 or more, or trump_card = 'separate_dead'"
        yield f"trump_card = 'separate_dealer_option' with max_discards = 0: {reason}; {hint} (R3.2)"


def _about_play(house: HouseRules) -> Iterator[str]:
    if house.must_overtrump and not house.must_beat and house.must_trump != "never":
        reason = "it has no effect without must_beat, so any trump will do"
        hint = "write must_beat = true, or must_overtrump = false"
        yield f"must_overtrump = true with must_beat = false: {reason}; {hint} (R5.4)"
    if house.lead_honour_when != "every" and house.lead_honour == "none":
        reason = "no honour has to be led at all"
        yield f"lead_honour_when = '{house.lead_honour_when}': {reason}; write lead_honour = 'any' (R5.6)"
    if not house.cinch_adjacent and not house.cinch:
        yield "cinch_adjacent = false with cinch = false: there is no cinch; write cinch = true (R6.3)"


def _about_reneges(house: HouseRules) -> Iterator[str]:
    if house.renege_policy != "retract":
        return
    keys = [f"renege_multiple = {house.renege_multiple}"] if house.renege_multiple > 1 else []
    keys += [f"renege_pot = '{house.renege_pot}'"] if house.renege_pot != "carry" else []
    for key in keys:
        reason = "taking a card back costs nothing, unlike a second illegal card or none at all"
        yield f"{key} with renege_policy = 'retract': {reason}; write renege_policy = 'retract_renege' (R8.4)"
