"""Reads and writes files: safely in a crash, and with checks for untrusted files."""
