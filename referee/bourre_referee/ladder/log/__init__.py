"""The chained log of a ladder, and the state that follows from it."""
