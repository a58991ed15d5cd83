"""Results derived from a run: standings, ratings, counts and analyses, and the cache that keeps them."""
