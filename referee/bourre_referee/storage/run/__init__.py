"""A run in a folder or in a database: its manifest and log, its writer and its readers."""
