"""Mutation testing with mutmut: the modules, the tests that judge them, and the judges."""
