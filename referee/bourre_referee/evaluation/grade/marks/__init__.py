"""The mark of one submission: its contests, and the points that they earn."""
