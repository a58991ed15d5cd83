"""Queues a referee's questions for an agent or a person."""
