"""Web pages, the API and the replay viewer. Only this room uses FastAPI and Jinja, which are an extra."""
