"""Where the questions of a referee wait for the answers of an agent or a person."""
