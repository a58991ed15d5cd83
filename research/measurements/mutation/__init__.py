"""Mutation testing: what is mutated, by what it is judged, and how mutmut is led to both."""
