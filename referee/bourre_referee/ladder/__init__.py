"""A ladder: bots come and go, and a chained log decides the pairings."""
