"""The tests, one folder per package; they import each other as `tests.<module>`."""
