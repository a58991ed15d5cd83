"""Evaluate bots: check them against the protocol and the rules, compare them in pairs, grade them."""
