"""The rules in two minutes, for agents that do not know them."""

RULES = """\
Bourré is a trick-taking game for 2 to 8 seats with 52 cards, aces high, 2 low. Cards are texts: rank, then suit, as in
AS, TH, 2C. The house rules of the table may change what follows; the data's `notation` names them.

1. Everyone pays an ante into the pot and gets five cards; the dealer's last one is turned up: its suit is trump.
2. From the dealer's left, each seat passes, which costs nothing more, or plays and exchanges cards once.
3. Those who play fight for five tricks. The dealer's left leads first, then whoever took the last trick.
   - Follow suit if you can, and beat the best card so far if you can.
   - If you cannot follow, play a trump, one that wins if you can. Otherwise any card.
   - Once your hand is sure of three tricks, you must play your highest trump.
4. Who takes most tricks takes the pot; if the most are tied, the pot stays for the next deal.
5. Who plays and takes no trick is bourré and pays as much as the pot held (up to the limit) into the next pot.
6. An illegal card is a renege. The referee asks you once more; it still costs you this pot and your next turn to deal,
   and an uncorrected one as much as being bourré. A late answer costs the same as an uncorrected renege.

You win by having the most chips after all deals. Play only with a hand that should take a trick or more.
"""
