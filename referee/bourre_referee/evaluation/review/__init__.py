"""Reviews of what a bot's decisions cost, from a run or from practice."""
