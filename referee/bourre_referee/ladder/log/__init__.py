"""What happened to a ladder, as a chained log, and the state that it comes to."""
