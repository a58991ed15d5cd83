"""Tools for research: environments, batches of deals, the champion, and reviews of play."""
