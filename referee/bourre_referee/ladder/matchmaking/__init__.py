"""Who plays next, and why; anyone can compute it again from the log and a seed."""
