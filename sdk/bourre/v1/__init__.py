"""Generated from proto/bourre/v1 by `python3 dev.py generate`; never edited."""
