"""The folder of a run: what lies in it, what its manifest says, and what is published of it."""
