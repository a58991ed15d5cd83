"""Standings, intervals, ties, stopping rules and analysis: pure, from results alone."""
