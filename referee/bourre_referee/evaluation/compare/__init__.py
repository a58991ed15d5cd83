"""Finds the better of two bots, with a duplicate contest that ends as soon as the result is clear."""
