"""The files of a ladder, and the process that serves it."""
