"""The packages that a submission asks for, in an environment of its own."""
