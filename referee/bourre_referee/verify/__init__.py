"""Verify a run from its files: every card, decision, chip, row and rating is derived again."""
