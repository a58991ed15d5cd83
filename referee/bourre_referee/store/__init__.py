"""Finished matches in a database: the only place that opens one."""
