"""The board of a ladder: ratings and ranks. It uses no clock, input or output."""
