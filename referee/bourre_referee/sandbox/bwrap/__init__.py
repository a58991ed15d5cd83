"""Level `bwrap`: a bot in a box of namespaces that holds its own files and nothing of other bots or the host."""
