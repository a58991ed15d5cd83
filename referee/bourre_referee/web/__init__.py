"""Pages for people: standings, bots, matches, deals. The only place that knows FastAPI and Jinja, an extra."""
