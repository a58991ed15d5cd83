"""Seats for those who are no program of a bot: a person, an agent, a language model."""
