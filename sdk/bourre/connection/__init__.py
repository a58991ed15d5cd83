"""Connects bots to a referee."""
