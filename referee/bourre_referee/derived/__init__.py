"""What follows from the facts of a run: standings, ratings, counts, analyses, and the cache that keeps them."""
