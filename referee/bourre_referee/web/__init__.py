"""Pages for people: standings, bots, matches, deals. Only this room uses FastAPI and Jinja, an extra."""
