"""A seat for an agent that speaks the Model Context Protocol: `python -m bourre_seats.mcp`."""
