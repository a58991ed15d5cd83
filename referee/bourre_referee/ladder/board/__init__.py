"""How good the bots of a ladder are, as its pages show it; no clock, input or output."""
