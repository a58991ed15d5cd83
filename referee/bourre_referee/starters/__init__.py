"""The folder that a bot's author starts from: a bot, its test, and a contest of its own."""
