"""Find the better of two bots: a duplicate contest that ends as soon as that is clear."""
