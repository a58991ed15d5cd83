"""Carries a bot's answers to a referee, and the referee's questions to the bot."""
