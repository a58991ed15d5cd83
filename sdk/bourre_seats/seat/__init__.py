"""A seat for a person in the browser or the terminal: `python -m bourre_seats.seat`."""
