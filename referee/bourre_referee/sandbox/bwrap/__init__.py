"""Level `bwrap`: a bot in a box of namespaces, which holds its own files and nothing of its neighbours or the host."""
