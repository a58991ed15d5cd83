"""Stores a run on disk: its folder, manifest and database."""
