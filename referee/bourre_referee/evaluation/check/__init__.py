"""Whether a bot, in any language, keeps to the protocol and the rules: tried over a real referee, as a real process."""
