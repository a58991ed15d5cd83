"""The attacks of hostile bots, for the tests and for `bourre doctor --attack`."""
