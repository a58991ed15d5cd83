"""The only way from the bots of [[models]] to their servers: it alone holds keys, keeps caps and records calls."""
