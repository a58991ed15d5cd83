"""Write a bot for Bourré: cards, rules, views, and the line to a referee."""
