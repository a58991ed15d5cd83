"""The database of a run: SQLite in its folder, or PostgreSQL."""
