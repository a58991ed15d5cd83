"""`bourre ladder`: a board that is always on."""
