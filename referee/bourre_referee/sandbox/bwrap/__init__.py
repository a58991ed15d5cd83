"""Level `bwrap`: a bot in a sandbox of namespaces with only its own files."""
