"""How long rooms usually last, and what follows for one that lasts longer: known values."""

from bourre_referee.ladder.log.waiting_list import LAST, RoomLengths


def lengths_of(*lengths: int) -> RoomLengths:
    """The lengths of these rooms, in milliseconds."""
    found = RoomLengths()
    for length in lengths:
        found.add(length)
    return found


def test_nothing_is_long_while_no_length_is_known() -> None:
    unknown = lengths_of(0, 0)
    assert (unknown.usual_ms, unknown.has_overlong, unknown.is_overlong(10**9)) == (0, False, False)
    assert (unknown.rooms(10**9), unknown.turns(10**9, 5)) == (1, 1)


def test_the_usual_length_is_the_lower_median_of_the_last_rooms() -> None:
    assert lengths_of(3_000, 0, 900).usual_ms == 900
    assert lengths_of(3_000, 900, 1_000).usual_ms == 1_000
    assert [lengths_of(*[9] * LAST, *[50] * slow).usual_ms for slow in (100, 101)] == [9, 50]


def test_a_room_is_overlong_after_three_usual_ones_while_it_is_among_the_last() -> None:
    usual = lengths_of(900, 900, 2_700)
    assert (usual.has_overlong, usual.is_overlong(2_700), usual.is_overlong(2_701)) == (False, False, True)
    usual.add(2_701)
    assert usual.has_overlong
    assert not lengths_of(2_701, *[900] * LAST).has_overlong


def test_a_bot_is_charged_two_turns_for_each_share_of_a_room_beyond_two() -> None:
    usual = lengths_of(900)
    assert [usual.rooms(took) for took in (0, 900, 901, 1_801)] == [1, 1, 2, 3]
    assert [usual.turns(thought, 3) for thought in (0, 300, 899, 900, 1_199, 1_200)] == [1, 1, 1, 3, 3, 5]
