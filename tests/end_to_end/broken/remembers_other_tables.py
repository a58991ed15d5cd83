"""Counts its hands in the class, over all matches: repeatable only while matches are played one after another."""

from bourre import Bot, View, run


class RemembersOtherTables(Bot):
    hands = 0

    def declare(self, view: View) -> bool:
        RemembersOtherTables.hands += 1
        return RemembersOtherTables.hands % 3 > 0


run(RemembersOtherTables)
