"""Both ways of a bot's messages to and from a referee."""
