"""Which of two bots is better: a duplicate contest that ends when that is clear."""
