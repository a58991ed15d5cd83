"""What hostile bots try, for the tests and for `bourre doctor --attack`."""
