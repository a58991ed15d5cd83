"""House rules that are named on the command line."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bourre.rules.house import HouseRules


def house_at(preset: str, seats: int) -> "HouseRules":
    """The house rules of this preset at a table of so many; InvalidHouse where there are none."""
    from bourre.rules.house import HouseRules, check_preset

    house = HouseRules.preset(preset)
    house.check_seats(seats)
    check_preset(preset, seats)
    return house
