"""Runs in a PostgreSQL database. Only this package imports psycopg."""
