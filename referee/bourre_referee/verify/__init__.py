"""Verifies a run from its files: it derives every card, decision, chip, row and rating again."""
