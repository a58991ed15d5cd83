"""Checks that a bot, in any language, follows protocol and rules: a real referee plays against a real process."""
