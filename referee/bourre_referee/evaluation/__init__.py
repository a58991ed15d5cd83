"""Evaluates bots: checks them against the protocol and the rules, compares them in pairs, and grades them."""
