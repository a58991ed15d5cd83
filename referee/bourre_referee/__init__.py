"""The referee of Bourré contests: deals, enforces the rules, rates the bots."""
