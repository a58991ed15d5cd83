"""Web pages, the API and the replay viewer. Only this package uses FastAPI and Jinja, which are an extra."""
