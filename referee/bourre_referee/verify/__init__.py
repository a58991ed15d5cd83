"""Verifies a run from what it left behind, deriving every card, decision, chip, row and rating again."""
