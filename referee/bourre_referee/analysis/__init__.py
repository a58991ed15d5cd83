"""What results and records tell beyond the standings: pure functions, from facts to facts."""
