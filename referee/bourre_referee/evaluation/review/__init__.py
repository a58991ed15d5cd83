"""Reviews the cost of a bot's decisions, from a run or from practice."""
