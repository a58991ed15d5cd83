"""For research: environments, many deals in step, the champion, reviews of play."""
