"""The tests, one folder a package; they import one another as `tests.<module>`."""
