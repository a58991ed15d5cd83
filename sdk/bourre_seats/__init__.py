"""Seats for players other than programs: people, agents and language models."""
