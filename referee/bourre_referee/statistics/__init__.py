"""Standings, intervals, ties, stopping rules, analysis: pure, from results alone."""
