"""Bots judged: checked against the protocol and the rules, compared in pairs, graded."""
