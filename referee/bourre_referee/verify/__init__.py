"""A run checked from what it left behind: every card, decision, chip, row and rating derived anew."""
